// Plan: what one cycle of the engine decided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "engine/reason.h"
#include "model/job.h"

namespace ym::engine {

// Quota reserved and placement chosen, in one decision: a gang whole.
struct Admission {
  JobId job;
  std::string cluster;
  std::string flavor;
  std::vector<TaskPlacement> placement;  // by task
  bool operator==(const Admission&) const = default;
};

// The job does not run now. A plan carries one only when its code changed.
struct Deferral {
  JobId job;
  Reason reason;
  bool operator==(const Deferral&) const = default;
};

using Decision = std::variant<Admission, Deferral>;

// A waiting job as the cycle saw it, in the order in which jobs were considered.
struct Verdict {
  JobId job;
  std::uint32_t reason = 0;           // index into Plan::reasons; jobs of one shape share one
  std::vector<std::uint32_t> also{};  // further reasons that would hold it back too
};

struct Plan {
  std::uint64_t version = 0;        // last event the state had seen
  std::vector<Decision> decisions;  // admissions in the order they were taken
  // Every job that still waits, with its reason: what `why` reads.
  std::vector<Verdict> verdicts;
  std::vector<Reason> reasons;
  // When time alone may change the outcome (a backoff ends, an age cap is reached).
  std::optional<Instant> next_wake;
};

// Canonical text of all decisions, reasons and verdicts: equal plans have equal bytes.
std::string to_text(const Plan& plan);

}  // namespace ym::engine
