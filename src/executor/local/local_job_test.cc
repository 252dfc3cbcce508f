// What a job gets, and what is kept of it.
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "base/testing/sentences.h"
#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::lines_of;
using testing::Session;
using testing::wait_until;
using ym::testing::expect_sentence;

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(LocalJob, GetsACleanEnvironment) {
  ::setenv("YM_TEST_SECRET", "hidden", 1);
  TestHost host;
  Session session{host};
  auto spec = argv_job(host, {"env"});
  spec.env = {{"MINE", "1"}};
  session.launch(kToken, spec);
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  const auto env = session.log(kToken);
  EXPECT_EQ(env.find("YM_TEST_SECRET"), std::string::npos);
  EXPECT_EQ(env.find("SLURM_"), std::string::npos);
  EXPECT_NE(env.find("MINE=1\n"), std::string::npos);
  EXPECT_NE(env.find("YM_JOB_ID=" + to_string(kToken.job) + "\n"), std::string::npos);
  EXPECT_NE(env.find("CUDA_VISIBLE_DEVICES=\n"), std::string::npos);
  ::unsetenv("YM_TEST_SECRET");
}

TEST(LocalJob, GetsTheLimitOfOpenFilesThatItIsMeantToHave) {
  TestHost host;
  host.options.open_files = 321;
  Session session{host};
  session.launch(kToken, argv_job(host, {"sh", "-c", "ulimit -Sn; ulimit -Hn"}));
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  rlimit own{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &own), 0);
  const auto hard = own.rlim_max == RLIM_INFINITY ? "unlimited" : std::to_string(own.rlim_max);
  EXPECT_EQ(session.log(kToken), "321\n" + hard + "\n");
}

TEST(LocalJob, APreloadReachesTheJobOnly) {
  TestHost host;
  Session session{host};
  auto spec = argv_job(host, {"sh", "-c", "echo \"$LD_PRELOAD\"; while [ ! -e go ]; do sleep 0.02; done"});
  spec.env = {{"LD_PRELOAD", "/no/such/preload.so"}};
  session.launch(kToken, spec);
  session.wait_running(kToken);
  const auto supervisor = "/proc/" + std::to_string(host.claim(kToken)->supervisor.pid);
  EXPECT_EQ(content(supervisor + "/environ"), "");
  EXPECT_EQ(content(supervisor + "/maps").find("preload"), std::string::npos);
  std::ofstream(host.scratch() / "go").close();
  session.wait_end(kToken);
  EXPECT_NE(session.log(kToken).find("\n/no/such/preload.so\n"), std::string::npos) << session.log(kToken);
}

TEST(LocalJob, InheritsNothingButItsStreams) {
  TestHost host;
  Session session{host};
  session.launch(kToken, argv_job(host, {"sh", "-c",
                                         "ls /proc/$$/fd; umask; readlink /proc/$$/fd/0; "
                                         "exec grep -E 'SigBlk|SigIgn' /proc/self/status"}));
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  const auto mask = ::umask(0);
  ::umask(mask);
  std::ostringstream expected;
  expected << "0\n1\n2\n"
           << std::oct << std::setw(4) << std::setfill('0') << mask << "\n/dev/null\n"
           << "SigBlk:\t0000000000000000\n";
  const auto log = session.log(kToken);
  EXPECT_EQ(log.substr(0, expected.str().size()), expected.str());
  const auto ignored = std::stoull(log.substr(log.find("SigIgn:") + 7), nullptr, 16);
  EXPECT_EQ(ignored & 0x7fffffff, 0U) << "two that the C library keeps for itself aside, no signal is ignored";
}

