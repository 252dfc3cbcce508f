// Progress reports of user code on this machine.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>

#include "base/testing/sentences.h"
#include "executor/local/testing/host.h"
#include "executor/local/testing/log.h"

namespace ym::local {
namespace {

using testing::count;
using testing::describe;
using testing::lines_of;
using testing::Session;
using testing::wait_until;

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(LocalProgress, WhatCannotBeReadIsWarnedOfOnce) {
  const LoggedLines logged;
  TestHost host;
  {
    Session session{host};
    session.launch(
        kToken,
        "for i in 1 2 3; do echo 'YM_PROGRESS {\"step\": \"many\"}'; sleep 1.1; done; echo 'YM_PROGRESS {\"step\": "
        "7}'");
    EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
    EXPECT_EQ(count<ProgressIsReported>(session.seen(kToken)), 1U) << "the last one is good";
  }
  const auto text = logged.text();
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
  ym::testing::expect_sentence(text);
}

TEST(LocalProgress, AReportThatIsTooLongIsNamedSo) {
  const LoggedLines logged;
  TestHost host;
  {
    Session session{host};
    session.launch(kToken, "printf 'YM_PROGRESS {'; head -c 20000 /dev/zero | tr '\\0' ' '; echo }");
    session.wait_end(kToken);
    EXPECT_EQ(session.log(kToken).size(), 20000U + 15);
  }
  ym::testing::expect_sentence(logged.text());
}

// Steps once a second, whatever is printed; saves at once, but no more than a few.
TEST(LocalProgress, AFloodReachesTheLogAndNotTheServer) {
  TestHost host;
  Session session{host};
  const auto begin = std::chrono::steady_clock::now();
  session.launch(
      kToken,
      "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); echo \"YM_PROGRESS {\\\"step\\\": $i, \\\"checkpoint\\\": "
      "{\\\"uri\\\": \\\"/ck/$i\\\"}}\"; done");
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  const auto spent = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
  const auto seen = session.seen(kToken);
  EXPECT_LE(count<ProgressIsReported>(seen), 10U * (static_cast<std::size_t>(spent) + 1) + 5);
  EXPECT_EQ(std::get<ProgressIsReported>(seen[seen.size() - 2].what).report.step, 100'000);
  const auto log = session.log(kToken);
  EXPECT_EQ(std::ranges::count(log, '\n'), 100'000);
}

TEST(LocalProgress, ASupervisorStaysSmallWhateverIsSaid) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
#endif
  TestHost host;
  Session session{host};
  session.launch(
      kToken,
      "pad=$(head -c 16000 /dev/zero | tr '\\0' ' '); i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo "
      "\"YM_PROGRESS {\\\"step\\\": $i,$pad\\\"checkpoint\\\": {\\\"uri\\\": \\\"/ck/$i\\\"}}\"; done; touch said; "
      "exec sleep 1000");
  wait_until("said", [&] { return std::filesystem::exists(host.scratch() / "said"); });
  session.wait_progress(kToken, [](const auto& report) { return report.step == 300; });
  long rss_kib = 0;
  for (const auto& line : lines_of("/proc/" + std::to_string(host.claim(kToken)->supervisor.pid) + "/status"))
    if (line.starts_with("VmHWM:")) rss_kib = std::stol(line.substr(6));
  EXPECT_GT(rss_kib, 0);
  EXPECT_LE(rss_kib, 4096);
  RecordProperty("supervisor_kib", static_cast<int>(rss_kib));
}

TEST(LocalProgress, TheMarkerOfATaskThatIsLostIsStillRead) {
  TestHost host;
  {
    Session session{host};
    session.launch(
        kToken,
        "while [ ! -e go ]; do sleep 0.02; done; echo '{\"checkpoint\": {\"uri\": \"/ck/1\"}}' > new; mv new "
        "\"$YM_PROGRESS_FILE\"; touch said; exec sleep 1000");
    session.wait_running(kToken);
  }
  const auto supervisor = host.claim(kToken)->supervisor.pid;
  ::kill(supervisor, SIGSTOP);
  std::ofstream(host.scratch() / "go").close();
  wait_until("said", [&] { return std::filesystem::exists(host.scratch() / "said"); });
  host.kill_watcher(kToken, 0);
  for (int i = 0; i < 2; ++i) {
    Session session{host, {kToken}};
    EXPECT_EQ(session.wait_end(kToken).by, EndedBy::lost);
    const auto seen = session.seen(kToken);
    ASSERT_EQ(count<ProgressIsReported>(seen), 1U) << describe(seen);
    EXPECT_TRUE(std::holds_alternative<ProgressIsReported>(seen[seen.size() - 2].what)) << describe(seen);
  }
}

TEST(LocalProgress, UserCodeCanNeitherBlockNorMisleadItsSupervisor) {
  TestHost host;
  Session session{host};
  session.launch(
      kToken, "mkfifo \"$YM_PROGRESS_FILE\"; sleep 0.1; echo out; rm -r \"$(dirname \"$YM_PROGRESS_FILE\")\"; exit 3");
  EXPECT_EQ(session.wait_end(kToken).exit_code, 3);
  EXPECT_EQ(session.log(kToken), "out\n");
}

TEST(LocalProgress, ATokenIsInNoRecordAndGoneAtTheEnd) {
  TestHost host;
  Session session{host};
  JobSpec spec{.name = "x", .workdir = host.scratch()};
  spec.run = {Program::Form::shell, {"while [ ! -e go ]; do sleep 0.02; done"}};
  auto request = session.request(kToken, std::move(spec));
  request.contact = JobContact{"http://h/p", "http://h/n", Secret("ymj.secret")};
  session.launch(std::move(request));
  session.wait_running(kToken);
  const auto token = host.folder(kToken) / kTokenFile;
  struct stat about{};
  ASSERT_EQ(::stat(token.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
  EXPECT_EQ(content(token), "ymj.secret");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(host.state()))
    if (entry.is_regular_file() && entry.path() != token) {
      EXPECT_EQ(content(entry.path()).find("ymj.secret"), std::string::npos) << entry.path();
    }
  std::ofstream(host.scratch() / "go").close();
  session.wait_end(kToken);
  EXPECT_FALSE(std::filesystem::exists(token));
}

// The server may die before it has reported it.
TEST(LocalProgress, ACheckpointThatWasGoneIsReportedByTheNextServerToo) {
  TestHost host;
  const Checkpoint gone{.uri = "/no/such", .step = 9, .durable_at = {90}, .attempt = 1};
  {
    Session session{host};
    auto request = session.request(
        kToken, {.name = "x", .run = {Program::Form::argv, {"sleep", "1000"}}, .workdir = host.scratch()});
    request.checkpoints = {gone};
    session.launch(std::move(request));
    session.wait_running(kToken);
  }
  Session session{host, {kToken}};
  session.wait_running(kToken);
  const auto seen = session.seen(kToken);
  ASSERT_EQ(count<CheckpointIsGone>(seen), 1U) << describe(seen);
  EXPECT_EQ(std::get<CheckpointIsGone>(seen[1].what).checkpoint, gone);
}

}  // namespace
}  // namespace ym::local
