#include "executor/remote/wrapper/own_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "executor/local/attempt/files.h"

namespace ym::remote {
namespace {

local::Fd open_end(const std::string& path) {
  return local::Fd{::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600)};
}

// The folders are there nearly always: whoever sent us makes them, and what is shared may be late.
local::Fd open_or_make(const std::string& path) {
  auto file = open_end(path);
  if (file || errno != ENOENT) return file;
  const auto folder = std::filesystem::path(path).parent_path();
  ::mkdir(folder.parent_path().c_str(), 0700);
  ::mkdir(folder.c_str(), 0700);
  return open_end(path);
}

}  // namespace

Result<void> redirect_output(const Environment& env) {
  if (const auto path = text_of(env, "YM_TASK_OUTPUT"); !path.empty()) {
    const auto file = open_or_make(path);
    if (!file) return std::unexpected(local::os_error("write " + path));
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(file.get(), stream);
  }
  if (const auto path = text_of(env, "YM_TASK_MESSAGES"); !path.empty()) {
    if (const auto file = open_end(path)) ::dup2(file.get(), STDERR_FILENO);
  }
  return {};
}

}  // namespace ym::remote
