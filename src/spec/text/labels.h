// Labels of nodes, and lists of node names.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/text/field.h"

namespace ym::spec {

inline constexpr std::size_t kMaxLabels = 64;
inline constexpr std::size_t kMaxNodeNames = 100'000;

// {rack: r1, zone: a}. Keys have letters, digits and ._-/; values have only these too. Numbers and booleans keep
// their spelling.
std::optional<std::map<std::string, std::string>> read_labels(const Field& field);

// The key of a label.
std::optional<std::string> read_label_key(const Field& field);

// A list of names and patterns ("n[1-5]"). Expands it.
std::optional<std::vector<std::string>> read_node_names(const Field& field);
// One pattern. Expands it.
std::optional<std::vector<std::string>> read_node_pattern(const Field& field);

bool is_node_name(std::string_view name);

}  // namespace ym::spec
