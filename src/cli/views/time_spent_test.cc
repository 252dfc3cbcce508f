#include "cli/views/time_spent.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include "cli/testing/fake_server.h"
#include "cli/views/job_view.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Submitted a minute before this.
constexpr Instant kNow{1'800'000'000'000};

boost::json::value job(const std::string& state, const std::string& more = "") {
  return boost::json::parse(job_json("00000001", "train", state, more));
}

std::string at(int seconds) { return to_rfc3339(kNow + Duration{seconds * 1000}); }

std::string attempt(const std::string& began, const std::string& ended) {
  const auto text = [](const std::string& time) { return time.empty() ? "null" : "\"" + time + "\""; };
  return R"({"number":1,"started_at":)" + text(began) + R"(,"ended_at":)" + text(ended) + "}";
}

std::string time_of(const std::string& state, const std::string& more = "") {
  return time_text(job(state, more), kNow);
}

TEST(TimeSpent, AJobWaitsSinceItWasSubmitted) {
  for (const auto* state : {"QUEUED", "HELD"}) EXPECT_EQ(time_of(state), "1m");
  EXPECT_EQ(time_of("STARTING", R"(,"started_at":null,"attempts":[)" + attempt("", "") + "]"), "1m");
}

TEST(TimeSpent, AJobThatWaitsAgainWaitsSinceItsLastAttemptEnded) {
  const auto before = R"(,"started_at":")" + at(-50) + R"(","attempts":[)" + attempt(at(-50), at(-20));
  EXPECT_EQ(time_of("QUEUED", before + "]"), "20s");
  EXPECT_EQ(time_of("STARTING", before + "," + attempt("", "") + "]"), "20s");
}

TEST(TimeSpent, AJobRunsSinceItsAttemptBegan) {
  const auto twice = R"(,"started_at":")" + at(-50) + R"(","attempts":[)" + attempt(at(-50), at(-20)) + "," +
                     attempt(at(-10), "") + "]";
  for (const auto* state : {"RUNNING", "STOPPING", "UNREACHABLE"}) EXPECT_EQ(time_of(state, twice), "10s");
  EXPECT_EQ(time_of("STOPPING", R"(,"attempts":[)" + attempt("", "") + "]"), "-") << "its program never ran";
}

TEST(TimeSpent, AJobThatHasEndedRanForAllOfItsAttempts) {
  const auto twice = R"(,"started_at":")" + at(-50) + R"(","ended_at":")" + at(-5) + R"(","attempts":[)" +
                     attempt(at(-50), at(-20)) + "," + attempt(at(-10), at(-5)) + "]";
  for (const auto* state : {"SUCCEEDED", "FAILED", "CANCELLED", "TIMED_OUT"}) EXPECT_EQ(time_of(state, twice), "35s");
  EXPECT_EQ(time_of("FAILED", R"(,"started_at":")" + at(-9) + R"(","ended_at":")" + at(-5) + "\""), "4s");
}

TEST(TimeSpent, AJobThatNeverRanHasNone) {
  const auto never = R"(,"started_at":null,"ended_at":")" + at(-5) + "\"";
  EXPECT_EQ(time_of("CANCELLED", never + R"(,"attempts":[])"), "-");
  EXPECT_EQ(time_of("FAILED", never + R"(,"attempts":[)" + attempt("", at(-5)) + "]"), "-");
  EXPECT_EQ(state_and_time(job("CANCELLED", never), kNow), "CANCELLED");
  EXPECT_EQ(time_text(boost::json::parse(R"({"state":"QUEUED"})"), kNow), "-") << "nothing is known";
}

TEST(TimeSpent, OfAnArrayTheLongestOfThoseThatHaveNotEnded) {
  const auto ran = job("SUCCEEDED", R"(,"started_at":")" + at(-55) + R"(","ended_at":")" + at(-5) + "\"");
  const auto runs = job("RUNNING", R"(,"started_at":")" + at(-30) + "\"");
  const auto never = job("CANCELLED", R"(,"ended_at":")" + at(-5) + "\"");
  EXPECT_EQ(longest_time_text({&ran, &runs, &never}, kNow), "30s");
  EXPECT_EQ(longest_time_text({&ran, &never}, kNow), "50s");
  EXPECT_EQ(longest_time_text({&never, &never}, kNow), "-");
}

TEST(TimeSpent, EveryVerbSaysTheSame) {
  const auto never = R"(,"started_at":null,"ended_at":")" + at(-5) + R"(","attempts":[])";
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/x", job_json("00000001", "x", "CANCELLED", never));
  fake.server.on("GET /api/v1/jobs/x/why", R"({"dominant":null})");
  fake.server.on("GET /api/v1/jobs?spec=summary&limit=1000", list_json(job_json("00000001", "x", "CANCELLED", never)));
  EXPECT_EQ(fake.run({"get", "x"}), 0);
  EXPECT_EQ(fake.run({"why", "x"}), 0);
  EXPECT_EQ(fake.run({"ps", "-A"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("x (00000001)  CANCELLED  queue=q"));
  EXPECT_THAT(fake.out.str(), HasSubstr("CANCELLED    -"));
  for (const auto* wrong : {"CANCELLED 0s", "CANCELLED 55s", " 55s"})
    EXPECT_THAT(fake.out.str(), Not(HasSubstr(wrong)));
}

}  // namespace
}  // namespace ym::cli
