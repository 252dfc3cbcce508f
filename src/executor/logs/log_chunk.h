// What a query asks for of a log that is a file, whoever keeps it.
//
// A job can reach its own log: it may put a pipe in its place, or a link to a file of somebody else's. So a log is
// opened without waiting, and only a plain file is read, never a link.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fd.h"
#include "executor/executor.h"

namespace ym {

// How far back the last lines are looked for. Of lines that begin before, the query gets what begins after; of one line
// that is longer than this, its last `max_bytes`.
inline constexpr std::uint64_t kMostLookedBack = std::uint64_t{64} << 20;

// Where the last lines of a text begin, which is looked through from its end on, block by block. A newline ends a line,
// and so does a carriage return alone; the last line counts with and without its end.
class LastLines {
 public:
  // Of `size` bytes.
  LastLines(std::uint64_t lines, std::uint64_t size) : wanted_(lines), size_(size), start_(size) {}

  // The block begins at `begin` and ends where the one before began, the first one at the end.
  void look_through(std::string_view block, std::uint64_t begin);
  bool found_all() const { return found_ == wanted_; }
  bool found_any() const { return found_ > 0; }
  std::uint64_t start() const { return start_; }  // of the lines that were found

 private:
  const std::uint64_t wanted_, size_;
  std::uint64_t start_, found_ = 0;
  char after_ = 0;  // the byte behind the one that is looked at
};

// `path` counts from `folder`, an open one or AT_FDCWD. Thread-safe.
// Errors: `not_found`; `conflict`: what is there is no plain file; `io`.
Result<Fd> open_log(int folder, const char* path);

// `ended`: nothing more is written; to be found out before the call. The file may grow meanwhile. Thread-safe.
// Errors: `io`; `unavailable` once the query's `stop` is requested.
Result<LogChunk> read_log_chunk(int file, const LogQuery& query, bool ended);

}  // namespace ym
