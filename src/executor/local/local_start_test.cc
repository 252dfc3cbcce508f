// Launches that the executor cannot carry out, and starts that take long.
#include <sys/mount.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "base/testing/sentences.h"
#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::count;
using testing::describe;
using testing::lines_of;
using testing::Session;
using testing::wait_until;
using ym::testing::expect_sentence;

// "mkdir 3f", in the hash of kToken's job.
std::string hash_of_job() { return hash_folder(kToken.job); }

TEST(LocalStart, WithoutASupervisorProgramNothingOfTheJobsWasTried) {
  TestHost host;
  const auto program = host.scratch() / "supervisor";
  std::filesystem::copy_file(host.options.supervisor, program);
  host.options.supervisor = program;
  Session session{host};
  std::filesystem::remove(program);
  session.launch(kToken, "echo ran >> ledger", 2);
  const auto refused = session.wait_refused(kToken);
  EXPECT_TRUE(refused.message.contains(program.string())) << refused.message;
  EXPECT_TRUE(refused.of_executor);
  EXPECT_FALSE(refused.permanent);
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
  // The final answer, also for a launch that comes again.
  session.launch(kToken, "echo ran >> ledger", 2);
  const Token last{JobId{2}, 1, 7};
  session.launch(last, "true");
  session.wait_refused(last);
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 0U) << describe(session.seen(kToken));
}

TEST(LocalStart, WithoutRoomForAFolderNothingOfTheJobsWasTried) {
  TestHost host;
  const auto path = host.state();
  // Room for attempts/, .id, .boots/, the mark of the epoch, its temporary file (a link counts here), and so for one
  // folder of three.
  if (::mount("tmpfs", path.c_str(), "tmpfs", 0, "nr_inodes=7,mode=700") != 0)
    GTEST_SKIP() << "no right to mount a small file system";
  {
    Session session{host};
    std::ofstream(path / "in the way").close();
    session.launch(kToken, "true");
    const auto refused = session.wait_refused(kToken);
    EXPECT_TRUE(refused.message.contains("No space left on device")) << refused.message;
    EXPECT_TRUE(refused.of_executor);
  }
  ::umount2(path.c_str(), MNT_DETACH);
}

TEST(LocalStart, ARequestThatCanNeverBeLaunchedIsTheJobsFault) {
  TestHost host;
  Session session{host};
  session.launch(kToken, JobSpec{.name = "x", .run = {Program::Form::argv, {}}, .workdir = host.scratch()});
  const auto refused = session.wait_refused(kToken);
  EXPECT_TRUE(refused.permanent);
  EXPECT_FALSE(refused.of_executor);
}

// A job with a working directory that blocks until the test releases it.
class HeldJob {
 public:
  explicit HeldJob(TestHost& host) : folder_(host.scratch() / "folder") {
    std::filesystem::create_directory(folder_);
    std::ofstream(folder_.string() + ".hold").close();
    host.options.supervisor = YM_HELD_SUPERVISOR;
  }
  ~HeldJob() { let_go(); }
  HeldJob(const HeldJob&) = delete;
  HeldJob& operator=(const HeldJob&) = delete;

  void launch(Session& session) {
    JobSpec spec{.name = "held", .run = {Program::Form::argv, {"sh", "-c", "echo ran >> ledger"}}, .workdir = folder_};
    session.launch(kToken, std::move(spec));
    wait_until("held", [&] { return std::filesystem::exists(folder_.string() + ".here"); });
  }
  void let_go() { std::filesystem::remove(folder_.string() + ".hold"); }
  bool ran() const { return !lines_of(folder_ / "ledger").empty(); }

 private:
  std::filesystem::path folder_;
};

TEST(LocalStart, AWayToUserCodeThatTakesLongIsGoneToItsEnd) {
  TestHost host;
  host.options.contact_timeout = seconds(1);
  HeldJob job{host};
  Session session{host};
  job.launch(session);
  // The supervisor gets two pings meanwhile, and answers.
  ::usleep(3'000'000);
  job.let_go();
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  EXPECT_EQ(count<ContactIsLost>(session.seen(kToken)), 0U);
  EXPECT_TRUE(job.ran());
}

TEST(LocalStart, AStopOnTheWayToUserCodeEndsIt) {
  TestHost host;
  HeldJob job{host};
  Session session{host};
  job.launch(session);
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = hours(1)});
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  expect_sentence(exit.message);
  EXPECT_FALSE(job.ran());
  EXPECT_EQ(count<TaskIsRunning>(session.seen(kToken)), 0U);
}

