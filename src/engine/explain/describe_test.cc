#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "base/testing/sentences.h"
#include "engine/reason.h"

namespace ym::engine {
namespace {

const Counted kGpus{.kind = ResourceKind::gpus}, kCpus{.kind = ResourceKind::cpus},
    kMemory{.kind = ResourceKind::memory};

Amount gpus(std::int64_t whole) { return {whole * kMilli, Unit::thousandths}; }
Amount gib(std::int64_t whole) { return {whole * kGiB, Unit::bytes}; }

void expect_reason(const Reason& reason, ReasonCode code, std::string_view blocker = {}) {
  EXPECT_EQ(reason.code(), code);
  ym::testing::expect_sentence(describe(reason, blocker));
}

template <std::size_t... I>
std::vector<Details> one_of_each(std::index_sequence<I...> /*all*/) {
  return {Details(std::in_place_index<I>)...};
}

TEST(Describe, SaysSomethingElseForEachKind) {
  std::set<std::string> sentences;
  for (const auto& details : one_of_each(std::make_index_sequence<std::variant_size_v<DetailsVariant>>())) {
    const std::string sentence = describe({details});
    EXPECT_GT(sentence.size(), 15U) << sentence;
    if (std::holds_alternative<TooManyExcluded>(details)) continue;  // without numbers it reads as if all were excluded
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
}

TEST(Describe, EachCodeHasAKind) {
  std::set<ReasonCode> codes;
  for (const auto& details : one_of_each(std::make_index_sequence<std::variant_size_v<DetailsVariant>>()))
    codes.insert(Reason{details}.code());
  EXPECT_EQ(codes.size(), count_of_values<ReasonCode>());
}

TEST(Describe, OfAStoredReasonOnlyTheCodeIsKnown) {
  expect_reason(reason_of(ReasonCode::held), ReasonCode::held);
  expect_reason(reason_of(ReasonCode::backoff), ReasonCode::backoff);
}

TEST(Describe, MaximumQuota) {
  expect_reason({MoreThanMaxQuota{.queue = "c", .flavor = "t4", .of = kGpus, .needed = gpus(16), .max = gpus(12)}},
                ReasonCode::exceeds_max_quota);
  expect_reason({MoreThanMaxQuota{.queue = "c", .flavor = "default", .of = kMemory, .needed = gib(64), .max = gib(32)}},
                ReasonCode::exceeds_max_quota);
  expect_reason({MoreThanMaxQuota{.queue = "c", .flavor = "t4", .of = kCpus, .needed = gpus(2), .max = gpus(1)}},
                ReasonCode::exceeds_max_quota);
}

TEST(Describe, NodesInServiceOneAndMany) {
  expect_reason({NodesInUse{.flavor = "t4", .place = {}, .needed = 2, .free = 1, .drained = 2}},
                ReasonCode::waiting_for_capacity);
  expect_reason({NodesInUse{.flavor = "t4", .place = {}, .needed = 2, .gpus_per_node = gpus(1)}},
                ReasonCode::waiting_for_capacity);
}

TEST(Describe, ScarceResource) {
  expect_reason({ResourceInUse{.flavor = "t4", .of = kGpus, .needed = gpus(4), .free = gpus(1)}},
                ReasonCode::waiting_for_capacity);
}

TEST(Describe, PartsAreTold) {
  expect_reason(
      {ResourceInUse{.flavor = {}, .of = kCpus, .needed = {600, Unit::thousandths}, .free = {500, Unit::thousandths}}},
      ReasonCode::waiting_for_capacity);
}

Reason quota_reason(std::int64_t used, std::int64_t nominal, std::int64_t available,
                    std::optional<std::int64_t> borrow) {
  return {QuotaInUse{.queue = "a",
                     .flavor = "t4",
                     .of = kGpus,
                     .needed = gpus(4),
                     .available = gpus(available),
                     .used = gpus(used),
                     .nominal = gpus(nominal),
                     .borrow = borrow ? std::optional(gpus(*borrow)) : std::nullopt}};
}

TEST(Describe, QuotaUsedUp) {
  expect_reason(quota_reason(5, 8, 3, {}), ReasonCode::waiting_for_quota);
  expect_reason(quota_reason(10, 8, 0, {}), ReasonCode::waiting_for_quota);
}

TEST(Describe, QuotaBorrowed) {
  expect_reason(quota_reason(12, 8, 0, 4), ReasonCode::waiting_for_quota);
  expect_reason(quota_reason(10, 8, 2, 4), ReasonCode::waiting_for_quota);
  expect_reason(quota_reason(13, 8, 0, 4), ReasonCode::waiting_for_quota);
  expect_reason(quota_reason(2, 0, 0, 2), ReasonCode::waiting_for_quota);
}

// `set` sets what keeps the lent quota.
template <class Set>
void expect_lent(Set set) {
  LentOut lent{.queue = "a", .to = "queue b", .fence = "lab", .flavor = "t4", .of = kGpus, .lent = gpus(4)};
  set(lent);
  Reason reason = quota_reason(8, 8, 0, {});
  reason.lent = lent;
  expect_reason(reason, ReasonCode::waiting_for_quota);
}

TEST(Describe, WhatIsLentIsNotGivenBack) {
  expect_lent([](LentOut& l) { l.reclaim_never = 2; });
  expect_lent([](LentOut& l) { l.fenced = 1; });
  expect_lent([](LentOut& l) { l.not_lower = 2; });
  expect_lent([](LentOut& l) {
    l.in_min_runtime = 2;
    l.min_runtime_until = Instant{};
    l.unreachable = 1;
  });
  expect_lent([](LentOut& l) { l.in_min_runtime = 1; });
  expect_lent([](LentOut& l) {
    l.stopped_often = 1;
    l.stopped_often_until = Instant{};
  });
  expect_lent([](LentOut& l) { l.not_first = 2; });
  expect_lent([](LentOut& l) { l.stopped_since = 1; });
  expect_lent([](LentOut& l) { l.stopping = 1, l.stoppable = 2; });
  expect_lent([](LentOut& l) { l.unpreemptible = 3, l.no_nodes = 1; });
}

TEST(Describe, NoNodeIsOfTheKind) {
  expect_reason({NoGpuType{.nodes = {}, .wanted = "h100", .offered = "a100, t4"}}, ReasonCode::exceeds_capacity);
  expect_reason({NoGpuType{.nodes = {}, .wanted = "h100", .offered = {}}}, ReasonCode::exceeds_capacity);
  expect_reason({NoLabel{.nodes = {}, .wanted = "rack=zz", .offered = "rack=r1, rack=r2"}},
                ReasonCode::exceeds_capacity);
  expect_reason({NoLabel{.nodes = {}, .wanted = "rack=zz", .offered = {}}}, ReasonCode::exceeds_capacity);
  expect_reason({NoneHasAll{.nodes = {}, .wanted = "type t4, label rack=r1"}}, ReasonCode::exceeds_capacity);
  expect_reason({AllExcluded{}}, ReasonCode::exceeds_capacity);
  expect_reason({NoGpuType{.nodes = {.flavor = {}, .queue = "a"}, .wanted = "h100", .offered = "t4"}},
                ReasonCode::exceeds_capacity);
  expect_reason({NoNodes{{.flavor = "t4", .queue = {}}}}, ReasonCode::exceeds_capacity);
}

TEST(Describe, NodesAreExcludedByTheJob) {
  expect_reason(
      {TooManyExcluded{.flavor = {}, .place = "rack", .parts = {}, .needed = 3, .possible = 1, .excluded = 2}},
      ReasonCode::exceeds_capacity);
  TooManyExcluded none{.flavor = "t4", .place = "rack", .parts = {}, .needed = 1, .possible = 0, .excluded = 1};
  expect_reason({none}, ReasonCode::exceeds_capacity);
  none.parts = "the anchor";
  expect_reason({none}, ReasonCode::exceeds_capacity);
}

TEST(Describe, PartsThatFindNoPlaceTogether) {
  expect_reason({PartsNeverTogether{.flavor = {},
                                    .place = {},
                                    .lacking = "group 2 (flavor t4)",
                                    .needed = 2,
                                    .nodes_needed = 1,
                                    .nodes_possible = 0}},
                ReasonCode::exceeds_capacity);
}

TEST(Describe, NodesTooSmall) {
  expect_reason({engine::NodesTooSmall{.flavor = {}, .rules = {}, .of = kGpus, .needed = gpus(1), .largest = gpus(0)}},
                ReasonCode::exceeds_capacity);
  expect_reason({engine::NodesTooSmall{
                    .flavor = "t4", .rules = "label rack=r1", .of = kMemory, .needed = gib(64), .largest = gib(32)}},
                ReasonCode::exceeds_capacity);
  expect_reason({NoNodeHasAllKinds{.flavor = {}, .gpus = gpus(8), .cpus = {}, .memory = gib(64)}},
                ReasonCode::exceeds_capacity);
}

TEST(Describe, Backoff) { expect_reason({TriedAgainLater{Instant{1'800'000'000'000}}}, ReasonCode::backoff); }

TEST(Describe, RoomIsBeingMade) {
  for (const std::int64_t stopping : {2, 1, 0})
    expect_reason({RoomIsMade{.stopping = stopping, .until = Instant{1'800'000'000'000}}},
                  ReasonCode::preemption_pending);
}

TEST(Describe, NamesTheJobThatGoesFirst) {
  expect_reason({BehindAgedJob{.flavor = "t4", .blocker = {33}}}, ReasonCode::priority);
  expect_reason({BehindHead{.queue = "a", .blocker = {33}}}, ReasonCode::priority, "large");
}

}  // namespace
}  // namespace ym::engine
