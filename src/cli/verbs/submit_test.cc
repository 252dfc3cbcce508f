#include <filesystem>
#include <fstream>

#include "cli/http/url.h"
#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

std::string percent_encoded_folder() { return percent_encoded(std::filesystem::current_path().string()); }

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Submit, SendsTheFileWithAKeyAndTheFolder) {
  FakeSession fake;
  const auto here = percent_encoded_folder();
  fake.server.on("POST /api/v1/jobs?workdir=" + here,
                 {.status = 201, .body = list_json(job_json("00000001", "a", "QUEUED"))});
  fake.in.str("run: [a]\n");
  EXPECT_EQ(fake.run({"submit", "-", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "00000001\n");
  const auto& request = fake.server.requests.at(0);
  EXPECT_EQ(request.body, "run: [a]\n");
  EXPECT_EQ(request.headers.at("Content-Type"), "application/yaml");
  EXPECT_EQ(request.headers.at("Idempotency-Key").size(), 32u);
}

TEST(Submit, SaysEachWarningOnce) {
  FakeSession fake;
  const std::string warned = R"(,"warnings":["preemption.grace is long"])";
  fake.server.on("POST /api/v1/jobs?workdir=" + percent_encoded_folder(),
                 {.status = 201,
                  .body = list_json(job_json("00000001", "a", "QUEUED", warned) + "," +
                                    job_json("00000002", "a", "QUEUED", warned))});
  fake.in.str("run: [a]\n");
  EXPECT_EQ(fake.run({"submit", "-", "-o", "name"}), 0);
  EXPECT_EQ(fake.out.str(), "00000001\n00000002\n");
  expect_sentence(fake.err.str());
}

TEST(Submit, OneJsonObjectGoesAsJson) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs?workdir=" + percent_encoded_folder(),
                 {.status = 201, .body = job_json("00000001", "a", "QUEUED")});
  fake.in.str(R"({"run": ["echo", "\ud83d\ude00"]})");
  EXPECT_EQ(fake.run({"submit", "-", "-o", "json"}), 0);
  EXPECT_THAT(fake.out.str(), StartsWith("[\n  {\n    \"id\": \"00000001\""));
  EXPECT_EQ(fake.server.requests.at(0).headers.at("Content-Type"), "application/json");
}

TEST(Submit, ALostAnswerIsAskedForAgainUnderTheSameKey) {
  FakeSession fake;
  const auto path = "POST /api/v1/jobs?workdir=" + percent_encoded_folder();
  fake.server.on(path, {.lost = true});
  fake.server.on(path, {.status = 201, .body = list_json(job_json("00000001", "a", "QUEUED"))});
  fake.in.str("run: [a]\n");
  EXPECT_EQ(fake.run({"submit", "-", "--idempotency-key", "k1"}), 0);
  ASSERT_EQ(fake.server.requests.size(), 2u);
  EXPECT_EQ(fake.server.requests[1].headers.at("Idempotency-Key"), "k1");
}

TEST(Submit, WithoutAnyAnswerTheEndIsUnknownAndSaysHowToGoOn) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs?workdir=" + percent_encoded_folder(), {.lost = true});
  fake.in.str("run: [a]\n");
  EXPECT_EQ(fake.run({"submit", "-", "--idempotency-key", "k1"}), 6);
  expect_sentence(fake.err.str());
}

TEST(Submit, PrintsEachWrongField) {
  FakeSession fake;
  fake.server.on(
      "POST /api/v1/jobs?workdir=" + percent_encoded_folder(),
      {.status = 422, .body = R"({"code":"invalid","detail":"/resources/gpus: -1 is out of range; and 1 more",
                    "errors":[{"pointer":"/resources/gpus","message":"-1 is out of range"},
                              {"pointer":"/gpu","message":"unknown key\u001b[2J"}]})"});
  fake.in.str("x");
  EXPECT_EQ(fake.run({"submit", "-"}), 2);
  expect_sentence(fake.err.str());
  EXPECT_EQ(fake.run({"submit", "/no/such/file"}), 2);
}

TEST(Submit, OneMistakeIsSaidOnceAndWithTheFile) {
  FakeSession fake;
  const auto file = ::testing::TempDir() + "ym_one_mistake.yaml";
  std::ofstream(file) << "x";
  fake.server.on("POST /api/v1/jobs?workdir=" + percent_encoded_folder(),
                 {.status = 422, .body = R"({"code":"invalid","detail":"/gpu: unknown key",
                    "errors":[{"pointer":"/gpu","message":"unknown key"}]})"});
  EXPECT_EQ(fake.run({"submit", file}), 2);
  expect_sentence(without_path(fake.err.str(), file));
  fake.err.str("");
  EXPECT_EQ(fake.run({"submit", file, "-o", "json"}), 2);
  EXPECT_EQ(fake.err.str(), R"({"type":"urn:yardmaster:problem:invalid","code":"invalid","detail":"/gpu: unknown key",)"
                            R"("errors":[{"pointer":"/gpu","message":"unknown key"}]})"
                            "\n");
  EXPECT_EQ(fake.out.str(), "");
}

TEST(Submit, WithoutAServerNothingWasSubmitted) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs?workdir=" + percent_encoded_folder(), {.absent = true});
  fake.in.str("run: [a]\n");
  EXPECT_EQ(fake.run({"submit", "-"}), 6);
  expect_sentence(fake.err.str());
}

TEST(Submit, ARefusalForNowSubmittedNothing) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs?workdir=" + percent_encoded_folder(),
                 {.status = 503, .body = R"({"code":"unavailable","detail":"the disk is full"})"});
  fake.in.str("run: [a]\n");
  EXPECT_EQ(fake.run({"submit", "-"}), 6);
  expect_sentence(fake.err.str());
}

TEST(Submit, ADryRunShowsWhatItWouldBe) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs?workdir=" + percent_encoded_folder() + "&dry_run=1",
                 R"({"items":[{"name":"sw","jobs":3,"spec":{"queue":"q","priority":50,"nodes":2,
                      "resources":{"gpus":"t4:4","cpus":4,"memory":0}}}]})");
  fake.in.str("x");
  EXPECT_EQ(fake.run({"submit", "-", "--dry-run"}), 0);
  EXPECT_EQ(fake.out.str(),
            "NAME  JOBS  QUEUE  PRI  WANTS\n"
            "sw       3  q       50  2 nodes x 4 t4 GPUs, 4 CPUs\n");
  expect_sentence(fake.err.str());
}

TEST(Submit, WaitsAndExitsLikeTheJobIfAskedTo) {
  FakeSession fake;
  fake.server.on("POST /api/v1/jobs?workdir=" + percent_encoded_folder(),
                 {.status = 201, .body = list_json(job_json("00000001", "a", "QUEUED"))});
  fake.server.on("GET /api/v1/jobs/00000001",
                 job_json("00000001", "a", "FAILED", R"(,"attempts":[{"number":1,"ended_by":"exit","exit_code":3}])"));
  fake.in.str("run: [a]\n");
  EXPECT_EQ(fake.run({"submit", "-", "--wait"}), 1);
  EXPECT_THAT(fake.out.str(), HasSubstr("FAILED"));
  expect_sentence(fake.err.str());
  EXPECT_EQ(fake.run({"submit", "-", "--wait", "--exit-code-from", "job"}), 3);
  EXPECT_EQ(fake.run({"submit", "-", "--exit-code-from", "job"}), 2) << "needs --wait";
}

}  // namespace
}  // namespace ym::cli
