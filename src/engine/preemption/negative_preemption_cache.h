// Negative cache: jobs for which no stops make room, so that none do for jobs that ask for more.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/quota/demand.h"
#include "engine/state/job_table.h"

namespace ym::engine {

// A job is covered by an earlier one if it is of the same queue, has the same rules for nodes and level, is no more
// urgent, arrived no later (stopped_since.h), asks for no less of the same kinds (with groups: for exactly the same),
// and has no other contested kinds. Then it may stop no other jobs and needs no less room. This holds until a job
// leaves. A caller that clears the cache then and searches again finds the jobs that it helped.
class NegativePreemptionCache {
 public:
  // The contested kinds: by flavor, in the order in which jobs of the queue try them.
  using Contested = std::vector<std::pair<Flavors, Kinds>>;

  static constexpr std::size_t kWheneverItArrives = ~std::size_t{0};
  // `stops_before`: PreemptibleJobs::stops_before() of its arrival; or kWheneverItArrives, if a job that arrives later
  // would find no more.
  void add(const JobRow& job, std::size_t stops_before, const Shape& shape, Contested contested);
  // Whether an entry covers the job (see above). `contested_for` returns the kinds that are contested for the job in
  // the flavors of an entry.
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
