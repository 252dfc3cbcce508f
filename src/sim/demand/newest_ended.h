// A simple guess of a run time, to compare forecasts with: the median of the newest 64 similar jobs that ended.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ym::sim {

class NewestEnded {
 public:
  void ended(const std::string& queue, std::int64_t gpus, double log2_s);
  // Looks at jobs with the same queue and GPU count, then with the same GPU count, then at all, until there are three.
  // For an even number, the lower of the two middle ones. Nothing while fewer than three jobs have ended.
  std::optional<double> guess(const std::string& queue, std::int64_t gpus) const;

 private:
  using Key = std::pair<std::optional<std::string>, std::optional<std::int64_t>>;
  static std::vector<Key> keys_by_precision(const std::string& queue, std::int64_t gpus);

  std::map<Key, std::deque<double>> newest_;
};

}  // namespace ym::sim
