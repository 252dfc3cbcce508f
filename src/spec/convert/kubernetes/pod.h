// Pod templates: the program of one kind of task, its request, and its choice of nodes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

// Reads a `template` with `metadata` and `spec`. Takes the container with that name, otherwise the first. Its words
// are not yet settled (expand.h), because a trainer may replace them. Nothing: an error is reported.
std::optional<Part> read_pod_template(const Field& pod, std::string_view container, Remarks& remarks);

// container.cc: the program of a container. Keeps values of `part` that the container does not set.
void read_command(Keys& keys, Part& part);
void read_environment(const Field& list, Part& part, Remarks& remarks);
void read_container(const Field& container, Part& part, Remarks& remarks);

// placing.cc
void read_node_choice(Keys& pod_spec, Part& part);
// Kueue's annotations of a pod template.
void read_topology(const std::optional<Field>& annotations, Part& part, Remarks& remarks);

// volumes.cc. Memory that is mounted at /dev/shm is the job's `shm`.
void read_volumes(const Field& volumes, const std::optional<Field>& container, Part& part, Remarks& remarks);

// metadata.cc: notes labels and annotations of a template, except keys that begin with a text of `read`: other
// readers handle these.
void note_metadata(const Field& metadata, const std::vector<std::string_view>& read, Remarks& remarks);

std::optional<Words> read_words(const Field& field);

// "30s" for a number of seconds, cut to the limit of a job file.
std::string seconds_text(std::int64_t seconds);
// 0 seconds to a year.
std::optional<std::int64_t> read_seconds(const Field& field);
inline constexpr std::int64_t kLongestGrace = 3600;  // seconds

}  // namespace ym::convert
