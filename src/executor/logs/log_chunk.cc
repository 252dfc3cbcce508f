#include "executor/logs/log_chunk.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/plain_file.h"

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

Result<std::uint64_t> start_of_last(int file, std::uint64_t size, const LogQuery& query) {
  constexpr std::uint64_t kBlock = 65'536;
  const auto bound = size - std::min(size, kMostLookedBack);
  LastLines last(*query.last_lines, size);
  for (std::uint64_t end = size; end > bound && !last.found_all();) {
    if (query.stop.stop_requested()) return fail(ErrorCode::unavailable, "the caller no longer waits for the log");
    const auto begin = end - std::min(end - bound, kBlock);
    const auto block = read_at(file, begin, end - begin);
    if (!block) return std::unexpected(block.error());
    last.look_through(*block, begin);
    end = begin;
  }
  if (last.found_all()) return last.start();
  if (bound == 0) return 0;
  return last.found_any() ? last.start() : size - std::min<std::uint64_t>(size, query.max_bytes);
}

std::unexpected<Error> no_plain_file(const char* path) {
  return fail(ErrorCode::conflict,
              fmt::format("{} is not a plain file any more: something has put a link, a folder or a pipe in its place; "
                          "its output cannot be read",
                          path));
}

}  // namespace

void LastLines::look_through(std::string_view block, std::uint64_t begin) {
  for (auto i = block.size(); i-- > 0 && !found_all();) {
    const bool is_end = block[i] == '\n' || (block[i] == '\r' && after_ != '\n');
    const auto next = begin + i + 1;
    const bool is_last = next == size_ || (next + 1 == size_ && block[i] == '\r' && after_ == '\n');
    after_ = block[i];
    if (!is_end || is_last) continue;
    ++found_;
    start_ = next;
  }
}

Result<Fd> open_log(int folder, const char* path) {
  auto file = open_plain_file(folder, path);
  if (file) return std::move(*file);
  if (file.error() == ENOENT) return fail(ErrorCode::not_found, fmt::format("there is no {}", path));
  if (file.error() == ELOOP || file.error() == kNoPlainFile) return no_plain_file(path);
  return fail(ErrorCode::io, fmt::format("open {}: {}", path, std::strerror(file.error())));
}

Result<LogChunk> read_log_chunk(int file, const LogQuery& query, bool ended) {
  struct stat about{};
  if (::fstat(file, &about) != 0) return os_failure("look at");
  const auto size = static_cast<std::uint64_t>(about.st_size);
  LogChunk chunk{.offset = std::min(query.offset, size)};
  if (query.last_lines) {
    const auto start = start_of_last(file, size, query);
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
