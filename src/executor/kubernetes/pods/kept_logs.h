// KeptLogs: logs of tasks with a pod that is gone or about to go. One file each, until retention removes it. Readable
// by the server's user alone.
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
  // Empty `folder`: no log is kept. `most_bytes`: for each log.
  KeptLogs(std::filesystem::path folder, std::int64_t most_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  bool keeps() const { return !folder_.empty(); }
  // Saves the current log of the pod and replaces an earlier copy. Gives up after some seconds, without any change.
  // Errors: as save_pod_log().
  Result<void> save(ApiClient& client, const std::string& pod, const AttemptKey& attempt, std::int32_t task);
  // Errors: as read_saved_log().
  Result<LogChunk> read(const LogQuery& query) const;
  // Removes logs by attempt; the age of an attempt is that of its newest log. Live attempts stay. Returns the number of
  // removed attempts.
  std::size_t sweep(const RetentionRules& rules, const std::set<AttemptKey>& live, Instant now) const;

 private:
  using Log = std::pair<AttemptKey, std::int32_t>;
  class Turn;
  std::filesystem::path file_of(const AttemptKey& attempt, std::int32_t task) const;

  const std::filesystem::path folder_;
  const std::int64_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable written_;
  std::set<Log> writing_;  // under mutex_: the later of two saves of one log wins
};

}  // namespace ym::kubernetes
