// Labels of nodes, and lists of node names.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/field.h"

namespace ym::spec {

inline constexpr std::size_t kMaxLabels = 64;
inline constexpr std::size_t kMaxNodeNames = 100'000;

// {rack: r1, zone: a}: letters, digits and ._-/ in keys, the same and nothing else in
// values; numbers and booleans as they are written.
std::optional<std::map<std::string, std::string>> read_labels(const Field& field);

// The key of a label alone.
std::optional<std::string> read_label_key(const Field& field);

// A list of names and patterns ("n[1-5]"), expanded.
std::optional<std::vector<std::string>> read_node_names(const Field& field);
// One pattern, expanded.
std::optional<std::vector<std::string>> read_node_pattern(const Field& field);

bool is_node_name(std::string_view name);

}  // namespace ym::spec
