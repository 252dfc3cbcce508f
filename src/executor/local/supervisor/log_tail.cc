#include "executor/local/supervisor/log_tail.h"

#include <unistd.h>

#include <algorithm>

#include "base/plain_file.h"

namespace ym::local {
namespace {

constexpr off_t kTail = 65536;

}  // namespace

std::string log_tail(int task_folder, const std::string& path) {
  const auto log = open_plain_file(task_folder, path.c_str());
  const off_t size = log ? ::lseek(log->get(), 0, SEEK_END) : -1;
  if (size <= 0) return {};
  std::string tail(static_cast<std::size_t>(std::min(size, kTail)), '\0');
  const ssize_t n = ::pread(log->get(), tail.data(), tail.size(), size - static_cast<off_t>(tail.size()));
  tail.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return tail;
}

}  // namespace ym::local
