// Spare: work vectors of a cycle, kept for the next one. The heap would return large ones to the system and fetch them
// again each time. A copy begins with none.
#pragma once

#include <utility>
#include <vector>

namespace ym::engine {

template <class T>
class Spare {
 public:
  Spare() = default;
  Spare(const Spare&) {}
  Spare& operator=(const Spare&) {
    kept_.clear();
    return *this;
  }
  Spare(Spare&&) = default;
  Spare& operator=(Spare&&) = default;
  ~Spare() = default;

  // A vector with any content.
  std::vector<T> take() {
    if (kept_.empty()) return {};
    std::vector<T> one = std::move(kept_.back());
    kept_.pop_back();
    return one;
  }
  void give_back(std::vector<T> one) { kept_.push_back(std::move(one)); }

 private:
  std::vector<std::vector<T>> kept_;
};

}  // namespace ym::engine
