#include "executor/local/attempt/layout.h"

#include "executor/local/attempt/checksum.h"

namespace ym::local {

std::string hash_folder(JobId job) { return hex(checksum(to_string(job))).substr(14); }

std::string attempt_path(const AttemptKey& attempt) {
  return std::string(kAttemptsFolder) + "/" + hash_folder(attempt.job) + "/" + to_string(attempt.job) + "/" +
         std::to_string(attempt.number);
}

}  // namespace ym::local
