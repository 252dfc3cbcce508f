// Project: the users and the purpose that a job is for. Its members are the bindings at its scope.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/enum_names.h"
#include "model/cluster.h"

namespace ym {

// What principals that may use a job's queue see of it, if they have no right in its project.
//   hidden:   nothing
//   outline:  id, owner, queue, priority, state, resources and times
//   whole:    everything but logs
enum class Visibility : std::uint8_t { hidden, outline, whole };
constexpr std::string_view to_string(Visibility value) {
  switch (value) {
    case Visibility::hidden: return "private";
    case Visibility::outline: return "queue";
    case Visibility::whole: return "full";
  }
  return {};
}

struct Project {
  static constexpr std::string_view kTable = "projects", kRow = "project";
  static constexpr bool kConcernsEngine = false;
  std::string name;
  std::string description;
  Visibility visibility = Visibility::outline;
  ManagedBy managed_by = ManagedBy::api;
  bool operator==(const Project&) const = default;
};

}  // namespace ym
