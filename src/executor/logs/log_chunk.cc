#include "executor/logs/log_chunk.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ym {
namespace {

std::unexpected<Error> os_failure(std::string_view what) {
  return fail(ErrorCode::io, fmt::format("{} the log: {}", what, std::strerror(errno)));
}

Result<std::string> read_at(int file, std::uint64_t offset, std::size_t bytes) {
  std::string data(bytes, '\0');
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t n = ::pread(file, data.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return os_failure("read");
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  data.resize(done);
  return data;
}

// Where the last `lines` lines begin; a last one without its newline counts, too.
Result<std::uint64_t> start_of_last(int file, std::uint64_t size, std::uint64_t lines) {
  constexpr std::uint64_t kBlock = 65'536;
  std::uint64_t end = size, newlines = 0;
  while (end > 0) {
    const auto begin = end > kBlock ? end - kBlock : 0;
    const auto block = read_at(file, begin, end - begin);
    if (!block) return std::unexpected(block.error());
    for (auto i = block->size(); i-- > 0;) {
      const bool counts = (*block)[i] == '\n' && begin + i + 1 != size;
      if (counts && ++newlines == lines) return begin + i + 1;
    }
    end = begin;
  }
  return 0;
}

}  // namespace

Result<LogChunk> read_log_chunk(int file, const LogQuery& query, bool ended) {
  struct stat about{};
  if (::fstat(file, &about) != 0) return os_failure("look at");
  const auto size = static_cast<std::uint64_t>(about.st_size);
  LogChunk chunk{.offset = std::min(query.offset, size)};
  if (query.last_lines) {
    const auto start = *query.last_lines == 0 ? size : start_of_last(file, size, *query.last_lines);
    if (!start) return std::unexpected(start.error());
    chunk.offset = *start;
  }
  auto data = read_at(file, chunk.offset, std::min<std::uint64_t>(query.max_bytes, size - chunk.offset));
  if (!data) return std::unexpected(data.error());
  chunk.data = std::move(*data);
  chunk.complete = ended && chunk.offset + chunk.data.size() == size;
  return chunk;
}

}  // namespace ym
