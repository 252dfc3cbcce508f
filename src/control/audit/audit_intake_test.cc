#include "control/audit/audit_intake.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

constexpr Instant kBegin{1'000'000};

AuditRecord read_of(std::string object, std::string actor = "ann") {
  return {.actor = std::move(actor), .request = {.verb = "jobs.get", .object = std::move(object)}};
}

TEST(AuditIntake, TheFirstIsThereAtOnceAndTheOthersAreCounted) {
  AuditIntake intake;
  EXPECT_TRUE(intake.note(read_of("job:1")));
  EXPECT_EQ(intake.take_due(kBegin), std::vector{read_of("job:1")});
  intake.stored();
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(intake.note(read_of("job:1")));
  EXPECT_TRUE(intake.take_due(kBegin + seconds(59)).empty());
  EXPECT_EQ(intake.next_due(), kBegin + AuditIntake::kCountedFor);
  auto counted = read_of("job:1");
  counted.request.count = 5;
  EXPECT_EQ(intake.take_due(kBegin + seconds(60)), std::vector{counted});
  intake.stored();
  EXPECT_EQ(intake.next_due(), std::nullopt);
  EXPECT_TRUE(intake.note(read_of("job:1"))) << "another minute";
}

TEST(AuditIntake, DifferentRecordsAreCountedApart) {
  AuditIntake intake;
  EXPECT_TRUE(intake.note(read_of("job:1")));
  EXPECT_TRUE(intake.note(read_of("job:2")));
  EXPECT_TRUE(intake.note(read_of("job:1", "bob")));
  auto elsewhere = read_of("job:1");
  elsewhere.request.source = "10.0.0.1";
  EXPECT_TRUE(intake.note(elsewhere));
  EXPECT_EQ(intake.take_due(kBegin).size(), 4u);
}

TEST(AuditIntake, WhatWasNotStoredComesAgain) {
  AuditIntake intake;
  intake.note(read_of("job:1"));
  EXPECT_EQ(intake.take_due(kBegin).size(), 1u);
  intake.note(read_of("job:2"));
  EXPECT_EQ(intake.take_due(kBegin), std::vector{read_of("job:2")});
  intake.lost();
  EXPECT_EQ(intake.take_due(kBegin), (std::vector{read_of("job:1"), read_of("job:2")}));
  intake.stored();
  EXPECT_TRUE(intake.take_due(kBegin).empty());
}

TEST(AuditIntake, AnActorWithManyDifferentRecordsLosesTheirObjectsAndOthersDoNot) {
  AuditIntake intake;
  const auto flood = static_cast<int>(AuditIntake::kMostOfOne) + 500;
  for (int i = 0; i < flood; ++i) intake.note(read_of("job:" + std::to_string(i)));
  intake.note(read_of("job:1", "bob"));
  const auto first = intake.take_due(kBegin);
  EXPECT_EQ(first.size(), AuditIntake::kMostOfOne + 2);
  EXPECT_EQ(first.back(), read_of("job:1", "bob"));
  intake.stored();
  const auto rest = intake.take_due(kBegin + AuditIntake::kCountedFor);
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].actor, "ann");
  EXPECT_EQ(rest[0].request.object, "");
  EXPECT_EQ(rest[0].request.count, 499);
  intake.stored();
  intake.note(read_of("job:7"));
  EXPECT_EQ(intake.take_due(kBegin + minutes(2)), std::vector{read_of("job:7")}) << "the next minute begins anew";
}

TEST(AuditIntake, AFloodFromManyAddressesIsCountedAsOne) {
  AuditIntake intake;
  const auto flood = static_cast<std::int64_t>(AuditIntake::kMostKinds) + 500;
  for (std::int64_t i = 0; i < flood; ++i) {
    auto one = read_of("POST /", "");
    one.request.source = std::to_string(i);
    intake.note(std::move(one));
  }
  EXPECT_EQ(intake.take_due(kBegin).size(), AuditIntake::kMostKinds + 1);
}

TEST(AuditIntake, AtTheEndWhatIsCountedIsTaken) {
  AuditIntake intake;
  for (int i = 0; i < 5; ++i) intake.note(read_of("job:1"));
  EXPECT_EQ(intake.take_due(kBegin).size(), 1u);
  intake.stored();
  const auto rest = intake.take_all();
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].request.count, 4);
}

}  // namespace
}  // namespace ym
