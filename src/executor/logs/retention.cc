#include "executor/logs/retention.h"

#include <sys/stat.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace ym {

namespace fs = std::filesystem;

std::vector<std::size_t> due_for_removal(std::span<const RetainedFiles> retained, const RetentionRules& rules,
                                         Instant now) {
  std::int64_t total = 0;
  for (const auto& files : retained) total += files.bytes;
  std::vector<std::size_t> order(retained.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(retained[i].since, i); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& files = retained[order[i]];
    if (now - files.since <= rules.age && total <= rules.bytes) {
      order.resize(i);
      break;
    }
    total -= files.bytes;
  }
  return order;
}

std::int64_t bytes_below(const fs::path& folder) {
  std::int64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it{folder, error}, end; !error && it != end; it.increment(error)) {
    struct stat about{};
    if (::lstat(it->path().c_str(), &about) == 0) bytes += about.st_blocks * 512;
  }
  return bytes;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it{folder, error}, end; !error && it != end; it.increment(error))
    if (it->is_directory(error) && !it->is_symlink(error)) found.push_back(it->path());
  return found;
}

}  // namespace ym
