// Stretches: when nodes on which something is promised have room for a task beside that. Remembered while nothing
// changes on the node, for all who look for room for the same task.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/state/minute.h"
#include "engine/state/node_need.h"

namespace ym::engine {

// There is room at each minute of [begin, end).
struct Stretch {
  Minute begin = 0, end = kNoMinute;
};

class Stretches {
 public:
  // What they were found of: how often all promises were given anew, how many there are on the node, and how often
  // something was taken of it or given back.
  struct AsOf {
    std::uint32_t round = 0, promises = 0, touched = 0;
    bool operator==(const AsOf&) const = default;
  };

  // Of the node at this place among those on which something is promised. `find` fills a list of them, by time. What is
  // returned stays until the next question.
  template <class Find>
  std::span<const Stretch> of(const NodeNeed& task, std::size_t place, const AsOf& as_of, Find find) {
    Known& known = known_of(task, place);
    if (known.as_of != as_of) {
      known = {.as_of = as_of, .begin = all_.size()};
      find(all_);
      known.size = all_.size() - known.begin;
    }
    return std::span(all_).subspan(known.begin, known.size);
  }

 private:
  struct Known {
    AsOf as_of{};
    std::size_t begin = 0, size = 0;
  };
  struct OfTask {
    NodeNeed task;
    std::vector<Known> known;  // by place
  };

  Known& known_of(const NodeNeed& task, std::size_t place);

  std::vector<OfTask> tasks_;
  std::vector<Stretch> all_;
};

}  // namespace ym::engine
