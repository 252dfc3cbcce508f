// What one cycle has found out of the jobs of a shape, and of the machines of a flavor for all that need the same of
// them.
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

// That no time from this one on is known at which there is room for whoever needs it for so long, or longer.
struct Endless {
  std::uint64_t epoch = 0;  // of the trial
  std::uint32_t round = 0;
  Minute length = 0, not_before = 0;
  Pass pass = 0;

  bool covers(const Endless& now) const {
    return epoch == now.epoch && round == now.round && now.length >= length && now.not_before >= not_before &&
           now.pass == pass;
  }
};

// What is known of the machines of a flavor, for all that need the same of them.
struct ShapeFlavorCache {
  Endless endless{};
};

// A flavor, or a mix of two, that the jobs of a shape may use.
struct Option {
  Flavors flavors;
  bool within_max = true;  // the quota could cover it if nobody else used anything
  // Of an aged job of the shape that keeps them from those behind it; one that stays longer could use no others.
  std::optional<Walltime> keeps_nodes{};
  // What was found when it was first asked (feasible, only_waits).
  mutable std::optional<bool> has_large{}, has_serving{};
  // What is missing of machines is made for it (has_prospect), or could be (could_be_provided).
  mutable std::optional<bool> is_made_in_time{}, could_be_made{};
};

// That a job of a shape did not fit.
struct Refusal {
  std::uint64_t epoch = 0;  // of the trial
  std::uint32_t round = 0;  // in which others held the reservations that it met
  bool whole = true;        // however short its tenure, and whatever others hold
  Walltime walltime{};      // else
  bool for_all = false;     // no job of the shape does while others hold that
};

// Of the jobs of a shape: none is in the way of fewer.
struct LeastOf {
  Duration stay{std::numeric_limits<std::int64_t>::max()};
  std::int32_t priority = std::numeric_limits<std::int32_t>::max();
  Instant submitted_at;
  JobId id;
  Instant aged_at{std::numeric_limits<std::int64_t>::max()};

  void add(const PendingEntry& entry) {
    stay = std::min(stay, entry.stay);
    priority = std::min(priority, entry.priority);
    submitted_at = std::max(submitted_at, entry.submitted_at);
    id = std::max(id, entry.id);
    aged_at = std::min(aged_at, entry.aged_at);
  }
};

// That quota, those aside who leave, stands in the way of all jobs of a shape in every option that suits.
struct ShortQuota {
  std::uint64_t epoch = 0;  // of the trial
  std::uint32_t round = 0;  // in which others claimed theirs
  bool operator==(const ShortQuota&) const = default;
};

// That the turns of all jobs of a shape that are still to have theirs change nothing: they are refused, are promised
// nothing and keep nothing from others.
struct Idle {
  std::uint64_t epoch = 0;  // of the trial
  std::uint32_t round = 0;
  bool ages = false;  // once they have waited for long enough they will

  bool holds(std::uint64_t now_epoch, std::uint32_t now_round) const {
    return epoch == now_epoch && round == now_round;
  }
};

// What holds for all jobs of a shape in this cycle.
struct ShapeCache {
  bool open = false;        // a job of it is considered
  LeastOf least{};          // of those that are considered
  EntryIndex last_entry{};  // of the jobs that are considered
  Refusal refused{};
  ShortQuota short_quota{};
  std::vector<Option> options{};             // in the order in which they are tried
  std::optional<bool> may_keep{};            // whether there is an option for which it can keep nodes or quota
  std::optional<bool> may_be_provisioned{};  // whether there is one for which nodes could be made
  Idle idle{};
};

}  // namespace ym::engine
