#include "spec/reservation_decoder.h"

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

const Instant kAskedAt = parse_rfc3339("2026-11-22T10:00:30Z").value();

Result<ReservationRequest> read_request(std::string_view json) { return parse_reservation(json, kAskedAt); }

TEST(Reservations, AreForSomeNodesAndSomePeople) {
  const auto request = read_request(R"({"name":"paper","from":"2026-11-23T08:00:00Z","until":"2026-11-23T12:00:00Z",
      "nodes":["n[1-3]","n2","login"],"users":["eve"],"queues":["team"],"message":"the deadline"})");
  ASSERT_TRUE(request) << message(request);
  EXPECT_EQ(request->wanted, (AdvanceReservation{.name = "paper",
                                                 .from = parse_rfc3339("2026-11-23T08:00:00Z").value(),
                                                 .until = parse_rfc3339("2026-11-23T12:00:00Z").value(),
                                                 .nodes = {"login", "n1", "n2", "n3"},
                                                 .users = {"eve"},
                                                 .queues = {"team"},
                                                 .message = "the deadline",
                                                 .created_by = ""}));
  EXPECT_FALSE(request->ignore_jobs);
  EXPECT_FALSE(request->wanted.is_maintenance());
}

TEST(Reservations, BeginNowAndLastInWholeMinutes) {
  const auto request = read_request(R"({"name":"disks","duration":"90s","node_count":2,"flavor":"t4","cluster":"lab",
      "ignore_jobs":true})");
  ASSERT_TRUE(request) << message(request);
  EXPECT_EQ(to_rfc3339(request->wanted.from), "2026-11-22T10:00:00.000Z");
  EXPECT_EQ(to_rfc3339(request->wanted.until), "2026-11-22T10:02:00.000Z") << "as long as was asked for, or longer";
  EXPECT_EQ(request->node_count, 2);
  EXPECT_EQ(request->flavor, "t4");
  EXPECT_EQ(request->cluster, "lab");
  EXPECT_TRUE(request->ignore_jobs);
  EXPECT_TRUE(request->wanted.is_maintenance());
}

TEST(Reservations, OfWhichSomethingIsWrongAreRefusedWithTheField) {
  expect_refused(read_request(R"({"duration":"1h","nodes":["n1"]})"), ErrorCode::invalid, "/name");
  expect_refused(read_request(R"({"name":"a","nodes":["n1"]})"), ErrorCode::invalid, "/until");
  expect_refused(read_request(R"({"name":"a","duration":"1h","until":"2026-11-23T12:00:00Z","nodes":["n1"]})"),
                 ErrorCode::invalid, "/until");
  expect_refused(read_request(R"({"name":"a","until":"2026-11-22T10:00:00Z","nodes":["n1"]})"), ErrorCode::invalid,
                 "/until");
  expect_refused(read_request(R"({"name":"a","duration":"1h"})"), ErrorCode::invalid, "/nodes");
  expect_refused(read_request(R"({"name":"a","duration":"1h","nodes":[]})"), ErrorCode::invalid, "/nodes");
  expect_refused(read_request(R"({"name":"a","duration":"1h","nodes":["n1","n["]})"), ErrorCode::invalid, "/nodes/1");
  expect_refused(read_request(R"({"name":"a","duration":"1h","nodes":["n1"],"message":"\u0007"})"), ErrorCode::invalid,
                 "/message");
  expect_refused(read_request(R"({"name":"a","duration":"1h","nodes":["n1"],"flavor":"t4"})"), ErrorCode::invalid,
                 "/flavor");
  expect_refused(read_request(R"({"name":"a","duration":"1h","nodes":["n1"],"for":"eve"})"), ErrorCode::invalid,
                 "/for");
  EXPECT_FALSE(read_request(R"({"name":"a","duration":"9000h","nodes":["n1"]})"));
  EXPECT_FALSE(read_request(R"({"name":"a","from":"2046-11-22T10:00:00Z","duration":"1h","nodes":["n1"]})"));
  EXPECT_FALSE(read_request(R"({"name":"a","from":"2026-11-20T10:00:00Z","duration":"1h","nodes":["n1"]})"));
  EXPECT_FALSE(read_request("[]"));
  EXPECT_FALSE(read_request("{"));
}

}  // namespace
}  // namespace ym::spec
