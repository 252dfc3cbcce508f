// Queues: a tree. Leaves hold jobs; inner queues are cohorts, whose children lend
// to each other. Quota has Kueue's meaning, exactly.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/cluster.h"
#include "model/resources.h"

namespace ym {

// Of one flavor and resource kind. Absent limits mean: all that the cohort has
// (borrowing), all that is nominal (lending).
struct Quota {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing_limit;
  std::optional<std::int64_t> lending_limit;
  bool operator==(const Quota&) const = default;
};

// A kind that is absent is unlimited in that flavor.
using FlavorQuota = std::array<std::optional<Quota>, kResourceKinds>;

struct Queue {
  std::string name;    // unique in the whole tree
  std::string parent;  // empty at a root
  // By flavor name; a flavor that is absent cannot be used. A queue without any
  // quota (nullopt) takes its cohort's flavors with nothing nominal of its own; if
  // no queue above it has quota either, it is unlimited.
  std::optional<std::map<std::string, FlavorQuota>> quota;
  // A job that waits longer than this while capacity or quota blocks it is no
  // longer passed by those behind it. Nothing: the engine's default.
  std::optional<std::int64_t> age_cap_ms;
  bool accepts_jobs = true;  // false while the queue is removed but in use
  ManagedBy managed_by = ManagedBy::file;
  bool operator==(const Queue&) const = default;
};

inline constexpr std::string_view kDefaultQueue = "default";

}  // namespace ym
