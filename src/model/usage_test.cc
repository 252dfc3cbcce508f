#include "model/usage.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ym {
namespace {

constexpr Instant kUsageStart{1'800'000'000'000};
constexpr auto kGpus = ResourceKind::gpus;

ResourceVector gpus(std::int64_t count) {
  ResourceVector amounts;
  amounts[kGpus] = count * kMilli;
  return amounts;
}

UsageEntry entry(std::int64_t count, std::string user = "ann") {
  return {.queue = "a", .user = std::move(user), .flavor = "t4", .amounts = gpus(count)};
}

UsageRows rows_of(std::int64_t count) {
  UsageRows rows;
  enter(rows, entry(count), {});
  return rows;
}

double used(const UsageRows& rows, const std::string& name = "a/ann") {
  const auto it = rows.find(name);
  return it == rows.end() ? 0 : static_cast<double>(it->second.flavors.at(0).decayed[kGpus]) / 1e9;
}

TEST(Usage, TheDefaultIsAHalfLifeOfAWeek) { EXPECT_EQ(kUsageKept, kept_part(kUsageHalfLife)); }

TEST(Usage, HalfOfItIsLeftAfterTheHalfLife) {
  UsageRows rows;
  sample(rows, rows_of(8), kUsageStart, 0);
  EXPECT_EQ(used(rows), 8);
  for (int minute = 1; minute <= 60; ++minute) sample(rows, {}, kUsageStart + minutes(minute), kept_part(hours(1)));
  EXPECT_NEAR(used(rows), 4, 1e-6);
}

// Devices in use count, too: 8 GPUs for one half-life come to 4.
TEST(Usage, WhatIsInUseMakesUpTheRest) {
  UsageRows rows;
  for (int minute = 1; minute <= 60; ++minute)
    sample(rows, rows_of(8), kUsageStart + minutes(minute), kept_part(hours(1)));
  EXPECT_NEAR(used(rows), 4, 1e-6);
}

TEST(Usage, MissedSamplesAreMadeUpFor) {
  UsageRows each, at_once;
  const auto kept = kept_part(hours(6));
  sample(each, rows_of(8), kUsageStart, kept);
  sample(at_once, rows_of(8), kUsageStart, kept);
  for (int minute = 1; minute <= 500; ++minute) sample(each, rows_of(3), kUsageStart + minutes(minute), kept);
  sample(at_once, rows_of(3), kUsageStart + minutes(500), kept);
  EXPECT_NEAR(used(each), used(at_once), 1e-6);
}

TEST(Usage, AnAdmissionCountsOnceAsAMinute) {
  UsageRows rows;
  const auto kept = kWholePart / 4 * 3;
  enter(rows, entry(8), kUsageStart + seconds(20));
  EXPECT_EQ(rows.at("a/ann").sampled_at, kUsageStart);
  EXPECT_EQ(with_entries(rows.at("a/ann").flavors.at(0), kept), fine(gpus(2)));
  sample(rows, {}, kUsageStart + minutes(1), kept);
  EXPECT_EQ(used(rows), 2);
  sample(rows, {}, kUsageStart + minutes(2), kept);
  EXPECT_EQ(used(rows), 1.5);
}

TEST(Usage, AJobOfAMinuteCountsLessThanOneOfTwo) {
  UsageRows one, two;
  for (UsageRows* rows : {&one, &two}) enter(*rows, entry(8), kUsageStart);
  const auto kept = kept_part(hours(1));
  sample(one, {}, kUsageStart + minutes(1), kept);
  sample(two, rows_of(8), kUsageStart + minutes(1), kept);
  EXPECT_LT(used(one), used(two));
}

TEST(Usage, ASampleTakenTwiceChangesNothing) {
  UsageRows rows = rows_of(8);
  sample(rows, rows_of(8), kUsageStart, kUsageKept);
  const UsageRows before = rows;
  sample(rows, {}, kUsageStart, kUsageKept);
  sample(rows, {}, kUsageStart - minutes(5), kUsageKept);
  EXPECT_EQ(rows, before);
}

TEST(Usage, NextToNothingIsForgotten) {
  UsageRows rows;
  sample(rows, rows_of(8), kUsageStart, 0);
  std::int64_t minute = 0;
  for (; !rows.empty() && minute < 100; ++minute) sample(rows, {}, kUsageStart + minutes(minute + 1), kWholePart / 2);
  EXPECT_EQ(minute, 23) << "8 GPUs, halved 23 times, are less than a millionth of one";
}

TEST(Usage, UsersAndFlavorsAreKeptApart) {
  UsageRows rows;
  enter(rows, entry(8, "ann"), kUsageStart);
  enter(rows, entry(2, "bob"), kUsageStart);
  UsageEntry other = entry(4, "ann");
  other.flavor = "a100";
  enter(rows, other, kUsageStart);
  ASSERT_EQ(rows.size(), 2U);
  ASSERT_EQ(rows.at("a/ann").flavors.size(), 2U);
  EXPECT_EQ(rows.at("a/ann").flavors.at(0).flavor, "a100") << "by name";
  EXPECT_EQ(rows.at("a/ann").flavors.at(1).entered, gpus(8));
  EXPECT_EQ(rows.at("a/bob").flavors.at(0).entered, gpus(2));
}

TEST(Usage, LargeAmountsDoNotOverflow) {
  UsageRows running;
  UsageEntry whole = entry(160'000);
  whole.amounts[ResourceKind::memory] = std::int64_t{1} << 56;
  whole.amounts[ResourceKind::cpus] = 5'000'000 * kMilli;
  enter(running, whole, {});
  UsageRows rows;
  for (int minute = 0; minute < 100; ++minute) sample(rows, running, kUsageStart + minutes(minute), 0);
  EXPECT_EQ(rows.at("a/ann").flavors.at(0).decayed, fine(whole.amounts));
}

}  // namespace
}  // namespace ym
