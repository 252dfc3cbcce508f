// What a task wrote: by the API while its pod is there, from a file of ours after that.
//
// The API knows no offset, so a log is read from its start and what was asked for is cut out on the way: nothing of it
// is held but that. Where the kubelet has rotated the log away, what is left counts as its start.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "executor/executor.h"
#include "executor/kubernetes/api/api_client.h"

namespace ym::kubernetes {

// What is known of a log before it is read.
struct LogLength {
  bool final = false;                 // all that was written is in it
  std::optional<std::int64_t> bytes;  // that the task wrote, which has ended: the last of it may be on its way
};
// Waits a little for what is on its way. Errors: `not_found`: no pod, or it has not begun; else as the server says.
Result<LogChunk> read_pod_log(ApiClient& client, const std::string& pod, const LogQuery& query,
                              const LogLength& length);
struct LogBounds {
  std::int64_t most_bytes = 0;
  Duration patience;  // in all
};
// Folders and files that it makes are for their owner alone. All or nothing: a file that is there is replaced only by a
// log that was read to its end, or to `most_bytes`. Errors: as read_pod_log; `unavailable`: it takes too long, or the
// server cannot read from the node; `retryable`, too, if it is the server that is out of reach; `io`.
Result<void> save_pod_log(ApiClient& client, const std::string& pod, const std::filesystem::path& file,
                          const LogBounds& bounds);
// Errors: `not_found`, `io`.
Result<LogChunk> read_saved_log(const std::filesystem::path& file, const LogQuery& query);

// Takes a log piece by piece, and keeps what a query asks for.
class LogCut {
 public:
  explicit LogCut(const LogQuery& query) : query_(query) {}
  // Whether more is wanted.
  bool take(std::string_view piece);
  bool is_full() const { return cut_; }
  std::uint64_t seen() const { return seen_; }
  // `ended`: nothing comes after it.
  LogChunk result(bool ended) &&;

 private:
  void keep_lines();

  const LogQuery& query_;
  std::uint64_t seen_ = 0;  // bytes
  std::string kept_;
  bool cut_ = false;  // the query was full before the end
};

}  // namespace ym::kubernetes