// The kernel may kill it because memory ran out.
TEST(LocalStart, ATaskThatIsKilledOnTheWayToUserCodeDidNotRun) {
  TestHost host;
  HeldJob job{host};
  Session session{host};
  job.launch(session);
  const auto supervisor = host.claim(kToken)->supervisor.pid;
  for (const auto& process : all_processes().value())
    if (process.parent == supervisor) ::kill(process.pid, SIGKILL);
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_FALSE(exit.permanent);
  expect_sentence(exit.message);
  EXPECT_EQ(count<TaskIsRunning>(session.seen(kToken)), 0U);
  EXPECT_FALSE(job.ran());
}

TEST(LocalStart, ATaskThatIsKilledAsSoonAsItRunsDidRun) {
  TestHost host;
  Session session{host};
  session.launch(kToken, "kill -9 $$");
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::signal);
  EXPECT_EQ(exit.signal, SIGKILL);
  EXPECT_EQ(count<TaskIsRunning>(session.seen(kToken)), 1U);
}

TEST(LocalStart, AWayToUserCodeThatNeverEndsIsAnInfrastructureFailure) {
  TestHost host;
  host.options.start_timeout = seconds(1);
  HeldJob job{host};
  Session session{host};
  job.launch(session);
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_FALSE(exit.permanent);
  EXPECT_TRUE(exit.message.contains((host.scratch() / "folder").string())) << exit.message;
  EXPECT_FALSE(job.ran());
}

// The executor's half of a stop, without a message to the supervisor: that has made its decision, and has forked.
TEST(LocalStart, AStopAfterTheDecisionIsSeenJustBeforeUserCode) {
  TestHost host;
  HeldJob job{host};
  Session session{host};
  job.launch(session);
  close_barrier(open_folder(AT_FDCWD, host.folder(kToken))->get(), StopCause::preemption);
  job.let_go();
  const auto exit = session.wait_end(kToken);
  expect_sentence(exit.message);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_FALSE(job.ran());
}

TEST(LocalStart, AStopThatIsKnownHoldsWhileTheDiskTakesNothing) {
  TestHost host;
  host.options.retry_pause = Duration{20};
  Session session{host};
  const auto in_the_way = host.state() / kAttemptsFolder / hash_of_job();
  std::ofstream(in_the_way).close();
  session.executor().stop(kToken, {.cause = StopCause::cancel, .grace = {}});
  session.launch(kToken, "echo ran >> ledger");
  const auto refused = session.wait_refused(kToken);
  expect_sentence(refused.message);
  std::filesystem::remove(in_the_way);
  session.wait(kToken, "refused for good", [](const auto& seen) { return count<LaunchRefused>(seen) == 2; });
  EXPECT_EQ(read_decision(open_folder(AT_FDCWD, host.folder(kToken))->get()).value(),
            release_because(StopCause::cancel));
  EXPECT_TRUE(lines_of(host.scratch() / "ledger").empty());
}

// It may have run for hours, and bind its port as often as it likes.
TEST(LocalStart, APortThatIsTakenIsAProgramsOwnAffairIfItHasNoLauncher) {
  TestHost host;
  Session session{host};
  JobSpec spec{.name = "x",
               .run = {Program::Form::shell, {"echo \"Address already in use: port $MASTER_PORT\"; exit 3"}},
               .workdir = host.scratch()};
  spec.resources.gpus = kMilli;
  auto request = session.request(kToken, spec);
  request.placement.front().devices = {"0"};
  session.launch(std::move(request));
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::exit) << session.log(kToken);
  EXPECT_EQ(exit.exit_code, 3);
  EXPECT_EQ(session.log(kToken).find("port \n"), std::string::npos) << "it was told of one";
}

TEST(LocalStart, APortThatIsTakenIsThisMachinesFault) {
  TestHost host;
  const auto bin = host.scratch() / "bin";
  std::filesystem::create_directory(bin);
  std::ofstream(bin / "python3") << "#!/bin/sh\necho \"The server socket has failed to bind to [::]:$MASTER_PORT "
                                    "(errno: 98 - Address already in use).\" >&2\nexit 1\n";
  ::chmod((bin / "python3").c_str(), 0755);
  Session session{host};
  JobSpec spec{.name = "x", .run = {Program::Form::argv, {"train.py"}}, .workdir = host.scratch()};
  spec.launcher = Launcher::torchrun;
  spec.env = {{"PATH", bin.string() + ":/usr/bin:/bin"}};
  session.launch(kToken, spec);
  const auto exit = session.wait_end(kToken);
  EXPECT_EQ(exit.by, EndedBy::start_failed);
  EXPECT_FALSE(exit.permanent);
  EXPECT_NE(exit.message.find(" for its rendezvous was taken by another program"), std::string::npos) << exit.message;
}

}  // namespace
}  // namespace ym::local
