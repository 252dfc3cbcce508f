#include <algorithm>
#include <fstream>
#include <iterator>

#include "executor/conformance/tests.h"

namespace ym::testing {
namespace {

constexpr Token kToken{JobId{1}, 1, 7};
constexpr const char* kUntilGo = "while [ ! -e go ]; do sleep 0.02; done";
// Shell: writes a report to another file, then renames it to the marker.
constexpr const char* kMark =
    "mark() { echo \"$1\" > \"$YM_PROGRESS_FILE.new\"; mv \"$YM_PROGRESS_FILE.new\" \"$YM_PROGRESS_FILE\"; }; ";

void go(const ExecutorHost& host) { std::ofstream(host.scratch() / "go").close(); }

std::function<bool(const ProgressReport&)> step_is(std::int64_t step) {
  return [step](const ProgressReport& report) { return report.step == step; };
}

void an_output_line_is_progress_and_stays_in_the_log(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken,
                 "echo begin; printf 'YM_PROGRESS {\"st'; sleep 0.1; echo 'ep\": 3, \"metrics\": {\"loss\": 0.5}}'; " +
                     std::string(kUntilGo));
  const auto report = session.wait_progress(kToken, step_is(3));
  EXPECT_EQ(report.metrics.at("loss"), 0.5);
  EXPECT_FALSE(report.completed);
  go(host);
  session.wait_end(kToken);
  EXPECT_EQ(session.log(kToken), "begin\nYM_PROGRESS {\"step\": 3, \"metrics\": {\"loss\": 0.5}}\n");
}

void any_task_may_speak(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "echo \"YM_PROGRESS {\\\"step\\\": $YM_NODE_RANK}\"", 2);
  session.wait_ended(kToken, 2);
  session.wait_progress(kToken, step_is(0));
  session.wait_progress(kToken, step_is(1));
}

void a_marker_file_is_progress(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, kMark +
                             std::string("mark '{\"step\": 1}'; while [ ! -e first ]; do sleep 0.02; done; "
                                         "mark '{\"checkpoint\": {\"uri\": \"/ck/2\", \"step\": 2}}'; ") +
                             kUntilGo);
  session.wait_progress(kToken, step_is(1));
  std::ofstream(host.scratch() / "first").close();
  const auto saved = session.wait_progress(kToken, [](const auto& r) { return r.checkpoint.has_value(); });
  EXPECT_EQ(saved.checkpoint->uri, "/ck/2");
  EXPECT_EQ(saved.checkpoint->step, 2);
  EXPECT_GT(saved.checkpoint->durable_at.ms, 0);
  go(host);
  session.wait_end(kToken);
}

void last_words_come_before_the_end(ExecutorHost& host) {
  Session session{host};
  for (std::uint64_t i = 1; i <= 10; ++i) {
    const Token token{JobId{i}, 1, 7};
    const bool by_file = i % 2 == 0;
    session.launch(token, by_file ? kMark + std::string("mark '{\"completed\": true}'")
                                  : "echo 'YM_PROGRESS {\"step\": 1}'; printf 'YM_PROGRESS {\"completed\": true}'");
    session.wait_end(token);
    const auto seen = session.seen(token);
    ASSERT_GE(seen.size(), 2U);
    EXPECT_TRUE(std::holds_alternative<TaskHasEnded>(seen.back().what)) << describe(seen);
    const auto* said = std::get_if<ProgressIsReported>(&seen[seen.size() - 2].what);
    ASSERT_TRUE(said) << describe(seen);
    EXPECT_TRUE(said->report.completed);
  }
}

