#include "sim/search/coordinate_descent.h"

#include <algorithm>
#include <optional>

namespace ym::sim {
namespace {

class Descent {
 public:
  Descent(std::size_t most_tries, const std::function<Result<double>(const Choice&)>& cost)
      : most_tries_(std::max<std::size_t>(1, most_tries)), cost_(cost) {}

  // Tries every value of the setting. Returns whether another one is better than the present one.
  Result<bool> improve(std::size_t setting, std::size_t values) {
    const std::size_t before = search_.best;
    Choice choice = search_.tried[before].choice;
    for (choice[setting] = 0; choice[setting] < values; ++choice[setting])
      if (auto tried = look_at(choice); !tried) return std::unexpected(tried.error());
    return search_.best != before;
  }

  Result<void> look_at(const Choice& choice) {
    if (std::ranges::find(search_.tried, choice, &Tried::choice) != search_.tried.end()) return {};
    if (search_.tried.size() >= most_tries_) {
      search_.complete = false;
      return {};
    }
    const auto cost = cost_(choice);
    if (!cost) return std::unexpected(cost.error());
    search_.tried.push_back({choice, *cost});
    if (*cost < search_.tried[search_.best].cost) search_.best = search_.tried.size() - 1;
    return {};
  }

  Search& search() { return search_; }

 private:
  std::size_t most_tries_;
  const std::function<Result<double>(const Choice&)>& cost_;
  Search search_;
};

}  // namespace

Result<Search> descend(const std::vector<std::size_t>& values, std::size_t most_tries,
                       const std::function<Result<double>(const Choice&)>& cost) {
  Descent descent(most_tries, cost);
  if (auto begun = descent.look_at(Choice(values.size())); !begun) return std::unexpected(begun.error());
  for (bool better = true; better;) {
    better = false;
    for (std::size_t setting = 0; setting < values.size(); ++setting) {
      const auto improved = descent.improve(setting, values[setting]);
      if (!improved) return std::unexpected(improved.error());
      better = better || *improved;
    }
  }
  return std::move(descent.search());
}

}  // namespace ym::sim
