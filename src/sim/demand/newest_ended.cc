#include "sim/demand/newest_ended.h"

#include <algorithm>

namespace ym::sim {
namespace {

constexpr std::size_t kNewest = 64, kFewestEnded = 3;

}  // namespace

std::vector<NewestEnded::Key> NewestEnded::keys_by_precision(const std::string& queue, std::int64_t gpus) {
  return {{queue, gpus}, {std::nullopt, gpus}, {std::nullopt, std::nullopt}};
}

void NewestEnded::ended(const std::string& queue, std::int64_t gpus, double log2_s) {
  for (const Key& key : keys_by_precision(queue, gpus)) {
    auto& newest = newest_[key];
    newest.push_back(log2_s);
    if (newest.size() > kNewest) newest.pop_front();
  }
}

std::optional<double> NewestEnded::guess(const std::string& queue, std::int64_t gpus) const {
  for (const Key& key : keys_by_precision(queue, gpus)) {
    const auto found = newest_.find(key);
    if (found == newest_.end() || found->second.size() < kFewestEnded) continue;
    std::vector<double> sorted(found->second.begin(), found->second.end());
    std::ranges::sort(sorted);
    return sorted[(sorted.size() + 1) / 2 - 1];
  }
  return std::nullopt;
}

}  // namespace ym::sim