// Whatever is reported meanwhile: the newest checkpoints and the completion are not lost.
void a_report_without_a_listener_is_kept_for_later(ExecutorHost& host) {
  {
    Session session{host};
    session.launch(kToken,
                   std::string(kUntilGo) +
                       "; for i in 1 2 3 4 5; do echo \"YM_PROGRESS {\\\"checkpoint\\\": {\\\"uri\\\": "
                       "\\\"/ck/$i\\\"}}\"; done; echo 'YM_PROGRESS {\"completed\": true}'; for i in 6 7 8 9; do "
                       "echo \"YM_PROGRESS {\\\"step\\\": $i}\"; done; touch said; while [ ! -e end ]; do sleep "
                       "0.02; done");
    session.wait_running(kToken);
  }
  go(host);
  wait_until("said", [&] { return std::filesystem::exists(host.scratch() / "said"); });
  const auto what_is_known = [](Session& session) {
    session.wait_progress(kToken, step_is(9));
    std::string known;
    for (const auto& observation : session.seen(kToken)) {
      const auto* said = std::get_if<ProgressIsReported>(&observation.what);
      if (!said) continue;
      known += said->report.checkpoint ? said->report.checkpoint->uri + " " : "";
      known += said->report.completed ? "done " : "";
    }
    return known;
  };
  {
    Session session{host, {kToken}};
    EXPECT_TRUE(what_is_known(session).ends_with("/ck/3 /ck/4 /ck/5 done ")) << what_is_known(session);
  }
  std::ofstream(host.scratch() / "end").close();
  Session session{host, {kToken}};
  session.wait_end(kToken);
  EXPECT_TRUE(what_is_known(session).ends_with("/ck/3 /ck/4 /ck/5 done "))
      << "once more for the next, and once only: " << what_is_known(session);
  EXPECT_TRUE(std::holds_alternative<TaskHasEnded>(session.seen(kToken).back().what));
}

// A checkpoint without a time gets the time of its report, and keeps it.
void a_checkpoint_does_not_grow_younger_by_a_restart(ExecutorHost& host) {
  const auto saved_at = [](Session& session) {
    return session.wait_progress(kToken, [](const auto& r) { return r.checkpoint.has_value(); }).checkpoint->durable_at;
  };
  Instant first;
  {
    Session session{host};
    session.launch(kToken, "echo 'YM_PROGRESS {\"checkpoint\": {\"uri\": \"/ck/1\"}}'; " + std::string(kUntilGo));
    first = saved_at(session);
  }
  Session session{host, {kToken}};
  EXPECT_EQ(saved_at(session), first);
  go(host);
  session.wait_end(kToken);
}

void the_newest_checkpoint_that_is_there_is_resumed_from(ExecutorHost& host) {
  Session session{host};
  const auto folder = host.scratch();
  std::ofstream(folder / "kept").close();
  JobSpec spec{.name = "x", .run = host.shell("echo $YM_RESUME_FROM $YM_RESUME_STEP"), .workdir = folder};
  const Checkpoint gone{.uri = (folder / "gone").string(), .step = 9, .durable_at = {90}, .attempt = 2};
  const Checkpoint kept{.uri = "file://" + (folder / "kept").string(), .step = 5, .durable_at = {50}, .attempt = 1};
  auto request = session.request(kToken, spec);
  request.checkpoints = {gone, kept, {.uri = (folder / "older").string(), .step = 1}};
  session.launch(std::move(request));
  session.wait_end(kToken);
  EXPECT_EQ(session.log(kToken), kept.uri + " 5\n");
  const auto seen = session.seen(kToken);
  ASSERT_EQ(count<CheckpointIsGone>(seen), 1U) << describe(seen);
  EXPECT_TRUE(std::holds_alternative<LaunchAccepted>(seen[0].what));
  const auto missing =
      std::ranges::find_if(seen, [](const Observation& o) { return std::holds_alternative<CheckpointIsGone>(o.what); });
  const auto running =
      std::ranges::find_if(seen, [](const Observation& o) { return std::holds_alternative<TaskIsRunning>(o.what); });
  EXPECT_EQ(std::get<CheckpointIsGone>(missing->what).checkpoint, gone);
  EXPECT_LT(missing, running) << describe(seen);
  const Token other{JobId{2}, 1, 7};
  request = session.request(other, std::move(spec));
  request.checkpoints = {{.uri = "s3://bucket/x", .step = 3}};
  session.launch(std::move(request));
  session.wait_end(other);
  EXPECT_EQ(session.log(other), "s3://bucket/x 3\n");
  EXPECT_EQ(count<CheckpointIsGone>(session.seen(other)), 0U);
}

