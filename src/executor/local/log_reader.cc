#include "executor/local/log_reader.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/logs/log_chunk.h"

namespace ym::local {
namespace {

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
  const auto file = open_log(folder->get(), kLogFile);
  if (!file) return file.error().code == ErrorCode::not_found ? no_log(query) : std::unexpected(file.error());
  // Checked before the size is read: after the end is recorded, nothing more is written.
  return read_log_chunk(file->get(), query, exists(folder->get(), kExitFile));
}

}  // namespace ym::local
