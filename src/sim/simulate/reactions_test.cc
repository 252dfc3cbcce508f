#include "sim/simulate/reactions.h"

#include <gtest/gtest.h>

namespace ym::sim {
namespace {

Instant at(std::int64_t minute) { return Instant{} + minutes(minute); }

JobRecord ended(const std::string& id, std::int64_t minute) {
  JobRecord record{.trace_id = id};
  record.ended_at = at(minute);
  return record;
}

// B follows A, and C follows B. D is another user's. E comes hours later.
const std::vector<Reactions::Recorded> kHistory{{"A", "ann", at(0), at(30)},
                                                {"B", "ann", at(32), at(60)},
                                                {"D", "bob", at(33), at(34)},
                                                {"C", "ann", at(65), at(70)},
                                                {"E", "ann", at(300), at(301)}};

TEST(Reactions, AreSubmissionsSoonAfterAnEndOfTheSameUser) { EXPECT_EQ(Reactions(kHistory).all(), 2); }

TEST(Reactions, MoveWithWhatSetThemOff) {
  Reactions reactions(kHistory);
  reactions.add(ended("A", 35));   // hardly later
  reactions.add(ended("B", 120));  // an hour later: C would have come then
  reactions.add(ended("E", 900));  // no user waited for it
  EXPECT_EQ(reactions.moved(), 1);
}

TEST(Reactions, WhatNeverEndsMovesThemToo) {
  Reactions reactions(kHistory);
  reactions.add(ended("A", 30));
  EXPECT_EQ(reactions.moved(), 1);
}

}  // namespace
}  // namespace ym::sim
