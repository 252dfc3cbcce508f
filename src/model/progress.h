// Progress: what user code says of itself, and what a stop would lose.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/time.h"

namespace ym {

// A save that a later attempt can start from.
struct Checkpoint {
  std::string uri;  // a path, file:..., s3://...
  std::int64_t step = 0;
  Instant durable_at;        // from then on it survives the job; as stored, by the server's clock
  std::int32_t attempt = 0;  // that made it
  bool operator==(const Checkpoint&) const = default;
};

// The newest that an attempt has reported, field by field.
struct Progress {
  std::optional<std::int64_t> step, total_steps;
  std::map<std::string, double> metrics;  // finite numbers, for people: nothing is decided by them
  bool completed = false;                 // what was to be done is done
  Instant at;                             // of the report
  bool operator==(const Progress&) const = default;
};

// One report, as it came in. What it does not speak of stays as it was.
struct ProgressReport {
  std::optional<std::int64_t> step, total_steps;
  std::map<std::string, double> metrics;
  std::optional<Checkpoint> checkpoint;
  bool completed = false;
  bool operator==(const ProgressReport&) const = default;
};

// What the report speaks of replaces what was known; a completion is never taken back.
void update(Progress& progress, const ProgressReport& report, Instant at);

}  // namespace ym
