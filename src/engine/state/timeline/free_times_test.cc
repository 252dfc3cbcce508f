#include "engine/state/timeline/free_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/random.h"

namespace ym::engine {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr Instant kForEver{std::numeric_limits<std::int64_t>::max()};

// Nodes with times at which they have room, and the same found by asking each of them.
class TimedSite {
 public:
  explicit TimedSite(std::uint64_t seed) : luck_(seed), free_at_(luck_.below(60) + 1) {
    for (const NodeIndex node : indices<NodeIndex>(free_at_.size())) {
      free_at_[node] = draw();
      if (luck_.below(5) != 0) free_times_.add(node, PoolIndex{node.value * 3 / free_at_.size()});
    }
  }

  // Something changes on some nodes, and time goes on.
  void live() {
    for (auto changes = luck_.below(luck_.below(4) == 0 ? 80 : 4); changes > 0; --changes) {
      const auto node = NodeIndex{luck_.below(free_at_.size())};
      if (luck_.below(3) != 0) free_at_[node] = draw();
      log_.add(node);
    }
    // So that the log does not reach back to the last look.
    if (luck_.below(20) == 0)
      for (std::size_t i = 0; i < (std::size_t{1} << 16) + 5; ++i) log_.add(NodeIndex{0});
    const std::int64_t steps[] = {0, 1, 500, kMinuteMs, 7 * kMinuteMs, 100 * kMinuteMs};
    now_ = now_ + Duration{steps[luck_.below(std::size(steps))]};
  }

  void check() {
    free_times_.renew({.touches = log_, .minute = now_.ms / kMinuteMs, .now = now_},
                      [&](NodeIndex node) { return look(node); });
    for (const FreeTimes::Node& one : free_times_.nodes())
      ASSERT_EQ(one.first, look(one.node).first) << "node " << one.node.value;
    std::vector<FreeTimes::Place> wanted;
    for (const FreeTimes::Place place : free_times_.nodes().indices()) wanted.push_back(place);
    std::ranges::sort(wanted, {}, [&](FreeTimes::Place place) {
      const FreeTimes::Node& one = free_times_.nodes()[place];
      return std::tuple(one.pool, one.first, place);
    });
    ASSERT_EQ(free_times_.by_first().raw(), wanted);
  }

 private:
  // Now, on some day, or never.
  Instant draw() {
    if (luck_.below(8) == 0) return kForEver;
    return now_ + Duration{luck_.below(4) == 0 ? 0 : static_cast<std::int64_t>(luck_.below(50 * kMinuteMs))};
  }
  FreeTimes::Seen look(NodeIndex node) const {
    const Instant free = free_at_[node];
    if (free == kForEver) return {.first = kNoMinute, .holds_until = kForEver};
    if (free <= now_) return {.first = 0, .holds_until = kForEver};
    const std::int64_t minutes = (free.ms + kMinuteMs - 1) / kMinuteMs - now_.ms / kMinuteMs;
    return {.first = static_cast<Minute>(minutes), .holds_until = free};
  }

  Random luck_;
  Instant now_{1'000'000'000};
  IndexedVector<NodeIndex, Instant> free_at_;
  FreeTimes free_times_;
  TouchLog log_;
};

TEST(FreeTimes, AreAsIfEachNodeWereAsked) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    TimedSite site(seed);
    for (int i = 0; i < 40 && !::testing::Test::HasFailure(); ++i) {
      site.live();
      site.check();
    }
  }
}

TEST(FreeTimes, KnowTheNodesOfAPool) {
  FreeTimes free_times;
  for (const int node : {4, 2, 7}) free_times.add(NodeIndex{node}, PoolIndex{0});
  free_times.add(NodeIndex{9}, PoolIndex{2});
  EXPECT_EQ(free_times.of_pool(PoolIndex{0}).size(), 3U);
  EXPECT_EQ(free_times.of_pool(PoolIndex{1}).size(), 0U);
  EXPECT_EQ(free_times.of_pool(PoolIndex{2}).begin, FreeTimes::Place{3});
  EXPECT_EQ(free_times.nodes_of(free_times.of_pool(PoolIndex{2})).front().node, NodeIndex{9});
  EXPECT_EQ(free_times.place_of(NodeIndex{7}), FreeTimes::Place{2});
  EXPECT_EQ(free_times.place_of(NodeIndex{3}), kNone);
  EXPECT_EQ(free_times.place_of(NodeIndex{100}), kNone);
}

}  // namespace
}  // namespace ym::engine
