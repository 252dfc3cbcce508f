#include "executor/slurm/client/command_runner.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <fstream>

#include <chrono>
#include <filesystem>
#include <thread>

namespace ym::slurm {
namespace {

Command shell(const std::string& line) { return {.argv = {"sh", "-c", line}, .env = {{"PATH", "/usr/bin:/bin"}}}; }

TEST(CommandRunner, GivesInputAndTakesOutputErrorsAndStatus) {
  auto command = shell("cat; echo oops >&2; exit 3");
  command.input = std::string(300'000, 'x');
  const auto end = run_command(command);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->status, 3);
  EXPECT_EQ(end->output, command.input);
  EXPECT_EQ(end->errors, "oops\n");
}

TEST(CommandRunner, TheEnvironmentIsWhatItWasGivenAndNothingElse) {
  const auto end = run_command({.argv = {"/usr/bin/env"}, .env = {{"A", "b c"}}});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->output, "A=b c\n");
}

TEST(CommandRunner, AProgramThatReadsNothingIsNoError) {
  auto command = shell("exit 0");
  command.input = std::string(1'000'000, 'x');
  const auto end = run_command(command);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(end->status, 0);
}

// With its children, which hold its output open.
TEST(CommandRunner, AProgramThatTakesTooLongIsKilledWithAllItStarted) {
  const auto file = std::filesystem::temp_directory_path() / ("ym-command-runner." + std::to_string(::getpid()));
  auto command = shell("sleep 1000 & echo $! > " + file.string() + "; wait");
  command.timeout = seconds(3);
  const auto end = run_command(command);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::unavailable);
  int pid = 0;
  std::ifstream(file) >> pid;
  std::filesystem::remove(file);
  ASSERT_GT(pid, 0);
  const auto lives = [&] {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string word, state;
    return static_cast<bool>(stat >> word >> word >> state) && state != "Z";
  };
  for (int i = 0; i < 1000 && lives(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(lives());
}

TEST(CommandRunner, AProgramThatWritesTooMuchIsKilled) {
  auto command = shell("yes");
  command.most_bytes = 100'000;
  const auto end = run_command(command);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::too_large);
}

TEST(CommandRunner, WhatIsNotThereIsNotStarted) {
  const auto end = run_command({.argv = {"/no/such"}});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::io);
}

TEST(CommandRunner, ASignalIsAStatus) {
  const auto end = run_command(shell("kill -9 $$"));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->status, 128 + SIGKILL);
}

}  // namespace
}  // namespace ym::slurm
