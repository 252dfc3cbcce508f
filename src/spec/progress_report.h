// Progress reports of user code: text in, a checked report out.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "model/progress.h"

namespace ym {

inline constexpr std::size_t kMaxProgressBytes = std::size_t{16} << 10;
inline constexpr std::size_t kMaxMetrics = 64;
inline constexpr std::size_t kMaxMetricName = 128;      // bytes
inline constexpr std::size_t kMaxCheckpointUri = 4096;  // bytes

// One JSON object. All fields are optional; null means that a field is left out:
//   step, total_steps  whole numbers, 0 to 2^53
//   metrics            {name: number}; or, as Kubeflow writes it, [{name, value}], where the value may be a number
//                      as text
//   checkpoint         {uri, step, durable_at, save_seconds}; `uri` is required. Default of `step`: the report's
//                      (0 if it has none). Default of `durable_at`: `now`, also if it is later than `now`. The
//                      caller sets the attempt.
//   completed          true or false
// Other keys are ignored, among them `progress`, `eta_seconds` and `save_seconds`: a report in a newer form or in the
// form of another program is accepted.
// Errors: `invalid`, with a pointer to each wrong field; `too_large`.
Result<ProgressReport> parse_progress_report(std::string_view text, Instant now);

}  // namespace ym
