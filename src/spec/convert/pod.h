// Pod templates: what one kind of task runs, needs and wants of its nodes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

// A `template` with `metadata` and `spec`. The container is the one of that name, or the first. Its words are not yet
// settled (expand.h): a trainer may have others. Nothing: what is wrong is reported.
std::optional<Part> read_pod_template(const Field& pod, std::string_view container, Remarks& remarks);

// container.cc: what a container says of its program; `part` keeps what it does not say.
void read_command(Keys& keys, Part& part);
void read_environment(const Field& list, Part& part, Remarks& remarks);
void read_container(const Field& container, Part& part, Remarks& remarks);

// placing.cc
void read_node_choice(Keys& pod_spec, Part& part);
// Kueue's annotations of a pod template.
void read_topology(const std::optional<Field>& annotations, Part& part, Remarks& remarks);

// volumes.cc. Memory that is mounted at /dev/shm is the job's `shm`.
void read_volumes(const Field& volumes, const std::optional<Field>& container, Part& part, Remarks& remarks);

// metadata.cc: what a template's metadata says besides the labels and annotations that begin so, which are read
// elsewhere.
void note_metadata(const Field& metadata, const std::vector<std::string_view>& read, Remarks& remarks);

std::optional<Words> read_words(const Field& field);

// "30s" of a number of seconds, at most what a job file takes.
std::string seconds_text(std::int64_t seconds);
// 0 to a year.
std::optional<std::int64_t> read_seconds(const Field& field);
inline constexpr std::int64_t kLongestGrace = 3600;  // seconds

}  // namespace ym::convert
