// Reads the output of a task: through the API while its pod exists, after that from a file of this server.
//
// The API has no offsets, so a log is read from its start, and only the requested part is kept in memory. If the
// kubelet has rotated the log, the rest counts as its start.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "executor/executor.h"
#include "executor/kubernetes/api/api_client.h"

namespace ym::kubernetes {

// What is known about a log before it is read.
struct LogLength {
  bool final = false;                 // it contains all output
  std::optional<std::int64_t> bytes;  // total output of an ended task; the last part may be on its way
};
// Waits a little for output that is on its way. Errors: `not_found`: no pod, or it has not begun; otherwise those of
// the server.
Result<LogChunk> read_pod_log(ApiClient& client, const std::string& pod, const LogQuery& query,
                              const LogLength& length);
struct LogBounds {
  std::int64_t most_bytes = 0;
  Duration timeout;  // total
};
// Folders and files that it makes are for their owner alone. All or nothing: an existing file is replaced only by a log
// that was read to its end, or to `most_bytes`. Errors: as read_pod_log(); `unavailable`: it takes too long, or the
// server cannot read from the node, with `retryable` if the server itself cannot be reached; `io`.
Result<void> save_pod_log(ApiClient& client, const std::string& pod, const std::filesystem::path& file,
                          const LogBounds& bounds);
// Errors: `not_found`, `io`.
Result<LogChunk> read_saved_log(const std::filesystem::path& file, const LogQuery& query);

// Takes a log in pieces, and keeps the part that a query requests.
class LogCut {
 public:
  explicit LogCut(const LogQuery& query) : query_(query) {}
  // Whether it needs more.
  bool take(std::string_view piece);
  bool is_full() const { return cut_; }
  std::uint64_t seen() const { return seen_; }
  // `ended`: nothing follows the log.
  LogChunk result(bool ended) &&;

 private:
  void keep_lines();

  const LogQuery& query_;
  std::uint64_t seen_ = 0;  // bytes
  std::string kept_;
  bool cut_ = false;  // the query was full before the end of the log
};

}  // namespace ym::kubernetes
