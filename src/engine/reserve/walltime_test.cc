#include "engine/reserve/walltime.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

Claims claims(std::int32_t priority, std::int64_t submitted_ms) {
  return {.queue = QueueIndex{0}, .priority = priority, .submitted_at = {submitted_ms}, .id = {1}};
}

TEST(MayStop, GoesByTheRule) {
  EXPECT_FALSE(may_stop(PreemptRule::never, claims(90, 1), claims(10, 2)));
  EXPECT_TRUE(may_stop(PreemptRule::lower_priority, claims(90, 1), claims(10, 2)));
  EXPECT_FALSE(may_stop(PreemptRule::lower_priority, claims(50, 1), claims(50, 2)));
  EXPECT_TRUE(may_stop(PreemptRule::any, claims(50, 1), claims(50, 2))) << "the newer one";
  EXPECT_FALSE(may_stop(PreemptRule::any, claims(50, 2), claims(50, 1)));
  EXPECT_FALSE(may_stop(PreemptRule::any, claims(10, 1), claims(90, 2)));
}

TEST(Walltime, OutlastsOnlyIfItIsInNoOtherJobsWay) {
  const Walltime hour{.until = {3'600'000}, .yields_by = {60'000}, .claims = claims(50, 5)};
  Walltime other = hour;
  EXPECT_TRUE(other.outlasts(hour, PreemptRule::any));
  other.until = {3'599'999};
  EXPECT_FALSE(other.outlasts(hour, PreemptRule::never)) << "it is gone earlier";
  other = hour;
  other.yields_by = {59'999};
  EXPECT_FALSE(other.outlasts(hour, PreemptRule::lower_priority)) << "it can be stopped earlier";
  EXPECT_TRUE(other.outlasts(hour, PreemptRule::never)) << "nobody may stop it";
  other = hour;
  other.claims.priority = 40;
  EXPECT_FALSE(other.outlasts(hour, PreemptRule::lower_priority)) << "more may stop it";
  other = hour;
  other.claims.submitted_at = {6};
  EXPECT_TRUE(other.outlasts(hour, PreemptRule::lower_priority));
  EXPECT_FALSE(other.outlasts(hour, PreemptRule::any)) << "those as urgent but older may stop it";
}

TEST(Walltime, TimeHasAnEnd) {
  EXPECT_EQ(after({5}, {7}), Instant{12});
  EXPECT_EQ(after(kNever, {1}), kNever);
}

}  // namespace
}  // namespace ym::engine
