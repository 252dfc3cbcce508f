// How often Kubernetes tries again: of its pods, of their Job, and of the whole. A job file has one number for all.
#include <fmt/format.h>

#include <algorithm>

#include "spec/convert/kinds.h"

namespace ym::convert {

std::optional<std::int64_t> read_retries(const Field& field, Remarks& remarks) {
  constexpr std::int64_t kMost = 1000, kAny = 2'147'483'647;
  const auto count = spec::read_whole_number(field, 0, kAny);
  if (!count || *count <= kMost) return count;
  remarks.warn(field, fmt::format("is more than a job file takes; {} is written", kMost));
  return kMost;
}

void take_retries(const std::vector<JobPods>& jobs, Draft& draft, Remarks& remarks) {
  const bool of_the_whole = draft.error_retries.has_value();
  for (const auto& pods : jobs) {
    if (!pods.retries) continue;
    if (!draft.error_retries) draft.error_retries = pods.retries;
    if (of_the_whole ? *pods.retries > 0 : pods.retries != draft.error_retries)
      remarks.warn(*pods.retries_at, fmt::format("is left out; a job is tried again as a whole, and has retry: "
                                                 "{{error: {}}} already",
                                                 *draft.error_retries));
  }
}

void remark_on_restarts(const std::optional<Field>& policy, const Draft& draft, Remarks& remarks) {
  if (!policy || !says_something(*policy->value) || policy->value->text == "Never") return;
  const auto& text = policy->value->text;
  if (text == "ExitCode")
    remarks.warn(*policy, "is left out; retry.error is for all errors of the program alike, whatever its exit code");
  else if (!draft.error_retries)
    remarks.warn(*policy, fmt::format("{} is left out; a job is tried again as a whole, and only if it says so: retry: "
                                      "{{error: 3}}",
                                      spec::quoted(text)));
  else
    remarks.note(*policy, fmt::format("{} is left out; a job is tried again as a whole, as often as retry.error says",
                                      spec::quoted(text)));
}

}  // namespace ym::convert
