// A progress message.
#include <algorithm>
#include <cmath>

#include "fuzz/must.h"
#include "spec/progress_report.h"
#include "spec/text/text_check.h"

namespace {

using ym::fuzz::must;

constexpr ym::Instant kNow{1'767'268'800'000};
constexpr std::int64_t kMaxStep = std::int64_t{1} << 53;

bool is_step(std::int64_t step) { return step >= 0 && step <= kMaxStep; }

void check(const ym::ProgressReport& report) {
  must(is_step(report.step.value_or(0)) && is_step(report.total_steps.value_or(0)), "steps are within bounds");
  must(report.metrics.size() <= ym::kMaxMetrics, "there are not too many metrics");
  for (const auto& [name, value] : report.metrics) {
    must(!name.empty() && name.size() <= ym::kMaxMetricName, "a metric has a short name");
    must(!ym::spec::has_control_characters(name) && std::isfinite(value), "a metric is a plain name and a number");
  }
  if (!report.checkpoint) return;
  const auto& [uri, step, durable_at, attempt] = *report.checkpoint;
  must(!uri.empty() && uri.size() <= ym::kMaxCheckpointUri, "a checkpoint is somewhere");
  must(!ym::spec::has_control_characters(uri), "its place is plain text");
  must(is_step(step) && durable_at <= kNow && durable_at.ms >= 0 && attempt == 0, "it is not from the future");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto report = ym::parse_progress_report(text, kNow)) {
    must(size <= ym::kMaxProgressBytes, "what is too long is refused");
    check(*report);
  } else {
    must(!report.error().message.empty(), "an error has a message");
    for (const auto& field : report.error().fields)
      must(field.pointer.empty() || field.pointer.front() == '/', "a pointer begins with /");
  }
  return 0;
}
