// KeptLogs: what tasks wrote whose pods are gone, or about to go; a file each, until retention removes it.
// For the server's user alone.
//
// Threads: any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "executor/executor.h"
#include "executor/kubernetes/api/api_client.h"
#include "executor/logs/retention.h"

namespace ym::kubernetes {

class KeptLogs {
 public:
  // `folder` empty: nothing is kept. `most_bytes`: of each log.
  KeptLogs(std::filesystem::path folder, std::int64_t most_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  bool keeps() const { return !folder_.empty(); }
  // What the pod's log holds now, in place of what was kept before. Gives up after some seconds, and then nothing
  // changes. Errors: as save_pod_log.
  Result<void> save(ApiClient& client, const std::string& pod, const AttemptKey& attempt, std::int32_t task);
  // Errors: as read_saved_log.
  Result<LogChunk> read(const LogQuery& query) const;
  // By attempts, each as old as what was kept of it last; those that are live stay. Returns how many went.
  std::size_t sweep(const RetentionRules& rules, const std::set<AttemptKey>& live, Instant now) const;

 private:
  using Log = std::pair<AttemptKey, std::int32_t>;
  class Turn;
  std::filesystem::path file_of(const AttemptKey& attempt, std::int32_t task) const;

  const std::filesystem::path folder_;
  const std::int64_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable written_;
  std::set<Log> writing_;  // under mutex_: of two looks at one log the later shall be kept
};

}  // namespace ym::kubernetes
