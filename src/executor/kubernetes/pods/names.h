// What our pods are called, and the labels by which they are found again.
//
// A pod's name is made of the launch token and the task alone, so that creating it twice finds the first. The labels
// say the same, and whose it is: a pod is ours exactly if all of them say so (owner_of).
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
inline constexpr std::string_view kTasksAnnotation = "yardmaster.dev/tasks";  // how many its attempt has

struct PodKey {
  Token token;
  std::int32_t task = 0;
  auto operator<=>(const PodKey&) const = default;
};

// "ym-JOB-ATTEMPT-EPOCH-TASK", a DNS label.
std::string pod_name(const PodKey& key);
std::map<std::string, std::string> pod_labels(const PodKey& key, const std::string& instance);
// Of a pod of that name with those labels; nothing: it is not ours, or does not look like it.
std::optional<PodKey> owner_of(const std::string& name, const std::map<std::string, std::string>& labels,
                               const std::string& instance);

// The nearest value that a label may have: at most 63 of [A-Za-z0-9._-], letters or digits at its ends.
std::string label_value(std::string_view text);

}  // namespace ym::kubernetes
