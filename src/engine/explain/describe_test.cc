#include <gtest/gtest.h>

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
                      .numbers = {{"needed", 64LL << 30}, {"max", 32LL << 30}}}),
            "queue c may use at most 32GiB of memory; the job needs 64GiB");
  EXPECT_EQ(describe({.code = ReasonCode::exceeds_max_quota,
                      .resource = "cpus",
                      .flavor = "t4",
                      .queue = "c",
                      .numbers = {{"needed", 2}, {"max", 1}}}),
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

TEST(Describe, Backoff) {
  EXPECT_EQ(describe({.code = ReasonCode::backoff, .numbers = {{"until_ms", 1'800'000'000'000}}}),
            "the job is tried again from 2027-01-15T08:00:00.000Z on");
}

TEST(Describe, WhoGoesFirst) {
  EXPECT_EQ(describe({.code = ReasonCode::priority, .blocker = {33}}),
            "job 00000011 goes first: it has waited for longer than its age cap and is not passed any more");
}

}  // namespace
}  // namespace ym::engine
