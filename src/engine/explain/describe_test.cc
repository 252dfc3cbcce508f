#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/reason.h"

namespace ym::engine {
namespace {

TEST(Describe, SaysSomethingElseForEachCode) {
  std::set<std::string> sentences;
  for (int code = 0; code <= static_cast<int>(ReasonCode::pending_evaluation); ++code) {
    const std::string sentence = describe({.code = static_cast<ReasonCode>(code), .queue = "q"});
    EXPECT_GT(sentence.size(), 20U) << sentence;
    EXPECT_TRUE(sentences.insert(sentence).second) << sentence;
  }
}

TEST(Describe, MaximumQuota) {
  EXPECT_EQ(describe({.code = ReasonCode::exceeds_max_quota,
                      .resource = "gpus",
                      .flavor = "t4",
                      .queue = "c",
                      .numbers = {{"needed", 16}, {"max", 12}}}),
            "queue c may use at most 12 t4 GPUs; the job needs 16");
  EXPECT_EQ(describe({.code = ReasonCode::exceeds_max_quota,
                      .resource = "memory",
                      .flavor = "default",
                      .queue = "c",
                      .numbers = {{"needed", 64LL << 30, Unit::bytes}, {"max", 32LL << 30, Unit::bytes}}}),
            "queue c may use at most 32GiB of memory; the job needs 64GiB");
  EXPECT_EQ(describe({.code = ReasonCode::exceeds_max_quota,
                      .resource = "cpus",
                      .flavor = "t4",
                      .queue = "c",
                      .numbers = {{"needed", 2000, Unit::thousandths}, {"max", 1000, Unit::thousandths}}}),
            "queue c may use at most 1 t4 CPU; the job needs 2");
}

TEST(Describe, NodesInServiceOneAndMany) {
  Reason reason{.code = ReasonCode::waiting_for_capacity,
                .resource = "nodes",
                .flavor = "t4",
                .numbers = {{"needed", 2}, {"free", 1}, {"drained", 2}}};
  EXPECT_EQ(describe(reason), "the job needs 2 nodes; 1 has room now (2 nodes out of service)");
  reason.numbers = {{"needed", 2}, {"free", 0}, {"gpus_per_node", 1}};
  EXPECT_EQ(describe(reason), "the job needs 2 nodes with 1 GPU each; 0 have room now");
}

TEST(Describe, ScarceResource) {
  Reason reason{.code = ReasonCode::waiting_for_capacity,
                .resource = "gpus",
                .flavor = "t4",
                .numbers = {{"needed", 4}, {"free", 1}}};
  EXPECT_EQ(describe(reason), "the job needs 4 t4 GPUs; 1 is free");
}

TEST(Describe, PartsAreTold) {
  EXPECT_EQ(describe({.code = ReasonCode::waiting_for_capacity,
                      .resource = "cpus",
                      .numbers = {{"needed", 600, Unit::thousandths}, {"free", 500, Unit::thousandths}}}),
            "the job needs 0.6 CPUs; 0.5 are free");
}

Reason quota_reason(std::int64_t used, std::int64_t nominal, std::int64_t available,
                    std::optional<std::int64_t> borrow) {
  Reason reason{.code = ReasonCode::waiting_for_quota,
                .resource = "gpus",
                .flavor = "t4",
                .queue = "a",
                .numbers = {{"needed", 4}, {"available", available}, {"used", used}, {"nominal", nominal}}};
  if (borrow) reason.numbers.push_back({"borrow", *borrow});
  return reason;
}

TEST(Describe, QuotaUsedUp) {
  EXPECT_EQ(describe(quota_reason(5, 8, 3, {})), "queue a uses 5 of its 8 t4 GPUs; 3 can be had, the job needs 4");
  EXPECT_EQ(describe(quota_reason(10, 8, 0, {})), "queue a uses 10 t4 GPUs, more than its 8; the job needs 4");
}

TEST(Describe, QuotaBorrowed) {
  EXPECT_EQ(describe(quota_reason(12, 8, 0, 4)),
            "queue a uses 12 t4 GPUs: its 8 and 4 borrowed, the most it may; the job needs 4");
  EXPECT_EQ(describe(quota_reason(10, 8, 2, 4)),
            "queue a uses 10 t4 GPUs: its 8 and 2 borrowed; 2 more can be had; the job needs 4");
  EXPECT_EQ(describe(quota_reason(13, 8, 0, 4)),
            "queue a uses 13 t4 GPUs: its 8 and 5 borrowed, and may borrow only 4; the job needs 4");
  EXPECT_EQ(describe(quota_reason(2, 0, 0, 2)),
            "queue a uses 2 t4 GPUs: all borrowed, the most it may; the job needs 4");
}

std::string said_of_lent(std::vector<Number> numbers, LentOut lent = {.queue = "a", .to = "queue b", .fence = "lab"}) {
  Reason reason = quota_reason(8, 8, 0, {});
  lent.resource = "gpus";
  lent.flavor = "t4";
  reason.lent = lent;
  reason.numbers.push_back({"lent", 4});
  reason.numbers.insert(reason.numbers.end(), numbers.begin(), numbers.end());
  const std::string all = describe(reason);
  constexpr std::string_view kBefore =
      "queue a uses 8 of its 8 t4 GPUs; 0 can be had, the job needs 4; the job is within the nominal quota of queue a, "
      "but what is lent to queue b (4 t4 GPUs) is not given back: ";
  EXPECT_TRUE(all.starts_with(kBefore)) << all;
  return all.substr(std::min(all.size(), kBefore.size()));
}

TEST(Describe, WhatIsLentIsNotGivenBack) {
  EXPECT_EQ(said_of_lent({{"reclaim_never", 2}}), "its own queue takes nothing back (reclaim: never)");
  EXPECT_EQ(said_of_lent({{"fenced", 1}}), "1 job is on the other side of the fence of queue lab");
  EXPECT_EQ(said_of_lent({{"not_lower", 2}}), "2 jobs are of no lower priority (reclaim: lower-priority)");
  EXPECT_EQ(
      said_of_lent({{"in_min_runtime", 2}, {"min_runtime_until_ms", 0}, {"unreachable", 1}}),
      "2 jobs are spared by a minimum run time, the first until 1970-01-01T00:00:00.000Z, 1 job cannot be reached");
  EXPECT_EQ(said_of_lent({{"in_min_runtime", 1}}), "1 job is spared by a minimum run time, which has not begun");
  EXPECT_EQ(said_of_lent({{"stopped_often", 1}, {"stopped_often_until_ms", 0}}),
            "1 job is spared by the limit of stops within an hour, until 1970-01-01T00:00:00.000Z");
  EXPECT_EQ(said_of_lent({{"not_first", 2}}), "2 jobs may be stopped, but not before those that are spared for a time");
  EXPECT_EQ(said_of_lent({{"stopped_since", 1}}),
            "1 job was stopped already since this one arrived, and may not be again");
  EXPECT_EQ(said_of_lent({{"stopping", 1}, {"stoppable", 2}}),
            "1 job is stopping already, 2 jobs may be stopped if what stops already is not enough");
  EXPECT_EQ(
      said_of_lent({{"unpreemptible", 3}, {"no_nodes", 1}}),
      "3 jobs may not be stopped (preemption.allow: false), 1 job may be stopped, but that frees no nodes for the job");
}

Reason no_place(std::string resource, std::string wanted, std::string offered) {
  return {.code = ReasonCode::exceeds_capacity,
          .resource = std::move(resource),
          .wanted = std::move(wanted),
          .offered = std::move(offered)};
}

TEST(Describe, NoNodeIsOfTheKind) {
  EXPECT_EQ(describe(no_place("gpu_type", "h100", "a100, t4")), "no node has type h100; there are: a100, t4");
  EXPECT_EQ(describe(no_place("gpu_type", "h100", "")), "no node has type h100; none has GPUs of a known type");
  EXPECT_EQ(describe(no_place("label", "rack=zz", "rack=r1, rack=r2")),
            "no node has label rack=zz; there are: rack=r1, rack=r2");
  EXPECT_EQ(describe(no_place("label", "rack=zz", "")), "no node has label rack=zz");
  EXPECT_EQ(describe(no_place("rules", "type t4, label rack=r1", "")),
            "no node has all of this: type t4, label rack=r1");
  EXPECT_EQ(describe(no_place("exclude", "", "")),
            "every node that the job could use is excluded by it (placement.exclude)");
  Reason reason = no_place("gpu_type", "h100", "t4");
  reason.queue = "a";
  EXPECT_EQ(describe(reason), "no node that queue a may use has type h100; there are: t4");
  reason = no_place("flavor", "", "");
  reason.flavor = "t4";
  EXPECT_EQ(describe(reason), "there is no node of flavor t4");
}

TEST(Describe, NodesAreExcludedByTheJob) {
  Reason reason = no_place("exclude", "rack", "");
  reason.numbers = {{"needed", 3}, {"possible", 1}, {"excluded", 2}};
  EXPECT_EQ(describe(reason),
            "the job needs 3 nodes of one rack; 1 is large enough, and 2 that would be are excluded by it "
            "(placement.exclude)");
  reason.flavor = "t4";
  reason.numbers = {{"needed", 1}, {"possible", 0}, {"excluded", 1}};
  EXPECT_EQ(describe(reason), "every node of flavor t4 that the job could use is excluded by it (placement.exclude)");
  reason.offered = "the anchor";
  EXPECT_EQ(describe(reason),
            "for the anchor the job needs 1 node of one rack; none is large enough, and 1 that would be is excluded by "
            "it (placement.exclude)");
}

TEST(Describe, PartsThatFindNoPlaceTogether) {
  Reason reason = no_place("parts", "", "group 2 (flavor t4)");
  reason.numbers = {{"needed", 2}, {"nodes_needed", 1}, {"nodes_possible", 0}};
  EXPECT_EQ(
      describe(reason),
      "no cluster has nodes for all 2 parts of the job at once: of the 1 node for group 2 (flavor t4) the one that "
      "comes closest has 0, even when nothing runs");
}

TEST(Describe, NodesTooSmall) {
  Reason reason = no_place("gpus", "", "");
  reason.numbers = {{"needed", 1000, Unit::thousandths}, {"largest", 0, Unit::thousandths}};
  EXPECT_EQ(describe(reason), "the job needs 1 GPU a node; the largest node has 0");
  reason.resource = "memory";
  reason.flavor = "t4";
  reason.wanted = "label rack=r1";
  reason.numbers = {{"needed", 64LL << 30, Unit::bytes}, {"largest", 32LL << 30, Unit::bytes}};
  EXPECT_EQ(describe(reason),
            "the job needs 64GiB of memory a node; the largest node of flavor t4 with label rack=r1 has 32GiB");
  reason = no_place("together", "", "");
  reason.numbers = {{"gpus", 8000, Unit::thousandths}, {"memory", 64LL << 30, Unit::bytes}};
  EXPECT_EQ(describe(reason), "no node has all that a task needs: 8 GPUs, 64GiB of memory");
}

TEST(Describe, Backoff) {
  EXPECT_EQ(describe({.code = ReasonCode::backoff, .numbers = {{"until_ms", 1'800'000'000'000}}}),
            "the job is tried again from 2027-01-15T08:00:00.000Z on");
}

TEST(Describe, RoomIsBeingMade) {
  Reason reason{.code = ReasonCode::preemption_pending, .resource = "jobs"};
  reason.numbers = {{"stopping", 2}, {"until_ms", 1'800'000'000'000}};
  EXPECT_EQ(describe(reason),
            "room is being made for the job: 2 jobs are still to leave it; the place is kept for it until "
            "2027-01-15T08:00:00.000Z");
  reason.numbers[0].value = 1;
  EXPECT_EQ(describe(reason),
            "room is being made for the job: 1 job is still to leave it; the place is kept for it until "
            "2027-01-15T08:00:00.000Z");
  reason.numbers[0].value = 0;
  EXPECT_EQ(describe(reason),
            "room is being made for the job: what is left of it becomes free; the place is kept for it until "
            "2027-01-15T08:00:00.000Z");
}

TEST(Describe, WhoGoesFirst) {
  EXPECT_EQ(describe({.code = ReasonCode::priority, .blocker = {33}}),
            "job 00000011 goes first: it has waited for longer than its age cap and is not passed any more");
}

}  // namespace
}  // namespace ym::engine
