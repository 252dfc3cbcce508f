// A pod as the API server shows it: what of it matters here, and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "executor/kubernetes/api/json.h"

namespace ym::kubernetes {

// Of an object of any kind.
struct ObjectMeta {
  std::string name, name_space, uid, version;  // resourceVersion
  bool operator==(const ObjectMeta&) const = default;
};
// Errors: `invalid`: it has no name or no uid.
Result<ObjectMeta> read_meta(const json::value& object);

// Of amounts, which are never negative; no more than fits.
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
  bool says_tasks = false;             // how many its attempt has (kTasksAnnotation)
  std::string phase, reason, message;  // of its status
  std::string node;                    // that it is bound to
  bool deleting = false;
  std::string unscheduled;  // why the scheduler has not bound it
  std::string unstarted;    // of one that is Pending on its node: which of its conditions does not hold, and why
  std::string disruption;   // reason of its DisruptionTarget condition: who took it away
  std::vector<ContainerView> setup, containers;
  // What its containers ask for together, as a scheduler counts it; devices by resource name.
  std::int64_t cpus = 0, memory_bytes = 0;
  std::map<std::string, std::int64_t> devices;
  bool operator==(const PodView&) const = default;

  bool is_over() const { return phase == "Succeeded" || phase == "Failed"; }
};

// What is missing or makes no sense is as if it were not there. Errors: as read_meta.
Result<PodView> read_pod(const json::value& object);

}  // namespace ym::kubernetes
