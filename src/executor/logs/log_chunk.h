// Answers a log query from a file. All executors use it.
//
// A job can access its own log: it may replace it with a pipe, or with a link to another user's file. So the file is
// opened without blocking, and only a plain file is read, never a link.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fd.h"
#include "executor/executor.h"

namespace ym {

// How far back the last lines are searched. If the requested lines begin earlier, the query gets the lines that begin
// after this point; if one line is longer than this, its last `max_bytes`.
inline constexpr std::uint64_t kMostLookedBack = std::uint64_t{64} << 20;

// Finds where the last lines of a text begin. It reads the text from the end, block by block. A newline ends a line,
// and so does a single carriage return. The last line counts with or without an end.
class LastLines {
 public:
  // `size`: bytes of the text.
  LastLines(std::uint64_t lines, std::uint64_t size) : wanted_(lines), size_(size), start_(size) {}

  // The block begins at `begin` and ends where the previous one began; the first block ends at the end of the text.
  void look_through(std::string_view block, std::uint64_t begin);
  bool found_all() const { return found_ == wanted_; }
  bool found_any() const { return found_ > 0; }
  std::uint64_t start() const { return start_; }  // of the lines that were found

 private:
  const std::uint64_t wanted_, size_;
  std::uint64_t start_, found_ = 0;
  char after_ = 0;  // the byte after the current one
};

// `path` is relative to `folder`, an open folder or AT_FDCWD. Thread-safe. Errors: `not_found`; `conflict`: it is not a
// plain file; `io`.
Result<Fd> open_log(int folder, const char* path);

// `ended`: nothing more is written; find that out before the call. The file may grow meanwhile. Thread-safe. Errors:
// `io`; `unavailable` once the query's `stop` is requested.
Result<LogChunk> read_log_chunk(int file, const LogQuery& query, bool ended);

}  // namespace ym
