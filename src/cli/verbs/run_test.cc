#include <boost/json/parse.hpp>
#include <filesystem>

#include "cli/http/url.h"
#include "cli/testing/fake_server.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kPost = "POST /api/v1/jobs?workdir=" + percent_encoded(std::filesystem::current_path().string());

class Run : public ::testing::Test {
 protected:
  void SetUp() override {
    fake.server.on("GET /healthz", R"({"status":"ok"})");
    fake.server.on(kPost, {.status = 201, .body = job_json("00000001", "train", "QUEUED")});
    fake.variables["PATH"] = "/bin";
    fake.variables["SECRET"] = "x";
  }
  void ends(const std::string& state, const std::string& attempt_more) {
    fake.server.on("GET /api/v1/jobs/00000001", job_with_attempts(state, attempt_json(1, "ENDED", attempt_more)));
    fake.server.on("GET /api/v1/jobs/00000001/logs?attempt=1&rank=0&follow=1", "hello\n");
  }
  boost::json::value posted() {
    for (const auto& request : fake.server.requests)
      if (request.method == "POST") return boost::json::parse(request.body);
    return {};
  }
  FakeSession fake;
};

TEST_F(Run, SubmitsAndStreams) {
  ends("FAILED", R"(,"started_at":"2027-01-15T07:59:00.000Z","ended_by":"exit","exit_code":7)");
  EXPECT_EQ(fake.run({"run", "--gpus", "t4:2", "--env", "A=b=c", "--", "python", "x.py", "--lr", "1", "--", "-o"}), 1);
  EXPECT_EQ(fake.out.str(), "hello\n");
  expect_sentence(fake.err.str());
  const auto spec = posted();
  EXPECT_EQ(boost::json::parse(R"(["python","x.py","--lr","1","--","-o"])"), member(spec, "run"));
  EXPECT_EQ(text_at(spec, "workdir"), "") << "the user names none: where it is submitted is said beside the spec";
  EXPECT_EQ(text_at(spec, "env"), R"({"PATH":"/bin","A":"b=c"})");
  EXPECT_EQ(text_at(spec, "resources"), R"({"gpus":"t4:2"})");
}

// The server's state was set back, and what was launched since was found again.
TEST_F(Run, StreamsAttemptsThatHaveGapsInTheirNumbers) {
  const auto all = attempt_json(2, "ENDED") + "," + attempt_json(5, "ENDED");
  fake.server.on("GET /api/v1/jobs/00000001", job_json("00000001", "train", "QUEUED"));
  fake.server.on("GET /api/v1/jobs/00000001", job_with_attempts("SUCCEEDED", all));
  fake.server.on("GET /api/v1/jobs/00000001/logs?attempt=2&rank=0&follow=1", "two\n");
  fake.server.on("GET /api/v1/jobs/00000001/logs?attempt=5&rank=0&follow=1", "five\n");
  EXPECT_EQ(fake.run({"run", "--", "x"}), 0);
  EXPECT_EQ(fake.out.str(), "two\nfive\n");
}

TEST_F(Run, NeedsNoDashesBeforeTheProgram) {
  ends("SUCCEEDED", R"(,"ended_by":"exit","exit_code":0)");
  EXPECT_EQ(fake.run({"run", "--gpus", "2", "python", "x.py", "--lr", "1"}), 0);
  EXPECT_EQ(text_at(posted(), "run"), R"(["python","x.py","--lr","1"])");
  EXPECT_EQ(text_at(posted(), "resources"), R"({"gpus":2})");
}

TEST_F(Run, ASignalIsSaidAsAShellWould) {
  ends("FAILED", R"(,"ended_by":"signal","signal":9)");
  EXPECT_EQ(fake.run({"run", "--", "x"}), 1);
  EXPECT_EQ(fake.run({"run", "--exit-code-from", "job", "--", "x"}), 137);
}

TEST_F(Run, ExitsLikeTheJobIfAskedTo) {
  ends("FAILED", R"(,"ended_by":"exit","exit_code":7)");
  EXPECT_EQ(fake.run({"run", "--exit-code-from", "job", "--", "x"}), 7);
  EXPECT_EQ(fake.run({"run", "--exit-code-from", "me", "--", "x"}), 2);
}

TEST_F(Run, AJobWithoutACodeOfItsOwnFailsWithOne) {
  ends("CANCELLED", R"(,"ended_by":"cancelled","exit_code":7)");
  EXPECT_EQ(fake.run({"run", "--exit-code-from", "job", "--", "x"}), 1);
}

TEST_F(Run, WrongOptionsAreCalledAsTheyWereTyped) {
  FakeSession wrong;
  wrong.server.on("GET /healthz", "{}");
  wrong.server.on(kPost, {.status = 422, .body = R"({"code":"invalid","detail":"/nodes: 0 is out of range; and 2 more",
                     "errors":[{"pointer":"/nodes","message":"0 is out of range"},
                               {"pointer":"/resources/gpus","message":"no"},{"pointer":"/time_limit","message":"no"}]})"});
  EXPECT_EQ(wrong.run({"run", "--nodes", "0", "--", "x"}), 2);
  expect_sentence(wrong.err.str());
}

TEST_F(Run, StandardOutputIsTheJobsUnlessDetached) {
  EXPECT_EQ(fake.run({"run", "-o", "json", "--", "x"}), 2);
  expect_sentence(text_at(boost::json::parse(fake.err.str()), "detail"));
  EXPECT_EQ(fake.run({"run", "-d", "-o", "json", "--", "x"}), 0);
  EXPECT_THAT(fake.out.str(), StartsWith("{\n  \"id\": \"00000001\""));
}

TEST_F(Run, DetachedItOnlyPrintsTheId) {
  EXPECT_EQ(fake.run({"run", "-d", "--", "x"}), 0);
  EXPECT_EQ(fake.out.str(), "00000001\n");
}

TEST_F(Run, CtrlCLeavesTheJobToItself) {
  fake.server.on("GET /api/v1/jobs/00000001", job_json("00000001", "train", "QUEUED"));
  fake.session.watch_interrupt = [this] { fake.interrupted = true; };
  EXPECT_EQ(fake.run({"run", "--", "x"}), 130);
  expect_sentence(fake.err.str());
  for (const auto& request : fake.server.requests) EXPECT_THAT(request.target, ::testing::Not(HasSubstr("cancel")));
}

TEST_F(Run, NeverStartsAServerInPlaceOfANamedOne) {
  FakeSession lonely;
  lonely.server.on("GET /healthz", {.lost = true});
  EXPECT_EQ(lonely.run({"run", "--", "x"}), 6);
  expect_sentence(lonely.err.str());
}

}  // namespace
}  // namespace ym::cli
