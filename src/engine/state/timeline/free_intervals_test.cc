#include "engine/state/timeline/free_intervals.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

constexpr NodeNeed kOne{.devices = 1}, kTwo{.devices = 2};
constexpr FreeIntervals::Promises kPromises{3};
constexpr std::uint32_t kTouched = 7;

// Asks, and counts the looks at nodes.
struct Asking {
  FreeIntervals free_intervals;
  int looks = 0;
  Instant holds_until{1'000};

  std::span<const FreeInterval> ask(const NodeNeed& task, FreeIntervals::Promises promises, std::uint32_t touched) {
    FreeIntervals::OfTask& known = free_intervals.of(task);
    if (const auto found = known.find(promises, touched)) return *found;
    ++looks;
    return known.note(promises, touched,
                      {.free_intervals = {{.begin = looks, .end = looks + 1}}, .holds_until = holds_until});
  }
};

TEST(FreeIntervals, AreLookedForAgainOnceSomethingElseIsKnownOfTheNode) {
  Asking asking;
  EXPECT_EQ(asking.ask(kOne, kPromises, kTouched).front().begin, 1);
  EXPECT_EQ(asking.ask(kOne, kPromises, kTouched).front().begin, 1) << "nothing has changed";
  EXPECT_EQ(asking.ask(kTwo, kPromises, kTouched).front().begin, 2) << "another task";
  EXPECT_EQ(asking.ask(kOne, kPromises + 1, kTouched).front().begin, 3) << "other promises";
  EXPECT_EQ(asking.ask(kOne, kPromises + 1, kTouched + 1).front().begin, 4) << "something was taken";
  EXPECT_EQ(asking.ask(kOne, kPromises, kTouched).front().begin, 1) << "promised as before";
  EXPECT_EQ(asking.ask(kOne, kPromises + 1, kTouched + 1).size(), 1U);
}

TEST(FreeIntervals, OfManyPromisesOneTakesThePlaceOfAnother) {
  Asking asking;
  constexpr FreeIntervals::Promises kSamePlace = kPromises + (1U << 15U);
  asking.ask(kOne, kPromises, kTouched);
  EXPECT_EQ(asking.ask(kOne, kSamePlace, kTouched).front().begin, 2);
  EXPECT_EQ(asking.ask(kOne, kPromises, kTouched).front().begin, 3);
  constexpr FreeIntervals::Promises kEnd{1U << 19U};
  for (const auto one : IndexRange(FreeIntervals::Promises{1}, kEnd)) asking.ask(kOne, one, kTouched);
  const int before = asking.looks;
  EXPECT_EQ(asking.ask(kOne, kEnd - 1, kTouched).front().begin, before) << "the last is known";
  EXPECT_EQ(asking.ask(kOne, kPromises, kTouched).front().begin, before + 1) << "the first is not";
}

TEST(FreeIntervals, HoldForTheMinuteThatIsRunning) {
  Asking asking;
  const FreeIntervals::Basis basis{.machines = 1, .minute = 4};
  asking.free_intervals.follow(basis, Instant{100});
  asking.ask(kOne, kPromises, kTouched);
  asking.free_intervals.follow(basis, Instant{900});
  asking.ask(kOne, kPromises, kTouched);
  EXPECT_EQ(asking.looks, 1) << "the next cycle";
  asking.free_intervals.follow(basis, Instant{1'000});
  asking.holds_until = Instant{5'000};
  asking.ask(kOne, kPromises, kTouched);
  EXPECT_EQ(asking.looks, 2) << "time alone may have changed it";
  asking.free_intervals.follow(basis, Instant{999});
  asking.ask(kOne, kPromises, kTouched);
  EXPECT_EQ(asking.looks, 3) << "time went back";
  for (const FreeIntervals::Basis& other :
       {FreeIntervals::Basis{.machines = 1, .minute = 5}, FreeIntervals::Basis{.machines = 2, .minute = 5},
        FreeIntervals::Basis{.machines = 2, .rules = {.overdue_margin = seconds(1)}, .minute = 5}}) {
    const int before = asking.looks;
    asking.free_intervals.follow(other, Instant{1'100});
    asking.ask(kOne, kPromises, kTouched);
    EXPECT_EQ(asking.looks, before + 1);
  }
  FreeIntervals copy = asking.free_intervals;
  EXPECT_TRUE(copy.needs().empty()) << "a copy begins with none";
}

TEST(FreeIntervals, KnowPromisesByTheirContent) {
  FreeIntervals free_intervals;
  const auto one = free_intervals.need_index(kOne), two = free_intervals.need_index(kTwo);
  EXPECT_NE(one, two);
  EXPECT_EQ(free_intervals.need_index(kOne), one);
  const FreeIntervals::Promise early{.need = one, .from = 5, .until = 10}, late{.need = two, .from = 20};
  const auto first = free_intervals.with(NodeIndex{4}, kNone, early),
             both = free_intervals.with(NodeIndex{4}, first, late);
  EXPECT_NE(first, kNone);
  EXPECT_NE(both, first);
  EXPECT_NE(free_intervals.with(NodeIndex{4}, kNone, late), first);
  EXPECT_NE(free_intervals.with(NodeIndex{4}, first, {.need = two, .from = 21}), both);
  EXPECT_NE(free_intervals.with(NodeIndex{5}, kNone, early), first) << "of another node";
  EXPECT_EQ(free_intervals.with(NodeIndex{4}, kNone, early), first) << "the same again";
  EXPECT_EQ(free_intervals.with(NodeIndex{4}, first, late), both) << "the same beside the same";
}

}  // namespace
}  // namespace ym::engine
