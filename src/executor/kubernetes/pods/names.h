// Names and labels of this server's pods.
//
// The name of a pod is made of the launch token and the task only, so that a second creation finds the first. The
// labels contain the same, and the instance. A pod is this server's if all of them agree (owner_of).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/ids.h"

namespace ym::kubernetes {

inline constexpr std::string_view kManagedBy = "yardmaster.dev/managed-by";  // the instance
inline constexpr std::string_view kJobLabel = "yardmaster.dev/job";
inline constexpr std::string_view kAttemptLabel = "yardmaster.dev/attempt";
inline constexpr std::string_view kTaskLabel = "yardmaster.dev/task";
inline constexpr std::string_view kTokenLabel = "yardmaster.dev/token";
inline constexpr std::string_view kTasksAnnotation = "yardmaster.dev/tasks";  // number of tasks of its attempt

struct PodKey {
  Token token;
  std::int32_t task = 0;
  auto operator<=>(const PodKey&) const = default;
};

// "ym-JOB-ATTEMPT-EPOCH-TASK", a DNS label.
std::string pod_name(const PodKey& key);
std::map<std::string, std::string> pod_labels(const PodKey& key, const std::string& instance);
// From the name and labels of a pod. Empty: it is not this server's, or does not look like it.
std::optional<PodKey> owner_of(const std::string& name, const std::map<std::string, std::string>& labels,
                               const std::string& instance);

// The most similar valid label value: at most 63 of [A-Za-z0-9._-], with letters or digits at both ends.
std::string label_value(std::string_view text);

}  // namespace ym::kubernetes
