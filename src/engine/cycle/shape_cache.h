// What one cycle has found out about the jobs of a shape, and about the machines of a flavor for all jobs that need the
// same of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/reserve/calendar.h"
#include "engine/reserve/walltime.h"
#include "engine/state/flavors.h"
#include "engine/state/pending_entry.h"

namespace ym::engine {

// No time from `not_before` on is known at which there is room for `length` minutes or longer.
struct Endless {
  std::uint64_t epoch = 0;  // of the trial
  std::uint32_t round = 0;
  Minute length = 0, not_before = 0;
  Pass pass = kNoPass;

  bool covers(const Endless& now) const {
    return epoch == now.epoch && round == now.round && now.length >= length && now.not_before >= not_before &&
           now.pass == pass;
  }
};

// What is known of the machines of a flavor, for all jobs that need the same of them.
struct ShapeFlavorCache {
  Endless endless{};
};

// A flavor, or a mix of two, that the jobs of a shape may use.
struct Option {
  Flavors flavors;
  bool within_max = true;  // the quota could cover it if no other job used any
  // The walltime of an old job of the shape that keeps these nodes from the jobs behind it. A job with a longer
  // walltime could use no other nodes.
  std::optional<Walltime> keeps_nodes{};
  // Filled on the first call (feasible, only_waits).
  mutable std::optional<bool> has_large{}, has_serving{};
  // Missing machines are made in time (has_prospect), or could be made (could_be_provisioned).
  mutable std::optional<bool> is_made_in_time{}, could_be_made{};
};

// A job of a shape did not fit.
struct Refusal {
  std::uint64_t epoch = 0;  // of the trial
  std::uint32_t round = 0;  // of the reservations that it met
  bool whole = true;        // no walltime is short enough, and reservations do not matter
  Walltime walltime{};      // of that job, if not `whole`
  bool for_all = false;     // no job of the shape fits in this round
};

// The least demanding values among the jobs of a shape: no job of the shape is easier to place.
struct LeastOf {
  Duration occupancy{std::numeric_limits<std::int64_t>::max()};
  std::int32_t priority = std::numeric_limits<std::int32_t>::max();
  Instant submitted_at;
  JobId id;
  Instant aged_at{std::numeric_limits<std::int64_t>::max()};

  void add(const PendingEntry& entry) {
    occupancy = std::min(occupancy, entry.occupancy);
    priority = std::min(priority, entry.priority);
    submitted_at = std::max(submitted_at, entry.submitted_at);
    id = std::max(id, entry.id);
    aged_at = std::min(aged_at, entry.aged_at);
  }
};

// Quota stands in the way of all jobs of a shape in every option that suits, even when the leaving jobs are gone.
struct ShortQuota {
  std::uint64_t epoch = 0;  // of the trial
  std::uint32_t round = 0;  // of the claims
  bool operator==(const ShortQuota&) const = default;
};

// Trying the remaining jobs of a shape changes nothing: they are refused, get no reservation and block no backfill.
struct Idle {
  std::uint64_t epoch = 0;  // of the trial
  std::uint32_t round = 0;
  bool ages = false;  // they will block backfill once they are old

  bool holds(std::uint64_t now_epoch, std::uint32_t now_round) const {
    return epoch == now_epoch && round == now_round;
  }
};

// What holds for all jobs of a shape in this cycle.
struct ShapeCache {
  bool open = false;        // a job of it is considered
  LeastOf least{};          // of its jobs that are considered
  EntryIndex last_entry{};  // of the jobs that are considered
  Refusal refused{};
  ShortQuota short_quota{};
  std::vector<Option> options{};             // in the order in which they are tried
  std::optional<bool> may_keep{};            // whether there is an option for which it can keep nodes or quota
  std::optional<bool> may_be_provisioned{};  // whether there is one for which nodes could be made
  Idle idle{};
};

}  // namespace ym::engine
