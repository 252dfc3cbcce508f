#include "executor/local/attempt/layout.h"

#include <string_view>

#include "base/whole_number.h"
#include "executor/local/attempt/checksum.h"

namespace ym::local {

std::string hash_folder(JobId job) { return hex(checksum(to_string(job))).substr(14); }

std::string attempt_path(const AttemptKey& attempt) {
  return std::string(kAttemptsFolder) + "/" + hash_folder(attempt.job) + "/" + to_string(attempt.job) + "/" +
         std::to_string(attempt.number);
}

std::optional<AttemptKey> attempt_at(const std::string& path) {
  std::string_view rest = path;
  const auto take_last = [&rest] {
    const auto slash = rest.rfind('/');
    const auto part = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
    rest = rest.substr(0, slash == std::string_view::npos ? 0 : slash);
    return part;
  };
  const auto number = whole_number<std::int32_t>(take_last());
  const auto job = parse_job_id(take_last());
  if (!job || !number) return std::nullopt;
  const AttemptKey attempt{*job, *number};
  return path.ends_with("/" + attempt_path(attempt)) ? std::optional(attempt) : std::nullopt;
}

}  // namespace ym::local
