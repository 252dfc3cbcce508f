#include "executor/local/log_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {
namespace {

Result<std::string> read_at(int file, std::uint64_t offset, std::size_t bytes) {
  std::string data(bytes, '\0');
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t n = ::pread(file, data.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::unexpected(os_error("read the log"));
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  data.resize(done);
  return data;
}

// Where the last `lines` lines begin; a last one without its newline counts, too.
Result<std::uint64_t> start_of_last(int file, std::uint64_t size, std::uint64_t lines) {
  constexpr std::uint64_t kBlock = 65536;
  std::uint64_t end = size;
  std::uint64_t newlines = 0;
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

Result<Fd> open_task_folder(const std::filesystem::path& state_dir, const LogQuery& query) {
  const auto path = state_dir / attempt_path(query.attempt) / std::to_string(query.task);
  return open_folder(AT_FDCWD, path.string());
}

std::unexpected<Error> no_log(const LogQuery& query) {
  return fail(ErrorCode::not_found, fmt::format("there is no log of attempt {}, task {}: it has not started, or its "
                                                "log was removed by retention",
                                                query.attempt.number, query.task));
}

}  // namespace

Result<LogChunk> read_task_log(const std::filesystem::path& state_dir, const LogQuery& query) {
  const auto folder = open_task_folder(state_dir, query);
  if (!folder) return folder.error().code == ErrorCode::not_found ? no_log(query) : std::unexpected(folder.error());
  const Fd file{::openat(folder->get(), kLogFile, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
  if (!file && errno == ENOENT) return no_log(query);
  if (!file) return std::unexpected(os_error("open the log"));
  // Looked at before the size: once the end is recorded, nothing more is written.
  const bool ended = exists(folder->get(), kExitFile);
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) return std::unexpected(os_error("look at the log"));
  const auto size = static_cast<std::uint64_t>(about.st_size);
  LogChunk chunk{.offset = std::min(query.offset, size)};
  if (query.last_lines) {
    const auto start = *query.last_lines == 0 ? size : start_of_last(file.get(), size, *query.last_lines);
    if (!start) return std::unexpected(start.error());
    chunk.offset = *start;
  }
  auto data = read_at(file.get(), chunk.offset, std::min<std::uint64_t>(query.max_bytes, size - chunk.offset));
  if (!data) return std::unexpected(data.error());
  chunk.data = std::move(*data);
  chunk.complete = ended && chunk.offset + chunk.data.size() == size;
  return chunk;
}

}  // namespace ym::local
