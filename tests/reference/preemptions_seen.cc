#include "reference/preemptions_seen.h"

#include <gtest/gtest.h>

#include <utility>

namespace ym::reference {

void Seen::judge(int worlds) const {
  EXPECT_LE(dropped, 1 + worlds / 2000);
  EXPECT_LE(lent_anew, 1 + worlds / 1000);
  EXPECT_LE(late, 1 + worlds / 500);
  // A job of a queue that has borrowed since may be preempted by a job that it was itself allowed to preempt.
  EXPECT_LE(back_and_forth, worlds / 5000);
}

void Seen::judge_enough(int worlds) const {
  EXPECT_EQ(rests, worlds);
  EXPECT_GE(grow, worlds / 1000);
  EXPECT_GE(go_on, worlds / 100);
  EXPECT_GE(only_shrink, worlds / 100);
  for (const auto& [what, times] : {std::pair("priority", priority),
                                    {"reclaim", reclaims},
                                    {"to borrow", borrows},
                                    {"several", several},
                                    {"gangs", gangs},
                                    {"releases", releases},
                                    {"into holds", into_nominations},
                                    {"wakes", wakes},
                                    {"the best for one alone", best},
                                    {"the best by reclaiming", best_reclaims},
                                    {"nothing for one alone", none},
                                    {"many in question", many},
                                    {"judged", judged}})
    EXPECT_GE(times, worlds / 60) << what;
}

}  // namespace ym::reference