void without_checkpoints_there_is_nothing_to_resume_from(ExecutorHost& host) {
  Session session{host};
  JobSpec spec{.name = "x", .workdir = host.scratch()};
  // Tasks on other machines always have a server.
  const std::string of_a_server = host.contact(kToken) ? "" : "|TOKEN|PROGRESS_URL|NOTICE_URL";
  spec.run = host.shell("env | grep -E '^YM_(RESUME|CHECKPOINT" + of_a_server + ")'; true");
  session.launch(kToken, spec);
  session.wait_end(kToken);
  EXPECT_EQ(session.log(kToken), "");
  const Token other{JobId{2}, 1, 7};
  spec.checkpoint = CheckpointRules{.dir = "/data/ck", .every = minutes(15), .expect_save = {}};
  session.launch(other, std::move(spec));
  session.wait_end(other);
  auto lines = session.log(other);
  EXPECT_NE(lines.find("YM_CHECKPOINT_DIR=/data/ck\n"), std::string::npos) << lines;
  EXPECT_NE(lines.find("YM_CHECKPOINT_EVERY=900\n"), std::string::npos) << lines;
}

void the_token_is_in_its_file_and_is_replaced_there(ExecutorHost& host) {
  Session session{host};
  JobSpec spec{.name = "x", .workdir = host.scratch()};
  spec.run = host.shell(
      "echo $YM_PROGRESS_URL $YM_NOTICE_URL; cat \"$YM_TOKEN_FILE\"; echo; touch read; "
      "while ! grep -q second \"$YM_TOKEN_FILE\"; do sleep 0.02; done; env");
  auto request = session.request(kToken, std::move(spec));
  request.contact = JobContact{"http://h/progress", "http://h/notice", Secret("the-first-token")};
  session.launch(std::move(request));
  wait_until("read", [&] { return std::filesystem::exists(host.scratch() / "read"); });
  session.executor().deliver(kToken, Secret("the-second-token"));
  session.wait_end(kToken);
  const auto log = session.log(kToken);
  const std::string head = "http://h/progress http://h/notice\nthe-first-token\n";
  EXPECT_TRUE(log.starts_with(head)) << log;
  EXPECT_EQ(log.find("-token", head.size()), std::string::npos) << "a token is in the environment";
  session.executor().deliver(kToken, Secret("too late"));
  const Token last{JobId{2}, 1, 7};
  session.executor().deliver(last, Secret("of an unknown attempt"));
  session.launch(last, "true");
  session.wait_end(last);
}

}  // namespace

std::vector<ExecutorTest> progress_tests() {
  return {{"AnOutputLineIsProgressAndStaysInTheLog", an_output_line_is_progress_and_stays_in_the_log},
          {"AnyTaskMaySpeak", any_task_may_speak},
          {"AMarkerFileIsProgress", a_marker_file_is_progress},
          {"LastWordsComeBeforeTheEnd", last_words_come_before_the_end},
          {"AReportWithoutAListenerIsKeptForLater", a_report_without_a_listener_is_kept_for_later},
          {"ACheckpointDoesNotGrowYoungerByARestart", a_checkpoint_does_not_grow_younger_by_a_restart},
          {"TheNewestCheckpointThatIsThereIsResumedFrom", the_newest_checkpoint_that_is_there_is_resumed_from},
          {"WithoutCheckpointsThereIsNothingToResumeFrom", without_checkpoints_there_is_nothing_to_resume_from},
          {"TheTokenIsInItsFileAndIsReplacedThere", the_token_is_in_its_file_and_is_replaced_there}};
}

}  // namespace ym::testing
