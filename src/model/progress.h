// Progress: what user code reports about itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/time.h"

namespace ym {

// A save from which a later attempt can start.
struct Checkpoint {
  std::string uri;  // a path, file:..., s3://...
  std::int64_t step = 0;
  Instant durable_at;        // from then on it survives the job; stored by the server's clock
  std::int32_t attempt = 0;  // the attempt that made it
  bool operator==(const Checkpoint&) const = default;
};

// The newest value of each field that an attempt has reported.
struct Progress {
  std::optional<std::int64_t> step, total_steps;
  std::map<std::string, double> metrics;  // finite numbers, for users: they decide nothing
  bool completed = false;                 // all work is done
  Instant at;                             // time of the report
  bool operator==(const Progress&) const = default;
};

// One report. A field without a value leaves the previous value unchanged.
struct ProgressReport {
  std::optional<std::int64_t> step, total_steps;
  std::map<std::string, double> metrics;
  std::optional<Checkpoint> checkpoint;
  bool completed = false;
  bool operator==(const ProgressReport&) const = default;
};

// Values of the report replace earlier ones. `completed` never becomes false again.
void update(Progress& progress, const ProgressReport& report, Instant at);

}  // namespace ym
