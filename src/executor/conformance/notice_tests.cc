#include <csignal>
#include <fstream>
#include <sstream>

#include "executor/conformance/tests.h"

namespace ym::testing {
namespace {

constexpr Token kToken{JobId{1}, 1, 7};

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool exists(const ExecutorHost& host, const char* file) { return std::filesystem::exists(host.scratch() / file); }

// Copies its notice when it gets the signal.
constexpr const char* kCopier =
    "trap 'cp \"$YM_NOTICE_FILE\" notice.$YM_NODE_RANK; exit 0' TERM; "
    "[ -e \"$YM_NOTICE_FILE\" ] && exit 9; touch ready.$YM_NODE_RANK; while :; do sleep 0.02; done";

Instant deadline_in(const std::string& notice) {
  const std::string key = "\"deadline\": \"";
  const auto at = notice.find(key) + key.size();
  return parse_rfc3339(notice.substr(at, notice.find('"', at) - at)).value();
}

double grace_in(const std::string& notice) {
  const std::string key = "\"grace_seconds\": ";
  EXPECT_TRUE(notice.ends_with("}\n")) << notice;
  return std::stod(notice.substr(notice.find(key) + key.size()));
}

Instant wall_now() {
  return {std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
              .count()};
}

void the_notice_is_there_before_the_signal(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, kCopier, 2);
  wait_until("ready", [&] { return exists(host, "ready.0") && exists(host, "ready.1"); });
  const auto before = wall_now();
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = seconds(600)});
  for (const auto& exit : session.wait_ended(kToken, 2)) EXPECT_EQ(exit.by, EndedBy::preempted) << exit.message;
  for (const char* file : {"notice.0", "notice.1"}) {
    const auto notice = content(host.scratch() / file);
    EXPECT_TRUE(notice.starts_with("{\"reason\": \"preemption\", \"deadline\": \"")) << notice;
    // Less the time that the stop needed to reach the node.
    EXPECT_LE(grace_in(notice), 600) << notice;
    EXPECT_GT(grace_in(notice), 570) << notice;
    EXPECT_GE(deadline_in(notice), before + seconds(600));
    EXPECT_LE(deadline_in(notice), wall_now() + seconds(600));
  }
}

void every_cause_has_its_notice(ExecutorHost& host) {
  Session session{host};
  for (const auto cause : {StopCause::cancel, StopCause::gang_failure}) {
    const Token token{JobId{static_cast<std::uint64_t>(cause) + 10}, 1, 7};
    std::filesystem::remove(host.scratch() / "ready.0");
    session.launch(token, kCopier);
    wait_until("ready", [&] { return exists(host, "ready.0"); });
    session.executor().stop(token, {.cause = cause, .grace = seconds(60)});
    EXPECT_EQ(session.wait_end(token).exit_code, 0);
    const auto notice = content(host.scratch() / "notice.0");
    EXPECT_TRUE(notice.starts_with("{\"reason\": \"" + std::string(to_string(cause)) + "\"")) << notice;
  }
  JobSpec spec{.name = "x", .run = host.shell(kCopier), .workdir = host.scratch(), .time_limit = seconds(2)};
  spec.stop.grace = seconds(60);
  session.launch(kToken, std::move(spec));
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::time_limit);
  const auto notice = content(host.scratch() / "notice.0");
  EXPECT_TRUE(notice.starts_with("{\"reason\": \"time_limit\"")) << notice;
}

void a_shorter_grace_moves_the_deadline_of_the_notice(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "echo \"$YM_NOTICE_FILE\" > where; trap '' TERM; touch ready; while :; do sleep 0.02; done");
  wait_until("ready", [&] { return exists(host, "ready"); });
  const std::filesystem::path file = lines_of(host.scratch() / "where").front();
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = hours(2)});
  wait_until("a notice", [&] { return std::filesystem::exists(file); });
  const auto first = content(file);
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = hours(9)});  // changes nothing
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = hours(1)});
  wait_until("another", [&] { return content(file) != first; });
  const auto second = content(file);
  EXPECT_TRUE(second.starts_with("{\"reason\": \"preemption\"")) << second;
  EXPECT_NE(second.find("\"grace_seconds\": 36"), std::string::npos) << second << "from the first stop on";
  EXPECT_LT(deadline_in(second), deadline_in(first));
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = {}});
  EXPECT_TRUE(session.wait_end(kToken).forced);
}

void without_grace_no_task_is_asked(ExecutorHost& host) {
  Session session{host};
  session.launch(kToken, "trap '" + note("heard") + "; exit 0' TERM; touch ready; while :; do sleep 0.02; done");
  wait_until("ready", [&] { return exists(host, "ready"); });
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = {}});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::preempted);
  EXPECT_EQ(exit.signal, SIGKILL);
  EXPECT_TRUE(exit.forced);
  EXPECT_TRUE(ledger(host).empty());
}

// A later executor repeats the stop; user code gets it only once.
void a_restart_repeats_no_notice_and_keeps_the_deadline(ExecutorHost& host) {
  std::string notice;
  {
    Session session{host};
    session.launch(kToken, "echo \"$YM_NOTICE_FILE\" > where; trap '" + note("heard") +
                               "' USR1; touch ready; while :; do sleep 0.02; done");
    wait_until("ready", [&] { return exists(host, "ready"); });
    session.executor().stop(kToken, {.cause = StopCause::preemption, .signal = "SIGUSR1", .grace = seconds(4)});
    wait_until("heard", [&] { return !ledger(host).empty(); });
    notice = content(lines_of(host.scratch() / "where").front());
  }
  Session session{host, {kToken}};
  session.executor().stop(kToken, {.cause = StopCause::preemption, .signal = "SIGUSR1", .grace = hours(1)});
  // As a server would compute it from the time of its decision.
  const Duration left{(deadline_in(notice) - wall_now()).ms - 300};
  session.executor().stop(kToken, {.cause = StopCause::preemption, .signal = "SIGUSR1", .grace = left});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(content(lines_of(host.scratch() / "where").front()), notice);
  EXPECT_EQ(exit.by, EndedBy::preempted);
  EXPECT_TRUE(exit.forced);
  EXPECT_GE(exit.at, deadline_in(notice) - Duration{500});
  EXPECT_EQ(ledger(host).size(), 1U);
}

}  // namespace

std::vector<ExecutorTest> notice_tests() {
  return {{"TheNoticeIsThereBeforeTheSignal", the_notice_is_there_before_the_signal},
          {"EveryCauseHasItsNotice", every_cause_has_its_notice},
          {"AShorterGraceMovesTheDeadlineOfTheNotice", a_shorter_grace_moves_the_deadline_of_the_notice},
          {"WithoutGraceNoTaskIsAsked", without_grace_no_task_is_asked},
          {"ARestartRepeatsNoNoticeAndKeepsTheDeadline", a_restart_repeats_no_notice_and_keeps_the_deadline}};
}

}  // namespace ym::testing
