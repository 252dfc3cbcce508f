// A pod as the API server shows it, reduced to what is needed here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "executor/kubernetes/api/json.h"

namespace ym::kubernetes {

// Metadata of an object of any kind.
struct ObjectMeta {
  std::string name, name_space, uid, version;  // resourceVersion
  bool operator==(const ObjectMeta&) const = default;
};
// Errors: `invalid`: it has no name or no uid.
Result<ObjectMeta> read_meta(const json::value& object);

// Sum of amounts that are not negative; capped at the largest value.
std::int64_t sum(std::int64_t a, std::int64_t b);

struct ContainerView {
  enum class State : std::uint8_t { none, waiting, running, terminated };
  std::string name;
  State state = State::none;
  std::string reason, message;
  std::optional<std::int32_t> exit_code, signal;
  Instant finished_at;
  bool operator==(const ContainerView&) const = default;
};

struct PodView {
  ObjectMeta meta;
  std::map<std::string, std::string> labels;
  bool says_tasks = false;             // has kTasksAnnotation
  std::string phase, reason, message;  // of its status
  std::string node;                    // that it is bound to
  bool deleting = false;
  std::string unscheduled;  // why the scheduler has not bound it
  std::string unstarted;    // Pending on its node: which condition is not met, and why
  std::string disruption;   // reason of its DisruptionTarget condition
  std::vector<ContainerView> setup, containers;
  // Requests of all containers, as a scheduler counts them; devices by resource name.
  std::int64_t cpus = 0, memory_bytes = 0;
  std::map<std::string, std::int64_t> devices;
  bool operator==(const PodView&) const = default;

  bool is_over() const { return phase == "Succeeded" || phase == "Failed"; }
};

// Missing or invalid fields count as absent. Errors: as read_meta().
Result<PodView> read_pod(const json::value& object);

}  // namespace ym::kubernetes
