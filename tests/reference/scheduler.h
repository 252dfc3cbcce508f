// A scheduler that is obviously right, and slow: no indices, no caches, no increments.
//
// It shares only the model with the engine. Every question is answered from the tables by looking at everything; what a
// cycle takes is added to a list and counted anew.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/tables.h"
#include "reference/quota.h"
#include "reference/reservations.h"

namespace ym::reference {

struct Start {
  JobId job;
  std::string cluster, flavor;
  std::vector<TaskPlacement> placement;
  bool operator==(const Start&) const = default;
};

struct Cause {
  ReasonCode code = ReasonCode::pending_evaluation;
  std::string flavor;
  JobId blocker;
  bool operator==(const Cause&) const = default;
};

struct Wait {
  JobId job;
  std::vector<Cause> causes;  // dominant first
  bool operator==(const Wait&) const = default;
};

struct Outcome {
  std::vector<Start> starts;
  std::vector<Wait> waits;  // in the order of consideration
  std::vector<Reservation> reservations;
  std::optional<Instant> wake;
};

struct Settings {
  Duration age_cap;
  FairShare fair_share = FairShare::decayed;
  std::int64_t usage_kept = kUsageKept;
  Scoring scoring = Scoring::fgd;
};

Outcome schedule(const Tables& tables, const Settings& settings, Instant now);

}  // namespace ym::reference
