// Jobs for which no room could be made, and so none for those who ask for more.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/quota/demand.h"
#include "engine/state/job_table.h"

namespace ym::engine {

// A job of the same queue, with the same rules for its nodes and their level, that is no more urgent, arrived no later
// (once.h), asks for no less of the same kinds (of groups: for the very same) and in which no other kinds are contested
// may stop no others and needs no less room. That holds until somebody leaves; whoever forgets them then and looks
// again finds those that it has helped.
class Hopeless {
 public:
  // What is contested: by flavor, in the order in which those of the queue try them.
  using Contested = std::vector<std::pair<Flavors, Kinds>>;

  static constexpr std::size_t kWheneverItArrives = ~std::size_t{0};
  // `stops_before`: Roster::stops_before() of its arrival; or one that arrives later would find no more.
  void add(const JobRow& job, std::size_t stops_before, const Shape& shape, Contested contested);
  // Whether one is that asks for no more of anything; nothing: none. What else it takes is that no
  // other kinds are contested for the job than for that one.
  template <class ContestedFor>
  bool covers(const JobRow& job, std::size_t stops_before, const Shape& shape, ContestedFor contested_for) const {
    const auto found = asks_.find(key_of(shape));
    if (found == asks_.end()) return false;
    for (const Ask& ask : found->second)
      if (stops_before <= ask.stops_before && covers(ask, job, shape) && covers(ask, contested_for)) return true;
    return false;
  }

 private:
  struct Ask {
    std::int32_t priority = 0, nodes = 0;
    std::size_t stops_before = 0;
    Instant submitted_at;
    JobId id;
    Task task;
    Contested contested;
  };
  static bool covers(const Ask& ask, const JobRow& job, const Shape& shape);
  template <class ContestedFor>
  static bool covers(const Ask& ask, ContestedFor contested_for) {
    for (const auto& [flavors, kinds] : ask.contested)
      if (!contested_for(flavors).are_among(kinds)) return false;
    return true;
  }

  using Key =
      std::tuple<QueueIndex, RuleIndex, LevelIndex, LevelIndex, std::uint32_t, std::int32_t, std::vector<Group>>;
  static Key key_of(const Shape& shape) {
    const Levels& levels = shape.levels;
    return {shape.queue, shape.rule, levels.required, levels.slice, levels.slice_nodes, shape.anchor, shape.groups};
  }

  std::map<Key, std::vector<Ask>> asks_;  // by queue, rule, required level, slices, anchor and groups
};

}  // namespace ym::engine
