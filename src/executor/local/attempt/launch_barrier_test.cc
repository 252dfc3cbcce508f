#include "executor/local/attempt/launch_barrier.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

Claim claim_of(std::int32_t task) {
  return {.token = {JobId{5}, 1, 2},
          .task = task,
          .nonce = new_nonce(),
          .supervisor = *identity_of(::getpid()),
          .cgroups = {"/a", "/b"}};
}

TEST(Barrier, TheFirstDecisionHolds) {
  const TestFolder folder;
  EXPECT_EQ(read_decision(folder.fd.get()).value(), std::nullopt);
  EXPECT_EQ(decide(folder.fd.get(), release_because(StopCause::preemption)).value(),
            release_because(StopCause::preemption));
  EXPECT_EQ(decide(folder.fd.get(), kGo).value(), release_because(StopCause::preemption));
  EXPECT_EQ(read_decision(folder.fd.get()).value(), release_because(StopCause::preemption));
}

TEST(Barrier, OneOfManyDeciders) {
  for (int round = 0; round < 50; ++round) {
    const TestFolder folder;
    std::atomic<int> gone = 0;
    std::vector<std::jthread> deciders;
    for (int i = 0; i < 4; ++i)
      deciders.emplace_back([&, i] {
        const auto held = decide(folder.fd.get(), i % 2 == 0 ? kGo : release_because(StopCause::cancel));
        if (held.value() == kGo) ++gone;
      });
    deciders.clear();
    EXPECT_TRUE(gone == 0 || gone == 4) << "some saw go and some release";
  }
}

TEST(Barrier, AStopBeforeTheDecisionIsTheDecision) {
  const TestFolder folder;
  close_barrier(folder.fd.get(), StopCause::cancel);
  EXPECT_EQ(decide(folder.fd.get(), kGo).value(), release_because(StopCause::cancel));
}

TEST(Barrier, AStopAfterGoIsLeftBesideIt) {
  const TestFolder folder;
  ASSERT_EQ(decide(folder.fd.get(), kGo).value(), kGo);
  EXPECT_EQ(late_stop(folder.fd.get()), std::nullopt);
  close_barrier(folder.fd.get(), StopCause::preemption);
  close_barrier(folder.fd.get(), StopCause::cancel);
  EXPECT_EQ(late_stop(folder.fd.get()), StopCause::preemption) << "the first one";
  EXPECT_EQ(read_decision(folder.fd.get()).value(), kGo);
}

TEST(Barrier, ALateStopThatCannotBeReadIsOne) {
  const TestFolder folder;
  std::ofstream(folder.path / kStopFile) << "?";
  EXPECT_NE(late_stop(folder.fd.get()), std::nullopt);
}

TEST(Barrier, WhatCannotBeReadDoesNotStart) {
  const TestFolder folder;
  std::ofstream(folder.path / kDecisionFile) << "1:go";
  EXPECT_EQ(read_decision(folder.fd.get()).value()->verdict, Decision::Verdict::release);
  std::filesystem::remove(folder.path / kDecisionFile);
  std::filesystem::create_symlink("2:go", folder.path / kDecisionFile);
  EXPECT_EQ(read_decision(folder.fd.get()).value()->verdict, Decision::Verdict::release);
}

TEST(Barrier, AClaimIsTakenOnce) {
  const TestFolder folder;
  const auto first = claim_of(0);
  EXPECT_TRUE(take_claim(folder.fd.get(), first).value());
  EXPECT_FALSE(take_claim(folder.fd.get(), claim_of(0)).value());
  const auto held = read_claim(folder.fd.get()).value();
  EXPECT_EQ(held.nonce, first.nonce);
  EXPECT_EQ(held.supervisor, first.supervisor);
  EXPECT_EQ(held.cgroups, first.cgroups);
  EXPECT_EQ(held.token, first.token);
}

TEST(Barrier, AGangIsClaimedWhenAllOfItIs) {
  const TestFolder folder;
  ClaimWatch watch{3};
  for (const int task : {2, 0, 1}) {
    EXPECT_FALSE(watch.all_claimed(folder.fd.get()));
    const auto task_folder = make_folder(folder.fd.get(), std::to_string(task));
    ASSERT_TRUE(take_claim(task_folder->get(), claim_of(task)).value());
  }
  EXPECT_TRUE(watch.all_claimed(folder.fd.get()));
}

TEST(Barrier, TheLockIsHeldByOne) {
  const TestFolder folder;
  auto first = try_lock_task(folder.fd.get());
  ASSERT_TRUE(first.has_value() && first->has_value());
  EXPECT_FALSE(try_lock_task(folder.fd.get())->has_value());
  first->reset();
  EXPECT_TRUE(try_lock_task(folder.fd.get())->has_value());
}

