#include "engine/reason.h"

#include <gtest/gtest.h>

#include <boost/pfr/tuple_size.hpp>

#include "engine/reason_fields.h"

namespace ym::engine {
namespace {

template <class T>
constexpr bool lists_all = std::tuple_size_v<decltype(ReasonFields<T>::list)> == boost::pfr::tuple_size_v<T>;
template <class... Kinds>
constexpr bool all_list_all(const std::variant<Kinds...>* /*details*/) {
  return ((std::same_as<Kinds, OnlyCode> || lists_all<Kinds>) && ...);
}
// A field that is not listed would be in no answer and no text.
static_assert(all_list_all(static_cast<const DetailsVariant*>(nullptr)));
static_assert(lists_all<AskedNodes> && lists_all<LentOut>);

TEST(Reason, ItsNumbersHaveNamesAndUnits) {
  const QuotaInUse in_use{.queue = "a",
                          .flavor = "t4",
                          .of = {},
                          .needed = {4'000, Unit::thousandths},
                          .available = {},
                          .used = {},
                          .nominal = {},
                          .borrow = Amount{1, Unit::bytes}};
  EXPECT_EQ(numbers_of({in_use}), (std::vector<Number>{{"needed", 4'000, Unit::thousandths},
                                                       {"available", 0},
                                                       {"used", 0},
                                                       {"nominal", 0},
                                                       {"borrow", 1, Unit::bytes}}));
}

TEST(Reason, WhatIsNotThereIsNoNumber) {
  EXPECT_EQ(numbers_of({NodesInUse{.flavor = "t4", .place = "rack", .needed = 2, .free = 0}}),
            (std::vector<Number>{{"needed", 2}, {"free", 0}}));
  EXPECT_EQ(numbers_of({NodesClosed{.flavor = {}, .reservation = "r", .from = {3}, .until = {4}}}),
            (std::vector<Number>{{"from_ms", 3}, {"until_ms", 4}}));
}

TEST(Reason, TheNumbersOfWhatIsLentComeBehind) {
  Reason reason{NodesInUse{.flavor = {}, .place = {}, .needed = 2, .free = 0}};
  LentOut& lent = reason.lent.emplace();
  lent.lent = {4'000, Unit::thousandths};
  lent.lent_to_jobs = 3;
  lent.in_min_runtime = 1;
  lent.min_runtime_until = Instant{9};
  lent.no_nodes = 2;
  EXPECT_EQ(numbers_of(reason), (std::vector<Number>{{"needed", 2},
                                                     {"free", 0},
                                                     {"lent", 4'000, Unit::thousandths},
                                                     {"lent_to_jobs", 3},
                                                     {"in_min_runtime", 1},
                                                     {"min_runtime_until_ms", 9},
                                                     {"no_nodes", 2}}));
}

TEST(Reason, SaysWhatItIsAbout) {
  EXPECT_EQ(about({ResourceInUse{.flavor = {}, .of = {.as = Counted::As::share}}}), "gpu_share");
  EXPECT_EQ(about({ResourceInUse{.flavor = {}, .of = {.as = Counted::As::slices, .profile = "1g.5gb"}}}), "mig:1g.5gb");
  EXPECT_EQ(about({ResourceInUse{.flavor = {}, .of = {.kind = ResourceKind::memory}}}), "memory");
  EXPECT_EQ(about({QueueIsFaulty{.fault = QueueFault::loop, .queue = "a"}}), "loop");
  EXPECT_EQ(about({OverTheBudget{.unit = BudgetUnit::money}}), "money");
  EXPECT_EQ(about({NoAnchor{}}), "anchor");
  EXPECT_EQ(about({JobIsHeld{}}), "");
  EXPECT_EQ(text_in({NoNodes{{.flavor = "t4", .queue = "a"}}}, "queue"), "a");
  EXPECT_EQ(blocker_of({BehindHead{.queue = "a", .blocker = {7}}}), JobId{7});
  EXPECT_EQ(blocker_of({NotEvaluated{}}), JobId{});
}

}  // namespace
}  // namespace ym::engine
