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
  // What they were found of: which promises the node has, as a number that is never used again once they change; and
  // how often something was taken of it or given back.
  struct AsOf {
    std::uint32_t promises = 0, touched = 0;
    bool operator==(const AsOf&) const = default;
  };

  // Those for one task. They stay where they are until another task is asked about.
  class OfTask {
   public:
    explicit OfTask(const NodeNeed& task) : task_(task) {}
    const NodeNeed& task() const { return task_; }
    // Of the node at this place among those on which something is promised. `find` fills a list of them, by time. What
    // is returned stays until the next question.
    template <class Find>
    std::span<const Stretch> of(std::size_t place, const AsOf& as_of, Find find) {
      if (known_.size() <= place) known_.resize(place + 1);
      Known& known = known_[place];
      if (known.as_of != as_of) {
        found_.clear();
        find(found_);
        known.as_of = as_of;
        keep_found(known);
      }
      return std::span(all_).subspan(known.begin, known.size);
    }

   private:
    struct Known {
      AsOf as_of{};
      std::size_t begin = 0, size = 0, room = 0;
    };
    // Where those before were, if it has room there.
    void keep_found(Known& known);

    NodeNeed task_;
    std::vector<Known> known_;  // by place
    std::vector<Stretch> all_;
    std::vector<Stretch> found_;
  };
  OfTask& of(const NodeNeed& task);
  void clear() { tasks_.clear(); }

 private:
  std::vector<OfTask> tasks_;
};

}  // namespace ym::engine
