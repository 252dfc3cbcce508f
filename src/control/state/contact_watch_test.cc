#include "control/state/contact_watch.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

constexpr AttemptKey kFirstAttempt{JobId{1}, 1}, kOtherAttempt{JobId{2}, 1};
constexpr Instant kContactBegin{1'000'000};

Event at(Instant time, EventPayload payload) { return {.time = time, .payload = std::move(payload)}; }

TEST(ContactWatch, EachIsTakenForOverdueOnce) {
  ContactWatch watch;
  watch.follow(at(kContactBegin, ContactLost{kFirstAttempt}));
  watch.follow(at(kContactBegin + minutes(1), ContactLost{kOtherAttempt}));
  EXPECT_EQ(watch.next(), kContactBegin + ContactWatch::kAlarm);
  EXPECT_FALSE(watch.overdue(kContactBegin + minutes(4)));
  EXPECT_EQ(watch.overdue(kContactBegin + minutes(5)), kFirstAttempt);
  EXPECT_FALSE(watch.overdue(kContactBegin + minutes(5)));
  EXPECT_EQ(watch.next(), kContactBegin + minutes(6));
  EXPECT_EQ(watch.lost_since().at(kFirstAttempt), kContactBegin) << "it is still out of contact";
}

TEST(ContactWatch, ContactOrTheEndEndsIt) {
  ContactWatch watch;
  watch.follow(at(kContactBegin, ContactLost{kFirstAttempt}));
  watch.follow(at(kContactBegin, ContactLost{kOtherAttempt}));
  watch.follow(at(kContactBegin, ContactRegained{kFirstAttempt}));
  watch.follow(at(kContactBegin, AttemptEnded{.attempt = kOtherAttempt, .message = {}}));
  EXPECT_TRUE(watch.lost_since().empty());
  EXPECT_FALSE(watch.next());
}

TEST(ContactWatch, ARereadTakesOverWhatTheTablesSay) {
  Tables tables{.last_time = kContactBegin + minutes(2)};
  for (const auto key : {kFirstAttempt, kOtherAttempt}) {
    tables.attempts.emplace(key, {.job = key.job, .number = key.number, .state = AttemptState::unknown});
  }
  ContactWatch watch;
  watch.follow(at(kContactBegin, ContactLost{kFirstAttempt}));
  watch.reset(tables);
  EXPECT_EQ(watch.lost_since().at(kFirstAttempt), kContactBegin) << "known better";
  EXPECT_EQ(watch.lost_since().at(kOtherAttempt), kContactBegin + minutes(2));
  tables.attempts.insert_or_assign(
      kFirstAttempt, {.job = kFirstAttempt.job, .number = kFirstAttempt.number, .state = AttemptState::running});
  watch.reset(tables);
  EXPECT_EQ(watch.next(), kContactBegin + minutes(7));
  EXPECT_FALSE(watch.lost_since().contains(kFirstAttempt));
}

}  // namespace
}  // namespace ym
