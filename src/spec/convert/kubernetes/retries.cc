// Retries: Kubernetes has them for pods, for their Job, and for the whole. A job file has one number.
#include <fmt/format.h>

#include <algorithm>

#include "spec/convert/kubernetes/kinds.h"

namespace ym::convert {

std::optional<std::int64_t> read_retries(const Field& field, Remarks& remarks) {
  constexpr std::int64_t kMost = 1000, kAny = 2'147'483'647;
  const auto count = spec::read_whole_number(field, 0, kAny);
  if (!count || *count <= kMost) return count;
  remarks.warn(field, fmt::format("exceeds the limit of a job file; {} is written", kMost));
  return kMost;
}

void take_retries(const std::vector<JobPods>& jobs, Draft& draft, Remarks& remarks) {
  const bool of_the_whole = draft.error_retries.has_value();
  for (const auto& pods : jobs) {
    if (!pods.retries) continue;
    if (!draft.error_retries) draft.error_retries = pods.retries;
    if (of_the_whole ? *pods.retries > 0 : pods.retries != draft.error_retries)
      remarks.warn(*pods.retries_at,
                   fmt::format("is left out; Yardmaster retries the whole job, and the job has retry: "
                               "{{error: {}}} already",
                               *draft.error_retries));
  }
}

void remark_on_restarts(const std::optional<Field>& policy, const Draft& draft, Remarks& remarks) {
  if (!policy || !says_something(*policy->value) || policy->value->text == "Never") return;
  const auto& text = policy->value->text;
  if (text == "ExitCode")
    remarks.warn(*policy, "is left out; retry.error applies to all errors of the program, whatever its exit code");
  else if (!draft.error_retries)
    remarks.warn(*policy, fmt::format("{} is left out; Yardmaster retries the whole job, and only if it has retry: "
                                      "{{error: 3}}",
                                      spec::quoted(text)));
  else
    remarks.note(*policy, fmt::format("{} is left out; Yardmaster retries the whole job, as retry.error says",
                                      spec::quoted(text)));
}

}  // namespace ym::convert
