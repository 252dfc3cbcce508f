// Of a gang that failed: who did first, and what it wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;

const char* const kGang =
    R"json({"id":"00000001","name":"g","state":"FAILED","queue":"q","user":"ada","priority":50,
  "submitted_at":"2027-01-15T07:55:00.000Z","message":"exit code 1 (rank 5 failed first: killed by signal 9)",
  "spec":{"nodes":2,"run":["t"]},"attempts":[{"number":1,"state":"ENDED","exit_code":1,"signal":null,"ended_by":"exit",
  "message":"exit code 1","placement":[{"task":0,"node":"n1","devices":[]},{"task":1,"node":"n2","devices":[]}],
  "culprit":{"task":1,"node":"n2","rank":5,"certainty":"certain","ended_by":"signal","exit_code":null,"signal":9,
  "message":""}}]})json";

class CulpritOfAGang : public ::testing::Test {
 protected:
  CulpritOfAGang() {
    fake_.server.on("GET /api/v1/jobs/g", kGang);
    fake_.server.on("GET /api/v1/jobs/g/logs?rank=0", "zero\n");
    fake_.server.on("GET /api/v1/jobs/g/logs?rank=1", "one\n");
  }
  FakeSession fake_;
};

TEST_F(CulpritOfAGang, ItsLogIsShownFirst) {
  EXPECT_EQ(fake_.run({"logs", "g", "--rank", "all"}), 0);
  EXPECT_EQ(fake_.out.str(), "[1] one\n[0] zero\n");
}

TEST_F(CulpritOfAGang, WithoutARankItIsTheOneThatIsShown) {
  EXPECT_EQ(fake_.run({"logs", "g"}), 0);
  EXPECT_EQ(fake_.out.str(), "one\n");
  expect_sentence(fake_.err.str());
}

TEST_F(CulpritOfAGang, ARankThatIsNamedCounts) {
  EXPECT_EQ(fake_.run({"logs", "g", "--rank", "0"}), 0);
  EXPECT_EQ(fake_.out.str(), "zero\n");
}

TEST_F(CulpritOfAGang, GetNamesIt) {
  EXPECT_EQ(fake_.run({"get", "g"}), 0);
  EXPECT_THAT(fake_.out.str(), HasSubstr("task 1 on n2, rank 5: signal 9 (certain)"));
}

}  // namespace
}  // namespace ym::cli