TEST(LocalJob, AHundredThousandArgumentsArrive) {
  TestHost host;
  Session session{host};
  std::vector<std::string> words{"sh", "-c", "echo $#", "x"};
  words.resize(words.size() + 100'000, "abc");
  session.launch(kToken, argv_job(host, std::move(words)));
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  EXPECT_EQ(session.log(kToken), "100000\n");
}

TEST(LocalJob, MoreArgumentsThanTheSystemTakesAreAPermanentFailure) {
  TestHost host;
  Session session{host};
  session.launch(kToken, argv_job(host, {"sh", "-c", "true", std::string(std::size_t{4} << 20, 'x')}));
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_TRUE(exit.permanent);
  EXPECT_NE(exit.message.find("Argument list too long"), std::string::npos) << exit.message;
}

TEST(LocalJob, WindowsLineEndingsAreNamed) {
  TestHost host;
  std::ofstream(host.scratch() / "train.sh") << "#!/bin/sh\r\necho hello\r\n";
  ::chmod((host.scratch() / "train.sh").c_str(), 0755);
  Session session{host};
  session.launch(kToken, argv_job(host, {"./train.sh"}));
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_TRUE(exit.permanent);
  expect_sentence(exit.message);
  EXPECT_TRUE(session.log(kToken).contains(exit.message)) << session.log(kToken);
}

TEST(LocalJob, AFileThatMayNotBeExecutedIsAPermanentFailure) {
  TestHost host;
  std::ofstream(host.scratch() / "train.sh") << "#!/bin/sh\n";
  ::chmod((host.scratch() / "train.sh").c_str(), 0644);
  Session session{host};
  session.launch(kToken, argv_job(host, {"./train.sh"}));
  const auto exit = session.wait_end(kToken);
  expect_sentence(exit.message);
  EXPECT_TRUE(exit.permanent);
}

TEST(LocalJob, AProgramThatIsInNoFolderOfThePath) {
  TestHost host;
  Session session{host};
  session.launch(kToken, argv_job(host, {"no-such-program-anywhere"}));
  expect_sentence(session.wait_end(kToken).message);
}

TEST(LocalJob, ACommandBehindAShellKeepsItsGrace) {
  TestHost host;
  std::ofstream(host.scratch() / "train.sh")
      << "trap 'sleep 0.3; echo saved >> ledger; exit 7' TERM\ntouch ready\nwhile :; do sleep 0.02; done\n";
  Session session{host};
  session.launch(kToken, "sh train.sh; echo after >> ledger");
  wait_until("ready", [&] { return std::filesystem::exists(host.scratch() / "ready"); });
  session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = seconds(60)});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(lines_of(host.scratch() / "ledger"), std::vector<std::string>{"saved"});
  EXPECT_EQ(exit.by, EndedBy::preempted);
  EXPECT_EQ(exit.exit_code, 7);
  EXPECT_FALSE(exit.forced);
}

// 1 GiB in a campaign; less otherwise, to save time.
std::int64_t much_output() { return std::getenv("YM_CAMPAIGN") ? kGiB : kGiB / 16; }

TEST(LocalJob, OutputPastTheCapIsMarkedAndTheJobGoesOn) {
  TestHost host;
  host.options.log_cap = 64 << 10;
  Session session{host};
  session.launch(kToken, "head -c " + std::to_string(much_output()) + " /dev/zero && exit 3");
  EXPECT_EQ(session.wait_end(kToken).exit_code, 3);
  const std::string mark = "\n[yardmaster: output past 64 KiB is not kept]\n";
  EXPECT_EQ(session.log(kToken).substr(64 << 10), mark);
  EXPECT_EQ(std::filesystem::file_size(host.folder(kToken, 0) / kLogFile), (64U << 10) + mark.size());
}

TEST(LocalJob, OutputAfterTheLeaderIsKeptUntilTheEnd) {
  TestHost host;
  Session session{host};
  session.launch(kToken, "head -c 3000000 /dev/zero; echo last");
  session.wait_end(kToken);
  EXPECT_EQ(session.log(kToken).size(), 3000005U);
}

// A small file system of its own for the state directory.
class SmallDisk {
 public:
  explicit SmallDisk(const TestHost& host) : path_(host.state()) {
    mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=1m,mode=700") == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  std::filesystem::path path_;
  bool mounted_ = false;
};

TEST(LocalJob, AFullDiskNeitherEndsNorHidesAJob) {
  TestHost host;
  const SmallDisk disk{host};
  if (!disk.mounted()) GTEST_SKIP() << "no right to mount a small file system";
  {
    Session session{host};
    session.launch(kToken, "head -c 5000000 /dev/zero; exit 3");
    EXPECT_EQ(session.wait_end(kToken).exit_code, 3);
  }
  Session session{host, {kToken}};
  EXPECT_EQ(session.wait_end(kToken).exit_code, 3) << "the exit record is on the full disk, too";
}

TEST(LocalJob, ASupervisorIsSmall) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
#endif
  TestHost host;
  Session session{host};
  session.launch(kToken, "exec sleep 1000");
  session.wait_running(kToken);
  long rss_kib = 0;
  for (const auto& line : lines_of("/proc/" + std::to_string(host.claim(kToken)->supervisor.pid) + "/status"))
    if (line.starts_with("VmRSS:")) rss_kib = std::stol(line.substr(6));
  EXPECT_GT(rss_kib, 0);
  EXPECT_LE(rss_kib, 4096);
}

}  // namespace
}  // namespace ym::local
