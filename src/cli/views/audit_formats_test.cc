#include "cli/views/audit_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

json::value cancelled() {
  return json::parse(R"({"seq": 12, "time": "2026-11-30T10:00:00.500Z", "actor": "ann", "behalf": null,
    "verb": "jobs.cancel", "object": "job:00000007", "outcome": "done", "code": null, "count": 1,
    "events": {"from": 11, "to": 11}, "token": "t1", "source": "10.0.0.9", "agent": "ym/1", "request": "r|1"})");
}
json::value refused() {
  return json::parse(R"({"seq": 13, "time": "2026-11-30T10:00:00.000Z", "actor": null, "behalf": null,
    "verb": "login", "object": "GET /api/v1/jobs", "outcome": "refused", "code": "unauthenticated", "count": 40,
    "events": null, "token": null, "source": "10.0.0.9", "agent": "a=b\\c\nd", "request": null})");
}
json::value line(const json::value& record, AuditFormat format) { return json::parse(audit_line(record, format)); }

TEST(AuditFormats, Kubernetes) {
  const auto event = line(cancelled(), AuditFormat::k8s);
  EXPECT_EQ(text_at(event, "apiVersion"), "audit.k8s.io/v1");
  EXPECT_EQ(text_at(event, "user/username"), "ann");
  EXPECT_EQ(text_at(event, "verb"), "cancel");
  EXPECT_EQ(text_at(event, "objectRef/resource"), "jobs");
  EXPECT_EQ(text_at(event, "objectRef/name"), "00000007");
  EXPECT_EQ(text_at(event, "responseStatus/code"), "200");
  EXPECT_EQ(text_at(line(refused(), AuditFormat::k8s), "responseStatus/code"), "401");
}

TEST(AuditFormats, Cadf) {
  const auto event = line(cancelled(), AuditFormat::cadf);
  EXPECT_EQ(text_at(event, "action"), "update/jobs.cancel");
  EXPECT_EQ(text_at(event, "outcome"), "success");
  EXPECT_EQ(text_at(event, "initiator/host/address"), "10.0.0.9");
  EXPECT_EQ(text_at(line(refused(), AuditFormat::cadf), "action"), "authenticate/login");
}

TEST(AuditFormats, OcsfTypeFollowsFromClassAndActivity) {
  for (const auto& record : {cancelled(), refused()}) {
    const auto event = line(record, AuditFormat::ocsf);
    EXPECT_EQ(integer_at(event, "type_uid").value_or(0),
              integer_at(event, "class_uid").value_or(0) * 100 + integer_at(event, "activity_id").value_or(0));
  }
  EXPECT_EQ(text_at(line(cancelled(), AuditFormat::ocsf), "class_uid"), "6003");
  EXPECT_EQ(text_at(line(cancelled(), AuditFormat::ocsf), "time"), "1796032800500");
  EXPECT_EQ(text_at(line(refused(), AuditFormat::ocsf), "class_uid"), "3002");
}

TEST(AuditFormats, CefEscapesWhatSeparates) {
  auto record = cancelled();
  record.as_object()["verb"] = "a|b";
  const auto head = audit_line(record, AuditFormat::cef);
  EXPECT_THAT(head, HasSubstr(R"(|a\|b|)"));
  const auto text = audit_line(refused(), AuditFormat::cef);
  EXPECT_THAT(text, HasSubstr(R"(requestClientApplication=a\=b\\c\nd)"));
  EXPECT_THAT(text, HasSubstr("cnt=40"));
  EXPECT_THAT(text, Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace ym::cli
