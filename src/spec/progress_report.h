// What user code says of its progress: text in, a checked report out.
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

// One JSON object, every field optional; null is the same as left out:
//   step, total_steps  whole numbers, 0 to 2^53
//   metrics            {name: number}, or as Kubeflow writes it, [{name, value}], where the value
//                      may be the text of a number
//   checkpoint         {uri, step, durable_at, save_seconds}; `uri` must be there. Without `step`
//                      it is the report's (0 if that has none); without `durable_at`, or with one
//                      from the future, it is durable as of `now`. Its attempt is left for the
//                      caller.
//   completed          true or false
// All other keys are ignored, `progress`, `eta_seconds` and `save_seconds` too: a program that
// speaks a newer form of this, or another's, is not refused for what it says beside it.
// Errors: `invalid`, with a pointer to each wrong field; `too_large`.
Result<ProgressReport> parse_progress_report(std::string_view text, Instant now);

}  // namespace ym
