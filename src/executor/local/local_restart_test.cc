// What a server finds after the machine lost power.
#include "base/testing/sentences.h"
#include "executor/local/testing/machine.h"

namespace ym::local {
namespace {

namespace fs = std::filesystem;

using testing::Session;

class LocalRestart : public RestartTest {};

TEST_F(LocalRestart, WhatRanIsLost) {
  run(2);
  machine_.restart();
  Session session{host_, {kToken}};
  for (const auto& exit : session.wait_ended(kToken, 2)) {
    EXPECT_EQ(exit.by, EndedBy::lost);
    ym::testing::expect_sentence(exit.message);
  }
  expect_no_second_start(session);
  EXPECT_TRUE(session.executor().read_log({.attempt = kToken.key()})->complete);
}

TEST_F(LocalRestart, AClaimThatIsLostIsNotTakenAgain) {
  run();
  machine_.restart();
  for (const char* file : {kClaimFile, kStartedFile}) fs::remove(task() / file);
  fs::remove(host_.folder(kToken) / kDecisionFile);
  {
    Session session{host_, {kToken}};
    const auto exit = session.wait_end(kToken);
    EXPECT_EQ(exit.by, EndedBy::lost);
    ym::testing::expect_sentence(exit.message);
    EXPECT_TRUE(session.executor().read_log({.attempt = kToken.key()})->complete);
  }
  Session again{host_, {kToken}};
  EXPECT_EQ(again.wait_end(kToken).by, EndedBy::lost);
  expect_no_second_start(again);
}

TEST_F(LocalRestart, ALostFolderIsNoProofThatItNeverRan) {
  run();
  machine_.restart();
  fs::remove_all(host_.folder(kToken).parent_path());
  Session session{host_, {kToken}};
  wait_given_up(session);
  expect_no_second_start(session);
}

// A server that has just started repeats the stop at once.
TEST_F(LocalRestart, AStopDoesNotMakeItOneThatNeverRan) {
  run();
  machine_.restart();
  for (const bool with_folder : {true, false}) {
    if (with_folder) fs::remove(host_.folder(kToken) / kDecisionFile);
    else fs::remove_all(host_.folder(kToken).parent_path());
    Session session{host_, {kToken}};
    session.executor().stop(kToken, {.cause = StopCause::preemption, .grace = seconds(1)});
    if (with_folder) EXPECT_EQ(session.wait_end(kToken).by, EndedBy::lost);
    else wait_given_up(session);
    expect_no_second_start(session);
  }
}

TEST_F(LocalRestart, WhatWasReleasedAtTheBarrierNeverRan) {
  run();
  machine_.restart();
  fs::remove(task() / kClaimFile);
  fs::remove(host_.folder(kToken) / kDecisionFile);
  fs::create_symlink("1:release:cancel", host_.folder(kToken) / kDecisionFile);
  Session session{host_, {kToken}};
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::start_failed);
}

TEST_F(LocalRestart, ARecordedEndCountsWithoutItsClaim) {
  {
    Session session{host_};
    session.launch(kToken, "echo ran >> ledger; exit 4");
    session.wait_end(kToken);
  }
  machine_.restart();
  fs::remove(task() / kClaimFile);
  Session session{host_, {kToken}};
  EXPECT_EQ(session.wait_end(kToken).exit_code, 4);
  expect_no_second_start(session);
}

TEST_F(LocalRestart, ARecordedEndCountsUnderItsFirstName) {
  {
    Session session{host_};
    session.launch(kToken, "echo ran >> ledger; exit 4");
    session.wait_end(kToken);
  }
  machine_.restart();
  for (const bool with_claim : {true, false}) {
    fs::rename(task() / kExitFile, task() / kReserveFile);
    if (!with_claim) fs::remove(task() / kClaimFile);
    Session session{host_, {kToken}};
    EXPECT_EQ(session.wait_end(kToken).exit_code, 4);
    EXPECT_TRUE(session.executor().read_log({.attempt = kToken.key()})->complete);
  }
}

TEST_F(LocalRestart, ADamagedEndIsNone) {
  {
    Session session{host_};
    session.launch(kToken, "echo ran >> ledger; exit 4");
    session.wait_end(kToken);
  }
  machine_.restart();
  fs::resize_file(task() / kExitFile, fs::file_size(task() / kExitFile) + 5);
  Session session{host_, {kToken}};
  EXPECT_EQ(session.wait_end(kToken).by, EndedBy::lost);
  expect_no_second_start(session);
}

}  // namespace
}  // namespace ym::local
