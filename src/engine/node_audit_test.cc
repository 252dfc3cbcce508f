#include "engine/node_audit.h"

#include <gtest/gtest.h>

#include "engine/testing/small_state.h"

namespace ym::engine {
namespace {

constexpr NodeNeed kWhole{.devices = 1};
constexpr NodeNeed kHalf{.devices = 1, .part = {.milli = 500, .memory = 0}};

// For each of the four devices of n1.
TEST(NodeAudit, ADeviceThatIsTakenWholeIsNotShared) {
  const State state = small_world();
  for (int device = 0; device < 4; ++device) {
    const std::uint64_t bit = std::uint64_t{1} << device;
    NodeAudit whole(state.impl().inventory);
    EXPECT_TRUE(whole.use(NodeIndex{0}, kWhole, bit));
    EXPECT_FALSE(whole.are_overdrawn(NodeIndex{0}, bit));
    EXPECT_TRUE(whole.keep(NodeIndex{0}, kHalf, bit)) << "of what is kept it is the first";
    EXPECT_TRUE(whole.are_overdrawn(NodeIndex{0}, bit)) << device;
    whole.leave(NodeIndex{0}, kWhole, bit);
    EXPECT_FALSE(whole.are_overdrawn(NodeIndex{0}, bit)) << "who had it will be gone";
  }
}

TEST(NodeAudit, SharesAddUpToOneDevice) {
  const State state = small_world();
  NodeAudit shared(state.impl().inventory);
  EXPECT_TRUE(shared.use(NodeIndex{0}, kHalf, 0b0010));
  EXPECT_TRUE(shared.use(NodeIndex{0}, kHalf, 0b0010));
  EXPECT_FALSE(shared.are_overdrawn(NodeIndex{0}, 0b1111));
  EXPECT_FALSE(shared.use(NodeIndex{0}, kHalf, 0b0010));
  EXPECT_TRUE(shared.are_overdrawn(NodeIndex{0}, 0b0010));
  EXPECT_FALSE(shared.are_overdrawn(NodeIndex{0}, 0b1101)) << "the others are nobody's";
}

}  // namespace
}  // namespace ym::engine
