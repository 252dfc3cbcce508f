// Faults of a queue that keep its jobs from running.
#pragma once

#include <cstdint>
#include <string_view>

namespace ym::engine {

enum class QueueFault : std::uint8_t {
  none,
  unknown,      // it does not exist
  is_cohort,    // it has queues below it
  no_parent,    // the queue above it does not exist
  loop,         // it is below itself
  below_fault,  // a queue above it has one of these faults
};
constexpr std::string_view to_string(QueueFault value) {
  switch (value) {
    case QueueFault::none: return "none";
    case QueueFault::unknown: return "queue";
    case QueueFault::is_cohort: return "children";
    case QueueFault::no_parent: return "parent";
    case QueueFault::loop: return "loop";
    case QueueFault::below_fault: return "above";
  }
  return {};
}

}  // namespace ym::engine
