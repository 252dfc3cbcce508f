#include "executor/slurm/log_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "executor/logs/log_chunk.h"
#include "executor/slurm/jobs/script.h"

namespace ym::slurm {
namespace {

std::unexpected<Error> no_log(const std::string& log_dir, const LogQuery& query) {
  if (log_dir.empty())
    return fail(ErrorCode::not_found,
                "this cluster keeps no logs: its configuration names no log_dir that the nodes "
                "and the server share");
  return fail(ErrorCode::not_found,
              fmt::format("there is no log of attempt {}, task {} in {}: it has not started, or the nodes do not share "
                          "this folder (log_dir) with the server",
                          query.attempt.number, query.task, log_dir));
}

// Only the file name still tells which part the task belonged to.
std::string path_of(const std::string& log_dir, const LogQuery& query) {
  const auto folder = log_folder(log_dir, query.attempt);
  for (std::int32_t first = query.task; first >= 0; --first) {
    auto path = fmt::format("{}/{}+{}.log", folder, first, query.task - first);
    struct stat about{};
    if (::lstat(path.c_str(), &about) == 0) return path;
  }
  return {};
}

}  // namespace

Result<LogChunk> read_log_file(const std::string& log_dir, const LogQuery& query, bool ended) {
  const auto path = log_dir.empty() || query.task < 0 ? "" : path_of(log_dir, query);
  if (path.empty()) return no_log(log_dir, query);
  const auto file = open_log(AT_FDCWD, path.c_str());
  if (!file) return std::unexpected(file.error());
  return read_log_chunk(file->get(), query, ended);
}

}  // namespace ym::slurm
