#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "executor/slurm/client/cli_client.h"
#include "executor/slurm/client/rest_client.h"
#include "executor/slurm/client/rest_json.h"
#include "executor/slurm/testing/slurm_lab.h"

namespace ym::slurm {
namespace {

TEST(RestJson, AJobOfTodayAndOneOfLaterVersions) {
  const auto old = parse_rest_jobs(R"({"errors": [], "jobs": [{"job_id": 12, "name": "ym-1.1.7", "job_state": "FAILED",
    "exit_code": 768, "nodes": "n[1-2]", "submit_time": 100, "comment": "c", "user_name": "u"},
    {"job_id": 13, "name": "other", "job_state": "RUNNING"}]})",
                                   "u");
  ASSERT_TRUE(old) << old.error().message;
  ASSERT_EQ(old->size(), 1U);
  EXPECT_EQ(old->front().exit, "768");
  EXPECT_EQ(old->front().nodes, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(old->front().submitted, Instant{100'000});
  const auto later = parse_rest_jobs(R"({"errors": [], "jobs": [{"job_id": 12, "name": "ym-1.1.7",
    "job_state": ["FAILED"], "exit_code": {"status": ["ERROR"], "return_code": {"set": true, "infinite": false, "number": 3},
    "signal": {"id": {"set": false, "number": 0}, "name": ""}}, "nodes": "", "submit_time": {"set": true, "number": 100}}]})",
                                     "");
  ASSERT_TRUE(later) << later.error().message;
  EXPECT_EQ(later->front().state, "FAILED");
  EXPECT_EQ(later->front().exit, "3:0");
  EXPECT_EQ(later->front().submitted, Instant{100'000});
}

TEST(RestJson, WhatIsNoListIsNotBelieved) {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"jobs": 3})", R"({"jobs": [3]})", R"({"jobs": [{"name": "ym-1.1.1"}]})",
        R"({"errors": [{"error": "Unable to contact slurm controller"}], "jobs": []})"})
    EXPECT_FALSE(parse_rest_jobs(text, "")) << text;
  EXPECT_FALSE(parse_rest_nodes(R"j({"errors": [], "nodes": [{"name": "$(x)", "state": "idle"}]})j"));
}

TEST(RestJson, AnswersToSubmissions) {
  using Kind = SubmitError::Kind;
  EXPECT_EQ(parse_rest_submitted(200, R"({"errors": [], "job_id": 7})"), 7);
  EXPECT_EQ(parse_rest_submitted(200, R"({"errors": [{"error": "held"}], "job_id": 7})"), 7) << "it was made";
  const auto kind = [](int status, const char* text) { return parse_rest_submitted(status, text).error().kind; };
  EXPECT_EQ(kind(500, R"({"errors": [{"error": "Invalid partition name specified"}], "job_id": 0})"), Kind::permanent);
  EXPECT_EQ(kind(500, R"j({"errors": [{"error": "Unable to contact slurm controller (connect failure)"}]})j"),
            Kind::unclear);
  EXPECT_EQ(kind(504, "<html>"), Kind::unclear);
  EXPECT_EQ(kind(500, "{}"), Kind::unclear);
}

TEST(RestClient, SubmitsListsAndCancelsOnARealOne) {
  if (const auto missing = testing::SlurmLab::missing(); !missing.empty()) GTEST_SKIP() << "no Slurm here: " << missing;
  auto lab = testing::SlurmLab::start({.nodes = 2});
  ASSERT_TRUE(lab) << lab.error().message;
  if (!(*lab)->start_rest()) GTEST_SKIP() << "slurmrestd is not installed";
  SlurmOptions options{.conf = (*lab)->conf(), .rest = {.url = "unix:" + ((*lab)->folder() / "rest.sock").string()}};
  auto client = make_rest_client(options, make_cli_client(options));
  ASSERT_TRUE(client) << client.error().message;
  const Submission made{.name = "ym-1.1.7",
                        .comment = "yardmaster/x y",
                        .nodes = 2,
                        .gpu_type = "h100",
                        .gpus_per_node = 3,
                        .node_list = {"n1", "n2"},
                        .minutes = 5,
                        .script = "#!/bin/sh\nsleep 60\n"};
  const auto id = (*client)->submit(made);
  ASSERT_TRUE(id) << id.error().message;
  const auto job = [&]() -> JobRow {
    const auto rows = (*client)->jobs();
    return rows && !rows->empty() ? rows->front() : JobRow{};
  };
  for (int i = 0; i < 2400 && job().state != "RUNNING"; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(job().id, *id);
  EXPECT_EQ(job().nodes, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(job().comment, "yardmaster/x y");
  const auto nodes = (*client)->nodes();
  ASSERT_TRUE(nodes) << nodes.error().message;
  EXPECT_EQ(nodes->front().gres_used.substr(0, 10), "gpu:h100:3");
  ASSERT_TRUE((*client)->cancel(std::vector<std::int64_t>{*id}, false));
  for (int i = 0; i < 2400 && job().state != "CANCELLED"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(job().state, "CANCELLED");
  auto wrong = made;
  wrong.gpu_type = "a100";
  const auto refused = (*client)->submit(wrong);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, SubmitError::Kind::permanent) << refused.error().message;
}

}  // namespace
}  // namespace ym::slurm
