#include "spec/text/labels.h"

#include <fmt/format.h>

#include "spec/documents.h"

namespace ym::spec {
namespace {

constexpr std::size_t kMaxLabelBytes = 253;

bool is_label_text(std::string_view text) {
  constexpr std::string_view kOthers = "._-/";
  return text.size() <= kMaxLabelBytes && std::ranges::all_of(text, [&](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  kOthers.find(c) != std::string_view::npos;
         });
}

}  // namespace

std::optional<std::map<std::string, std::string>> read_labels(const Field& field) {
  const auto entries = read_entries(field);
  if (!entries) return std::nullopt;
  std::map<std::string, std::string> labels;
  if (entries->size() > kMaxLabels) field.wrong(fmt::format("has more than {} labels", kMaxLabels));
  for (const auto& [key, entry] : *entries) {
    const auto value = read_scalar_text(entry);
    if (!value) continue;
    if (key.empty() || !is_label_text(key) || !is_label_text(*value))
      entry.wrong("is not a label; keys and values have letters, digits and ._-/ (at most 253)");
    labels.emplace(key, *value);
  }
  return labels;
}

std::optional<std::string> read_label_key(const Field& field) {
  auto key = read_string(field);
  if (!key || (!key->empty() && is_label_text(*key))) return key;
  field.wrong(fmt::format("{} is not the key of a label; use letters, digits and ._-/ (at most 253)", quoted(*key)));
  return std::nullopt;
}

bool is_node_name(std::string_view name) {
  constexpr std::size_t kLongest = 253;
  if (name.empty() || name.size() > kLongest || name.front() == '.' || name.front() == '-' ||
      name.find("..") != std::string_view::npos)
    return false;
  return is_label_text(name) && name.find('/') == std::string_view::npos;
}

std::optional<std::vector<std::string>> read_node_pattern(const Field& field) {
  const auto text = read_scalar_text(field);
  if (!text) return std::nullopt;
  auto names = expand_names(*text);
  if (names) return std::move(*names);
  field.wrong(names.error().message);
  return std::nullopt;
}

std::optional<std::vector<std::string>> read_node_names(const Field& field) {
  const auto items = read_list(field, "node names");
  if (!items) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& item : *items) {
    auto some = read_node_pattern(item);
    if (!some) return std::nullopt;
    if (names.size() + some->size() > kMaxNodeNames) {
      field.wrong(fmt::format("has more than {} names", kMaxNodeNames));
      return std::nullopt;
    }
    names.insert(names.end(), std::make_move_iterator(some->begin()), std::make_move_iterator(some->end()));
  }
  return names;
}

}  // namespace ym::spec
