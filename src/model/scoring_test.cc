#include "model/scoring.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

TEST(Scoring, EachHasAName) {
  for (const Scoring scoring : {Scoring::fgd, Scoring::best_fit, Scoring::pack, Scoring::spread})
    EXPECT_EQ(parse_scoring(to_string(scoring)), scoring);
  EXPECT_EQ(parse_scoring("best"), std::nullopt);
}

// Rows and recordings of earlier versions may have this name.
TEST(Scoring, TheFormerOneIsReadAsFgd) { EXPECT_EQ(parse_scoring("final-waste"), Scoring::fgd); }

}  // namespace
}  // namespace ym
