#include "control/state/contact_watch.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

constexpr AttemptKey kOne{JobId{1}, 1}, kOther{JobId{2}, 1};
constexpr Instant kStart{1'000'000};

Event at(Instant time, EventPayload payload) { return {.time = time, .payload = std::move(payload)}; }

TEST(ContactWatch, EachIsTakenForOverdueOnce) {
  ContactWatch watch;
  watch.follow(at(kStart, ContactLost{kOne}));
  watch.follow(at(kStart + minutes(1), ContactLost{kOther}));
  EXPECT_EQ(watch.next(), kStart + ContactWatch::kAlarm);
  EXPECT_FALSE(watch.overdue(kStart + minutes(4)));
  EXPECT_EQ(watch.overdue(kStart + minutes(5)), kOne);
  EXPECT_FALSE(watch.overdue(kStart + minutes(5)));
  EXPECT_EQ(watch.next(), kStart + minutes(6));
  EXPECT_EQ(watch.lost_since().at(kOne), kStart) << "it is still out of contact";
}

TEST(ContactWatch, ContactOrTheEndEndsIt) {
  ContactWatch watch;
  watch.follow(at(kStart, ContactLost{kOne}));
  watch.follow(at(kStart, ContactLost{kOther}));
  watch.follow(at(kStart, ContactRegained{kOne}));
  watch.follow(at(kStart, AttemptEnded{.attempt = kOther, .message = {}}));
  EXPECT_TRUE(watch.lost_since().empty());
  EXPECT_FALSE(watch.next());
}

TEST(ContactWatch, ARereadTakesOverWhatTheTablesSay) {
  Tables tables{.last_time = kStart + minutes(2)};
  for (const auto key : {kOne, kOther}) {
    tables.attempts.emplace(key, {.job = key.job, .number = key.number, .state = AttemptState::unknown});
  }
  ContactWatch watch;
  watch.follow(at(kStart, ContactLost{kOne}));
  watch.reset(tables);
  EXPECT_EQ(watch.lost_since().at(kOne), kStart) << "known better";
  EXPECT_EQ(watch.lost_since().at(kOther), kStart + minutes(2));
  tables.attempts.insert_or_assign(kOne, {.job = kOne.job, .number = kOne.number, .state = AttemptState::running});
  watch.reset(tables);
  EXPECT_EQ(watch.next(), kStart + minutes(7));
  EXPECT_FALSE(watch.lost_since().contains(kOne));
}

}  // namespace
}  // namespace ym
