#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/reason.h"

namespace ym::engine {
namespace {

const Counted kGpus{.kind = ResourceKind::gpus}, kCpus{.kind = ResourceKind::cpus},
    kMemory{.kind = ResourceKind::memory};

Amount gpus(std::int64_t whole) { return {whole * kMilli, Unit::thousandths}; }
Amount gib(std::int64_t whole) { return {whole * kGiB, Unit::bytes}; }

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
  EXPECT_EQ(describe(reason_of(ReasonCode::held)), "the job is held until it is released");
  EXPECT_EQ(describe(reason_of(ReasonCode::backoff)), "Backoff: its numbers come with the next decision");
  EXPECT_EQ(reason_of(ReasonCode::backoff).code(), ReasonCode::backoff);
}

TEST(Describe, MaximumQuota) {
  EXPECT_EQ(
      describe({MoreThanMaxQuota{.queue = "c", .flavor = "t4", .of = kGpus, .needed = gpus(16), .max = gpus(12)}}),
      "queue c may use at most 12 t4 GPUs; the job needs 16");
  EXPECT_EQ(
      describe({MoreThanMaxQuota{.queue = "c", .flavor = "default", .of = kMemory, .needed = gib(64), .max = gib(32)}}),
      "queue c may use at most 32GiB of memory; the job needs 64GiB");
  EXPECT_EQ(describe({MoreThanMaxQuota{.queue = "c", .flavor = "t4", .of = kCpus, .needed = gpus(2), .max = gpus(1)}}),
            "queue c may use at most 1 t4 CPU; the job needs 2");
}

TEST(Describe, NodesInServiceOneAndMany) {
  EXPECT_EQ(describe({NodesInUse{.flavor = "t4", .place = {}, .needed = 2, .free = 1, .drained = 2}}),
            "the job needs 2 nodes; 1 has room now (2 nodes out of service)");
  EXPECT_EQ(describe({NodesInUse{.flavor = "t4", .place = {}, .needed = 2, .gpus_per_node = gpus(1)}}),
            "the job needs 2 nodes with 1 GPU each; 0 have room now");
}

TEST(Describe, ScarceResource) {
  EXPECT_EQ(describe({ResourceInUse{.flavor = "t4", .of = kGpus, .needed = gpus(4), .free = gpus(1)}}),
            "the job needs 4 t4 GPUs; 1 is free");
}

TEST(Describe, PartsAreTold) {
  EXPECT_EQ(describe({ResourceInUse{
                .flavor = {}, .of = kCpus, .needed = {600, Unit::thousandths}, .free = {500, Unit::thousandths}}}),
            "the job needs 0.6 CPUs; 0.5 are free");
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
  EXPECT_EQ(describe(quota_reason(5, 8, 3, {})), "queue a uses 5 of its 8 t4 GPUs; 3 available, the job needs 4");
  EXPECT_EQ(describe(quota_reason(10, 8, 0, {})), "queue a uses 10 t4 GPUs, more than its 8; the job needs 4");
}

TEST(Describe, QuotaBorrowed) {
  EXPECT_EQ(describe(quota_reason(12, 8, 0, 4)),
            "queue a uses 12 t4 GPUs: its 8 and 4 borrowed, the most it may; the job needs 4");
  EXPECT_EQ(describe(quota_reason(10, 8, 2, 4)),
            "queue a uses 10 t4 GPUs: its 8 and 2 borrowed; 2 more available; the job needs 4");
  EXPECT_EQ(describe(quota_reason(13, 8, 0, 4)),
            "queue a uses 13 t4 GPUs: its 8 and 5 borrowed, and may borrow only 4; the job needs 4");
  EXPECT_EQ(describe(quota_reason(2, 0, 0, 2)),
            "queue a uses 2 t4 GPUs: all borrowed, the most it may; the job needs 4");
}

// `set` sets what keeps the lent quota.
template <class Set>
std::string said_of_lent(Set set) {
  LentOut lent{.queue = "a", .to = "queue b", .fence = "lab", .flavor = "t4", .of = kGpus, .lent = gpus(4)};
  set(lent);
  Reason reason = quota_reason(8, 8, 0, {});
  reason.lent = lent;
  const std::string all = describe(reason);
  constexpr std::string_view kBefore =
      "queue a uses 8 of its 8 t4 GPUs; 0 available, the job needs 4; the job is within the nominal quota of queue "
      "a, "
      "but what is lent to queue b (4 t4 GPUs) is not given back: ";
  EXPECT_TRUE(all.starts_with(kBefore)) << all;
  return all.substr(std::min(all.size(), kBefore.size()));
}

TEST(Describe, WhatIsLentIsNotGivenBack) {
  EXPECT_EQ(said_of_lent([](LentOut& l) { l.reclaim_never = 2; }), "its own queue takes nothing back (reclaim: never)");
  EXPECT_EQ(said_of_lent([](LentOut& l) { l.fenced = 1; }), "1 job is on the other side of the fence of queue lab");
  EXPECT_EQ(said_of_lent([](LentOut& l) { l.not_lower = 2; }),
            "2 jobs are of no lower priority (reclaim: lower-priority)");
  EXPECT_EQ(said_of_lent([](LentOut& l) {
              l.in_min_runtime = 2;
              l.min_runtime_until = Instant{};
              l.unreachable = 1;
            }),
            "2 jobs are spared by a minimum run time, the first until 1970-01-01 00:00:00 UTC, 1 job cannot be "
            "reached");
  EXPECT_EQ(said_of_lent([](LentOut& l) { l.in_min_runtime = 1; }),
            "1 job is spared by a minimum run time, which has not begun");
  EXPECT_EQ(said_of_lent([](LentOut& l) {
              l.stopped_often = 1;
              l.stopped_often_until = Instant{};
            }),
            "1 job is spared by the limit of stops within an hour, until 1970-01-01 00:00:00 UTC");
  EXPECT_EQ(said_of_lent([](LentOut& l) { l.not_first = 2; }),
            "2 jobs may be stopped, but not before jobs that are protected for a time");
  EXPECT_EQ(said_of_lent([](LentOut& l) { l.stopped_since = 1; }),
            "1 job was stopped already since this one arrived, and may not be again");
  EXPECT_EQ(said_of_lent([](LentOut& l) { l.stopping = 1, l.stoppable = 2; }),
            "1 job is stopping already, 2 jobs may be stopped if what stops already is not enough");
  EXPECT_EQ(
      said_of_lent([](LentOut& l) { l.unpreemptible = 3, l.no_nodes = 1; }),
      "3 jobs may not be stopped (preemption.allow: false), 1 job may be stopped, but that frees no nodes for the job");
}

TEST(Describe, NoNodeIsOfTheKind) {
  EXPECT_EQ(describe({NoGpuType{.nodes = {}, .wanted = "h100", .offered = "a100, t4"}}),
            "no node has type h100; there are: a100, t4");
  EXPECT_EQ(describe({NoGpuType{.nodes = {}, .wanted = "h100", .offered = {}}}),
            "no node has type h100; none has GPUs of a known type");
  EXPECT_EQ(describe({NoLabel{.nodes = {}, .wanted = "rack=zz", .offered = "rack=r1, rack=r2"}}),
            "no node has label rack=zz; there are: rack=r1, rack=r2");
  EXPECT_EQ(describe({NoLabel{.nodes = {}, .wanted = "rack=zz", .offered = {}}}), "no node has label rack=zz");
  EXPECT_EQ(describe({NoneHasAll{.nodes = {}, .wanted = "type t4, label rack=r1"}}),
            "no node has all of this: type t4, label rack=r1");
  EXPECT_EQ(describe({AllExcluded{}}), "every node that the job could use is excluded by it (placement.exclude)");
  EXPECT_EQ(describe({NoGpuType{.nodes = {.flavor = {}, .queue = "a"}, .wanted = "h100", .offered = "t4"}}),
            "no node that queue a may use has type h100; there are: t4");
  EXPECT_EQ(describe({NoNodes{{.flavor = "t4", .queue = {}}}}), "there is no node of flavor t4");
}

TEST(Describe, NodesAreExcludedByTheJob) {
  EXPECT_EQ(describe({TooManyExcluded{
                .flavor = {}, .place = "rack", .parts = {}, .needed = 3, .possible = 1, .excluded = 2}}),
            "the job needs 3 nodes of one rack; 1 is large enough, and 2 that would be are excluded by it "
            "(placement.exclude)");
  TooManyExcluded none{.flavor = "t4", .place = "rack", .parts = {}, .needed = 1, .possible = 0, .excluded = 1};
  EXPECT_EQ(describe({none}), "every node of flavor t4 that the job could use is excluded by it (placement.exclude)");
  none.parts = "the anchor";
  EXPECT_EQ(describe({none}),
            "for the anchor the job needs 1 node of one rack; none is large enough, and 1 that would be is excluded by "
            "it (placement.exclude)");
}

TEST(Describe, PartsThatFindNoPlaceTogether) {
  EXPECT_EQ(describe({PartsNeverTogether{.flavor = {},
                                         .place = {},
                                         .lacking = "group 2 (flavor t4)",
                                         .needed = 2,
                                         .nodes_needed = 1,
                                         .nodes_possible = 0}}),
            "no cluster has nodes for all 2 parts of the job at once: of the 1 node for group 2 (flavor t4) the one "
            "that comes closest has 0, even when nothing runs");
}

TEST(Describe, NodesTooSmall) {
  EXPECT_EQ(
      describe({engine::NodesTooSmall{.flavor = {}, .rules = {}, .of = kGpus, .needed = gpus(1), .largest = gpus(0)}}),
      "the job needs 1 GPU a node; the largest node has 0");
  EXPECT_EQ(describe({engine::NodesTooSmall{
                .flavor = "t4", .rules = "label rack=r1", .of = kMemory, .needed = gib(64), .largest = gib(32)}}),
            "the job needs 64GiB of memory a node; the largest node of flavor t4 with label rack=r1 has 32GiB");
  EXPECT_EQ(describe({NoNodeHasAllKinds{.flavor = {}, .gpus = gpus(8), .cpus = {}, .memory = gib(64)}}),
            "no node has all that a task needs: 8 GPUs, 64GiB of memory");
}

TEST(Describe, Backoff) {
  EXPECT_EQ(describe({TriedAgainLater{Instant{1'800'000'000'000}}}),
            "the job is tried again from 2027-01-15 08:00:00 UTC on");
}

TEST(Describe, RoomIsBeingMade) {
  const auto said = [](std::int64_t stopping) {
    const auto text = describe({RoomIsMade{.stopping = stopping, .until = Instant{1'800'000'000'000}}});
    EXPECT_TRUE(text.ends_with("; the place is kept for it until 2027-01-15 08:00:00 UTC")) << text;
    return text.substr(0, text.find(';'));
  };
  EXPECT_EQ(said(2), "room is being made for the job: 2 jobs are still to leave it");
  EXPECT_EQ(said(1), "room is being made for the job: 1 job is still to leave it");
  EXPECT_EQ(said(0), "room is being made for the job: what is left of it becomes free");
}

TEST(Describe, WhoGoesFirst) {
  EXPECT_EQ(describe({BehindAgedJob{.flavor = "t4", .blocker = {33}}}),
            "job 00000011 goes first: it has waited for longer than its age cap and is not passed any more");
  EXPECT_EQ(describe({BehindHead{.queue = "a", .blocker = {33}}}, "large"),
            "job 00000011 (large) goes first: queue a is strict, so no job overtakes its first job");
}

}  // namespace
}  // namespace ym::engine
