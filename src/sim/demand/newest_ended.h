// The plain guess at a run time that a forecast has to beat: the median of the newest 64 jobs alike that ended.
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
  // Of queue and GPU count, or of the GPU count, or of all: the first that has three. Of an even number the shorter in
  // the middle. Nothing while there are not three at all.
  std::optional<double> guess(const std::string& queue, std::int64_t gpus) const;

 private:
  using Key = std::pair<std::optional<std::string>, std::optional<std::int64_t>>;
  static std::vector<Key> ladder(const std::string& queue, std::int64_t gpus);

  std::map<Key, std::deque<double>> newest_;
};

}  // namespace ym::sim