TEST(EndRecord, OnlyTheClaimantsCounts) {
  const TestFolder folder;
  const auto claim = claim_of(3);
  EXPECT_EQ(read_exit(folder.fd.get(), claim).error().code, ErrorCode::not_found);
  const TaskExit exit{.by = EndedBy::oom, .signal = 9, .message = "a\nb", .forced = true, .at = {77}};
  ASSERT_TRUE(write_exit(folder.fd.get(), claim, {.exit = exit, .log_bytes = 5, .log_dropped = 6}));
  const auto read = read_exit(folder.fd.get(), claim).value();
  EXPECT_EQ(read.exit, exit);
  EXPECT_EQ(read.log_dropped, 6);
  EXPECT_EQ(read_exit(folder.fd.get(), claim_of(3)).error().code, ErrorCode::corrupt);
  ASSERT_TRUE(write_started(folder.fd.get(), claim, claim.supervisor, {1234}));
  EXPECT_EQ(read_started(folder.fd.get(), claim), claim.supervisor);
  EXPECT_EQ(read_started(folder.fd.get(), claim_of(3)), std::nullopt);
  EXPECT_EQ(read_start_time(folder.fd.get(), claim), Instant{1234});
  EXPECT_EQ(read_start_time(folder.fd.get(), claim_of(3)), std::nullopt);
}

TEST(EndRecord, TheReserveBecomesIt) {
  const TestFolder folder;
  const auto claim = claim_of(3);
  std::ofstream(folder.path / kReserveFile) << std::string(100'000, 'x');
  const auto room = std::filesystem::path(folder.path / kReserveFile);
  struct stat before{}, after{};
  ASSERT_EQ(::stat(room.c_str(), &before), 0);
  ASSERT_TRUE(write_exit(folder.fd.get(), claim, {.exit = {.exit_code = 5}}));
  EXPECT_FALSE(std::filesystem::exists(room));
  ASSERT_EQ(::stat((folder.path / kExitFile).c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(read_exit(folder.fd.get(), claim)->exit.exit_code, 5);
}

TEST(EndRecord, WhateverStandsInPlaceOfTheReserve) {
  const auto claim = claim_of(3);
  const auto pipe = [](const TestFolder& folder) { ::mkfifo((folder.path / kReserveFile).c_str(), 0600); };
  const auto link = [](const TestFolder& folder) {
    std::ofstream(folder.path / "other") << "kept";
    std::filesystem::create_symlink("other", folder.path / kReserveFile);
  };
  const auto taken = [](const TestFolder& folder) { std::filesystem::create_directory(folder.path / kReserveFile); };
  for (const std::function<void(const TestFolder&)>& place :
       {std::function<void(const TestFolder&)>(pipe), {link}, {taken}}) {
    const TestFolder folder;
    place(folder);
    ASSERT_TRUE(write_exit(folder.fd.get(), claim, {.exit = {.exit_code = 5}}));
    EXPECT_EQ(read_exit(folder.fd.get(), claim)->exit.exit_code, 5);
    if (std::filesystem::exists(folder.path / "other")) EXPECT_EQ(*read_file(folder.fd.get(), "other", 100), "kept");
  }
}

// A reboot may have lost the claim, and the rename of the record.
TEST(EndRecord, TheLastOneSpeaksForItself) {
  const TestFolder folder;
  const auto claim = claim_of(3);
  const auto by_name = [&](std::int32_t task) { return read_last_exit(folder.fd.get(), claim.token, task); };
  EXPECT_EQ(by_name(3).error().code, ErrorCode::not_found);
  ASSERT_TRUE(write_exit(folder.fd.get(), claim, {.exit = {.exit_code = 5}}));
  EXPECT_EQ(by_name(3)->exit.exit_code, 5);
  EXPECT_EQ(by_name(2).error().code, ErrorCode::not_found);
  std::filesystem::rename(folder.path / kExitFile, folder.path / kReserveFile);
  EXPECT_EQ(by_name(3)->exit.exit_code, 5);
  EXPECT_EQ(by_name(2).error().code, ErrorCode::corrupt);
  std::ofstream(folder.path / kExitFile) << "half of";
  EXPECT_EQ(by_name(3)->exit.exit_code, 5);
  std::ofstream(folder.path / kReserveFile) << std::string(100, '\0');
  EXPECT_EQ(by_name(3).error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace ym::local
