#include "executor/kubernetes/pods/names.h"

#include <algorithm>

#include "base/whole_number.h"

namespace ym::kubernetes {
namespace {

bool is_alnum(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

std::string value_of(const std::map<std::string, std::string>& labels, std::string_view key) {
  const auto found = labels.find(std::string(key));
  return found == labels.end() ? std::string() : found->second;
}

}  // namespace

std::string pod_name(const PodKey& key) {
  auto name = lower("ym-" + to_string(key.token)) + "-" + std::to_string(key.task);
  std::ranges::replace(name, '.', '-');
  return name;
}

std::map<std::string, std::string> pod_labels(const PodKey& key, const std::string& instance) {
  return {{std::string(kManagedBy), instance},
          {std::string(kJobLabel), to_string(key.token.job)},
          {std::string(kAttemptLabel), std::to_string(key.token.attempt)},
          {std::string(kTaskLabel), std::to_string(key.task)},
          {std::string(kTokenLabel), to_string(key.token)}};
}

std::optional<PodKey> owner_of(const std::string& name, const std::map<std::string, std::string>& labels,
                               const std::string& instance) {
  const auto token = parse_token(value_of(labels, kTokenLabel));
  const auto task = whole_number<std::int32_t>(value_of(labels, kTaskLabel));
  if (!token || !task || *task < 0) return std::nullopt;
  const PodKey key{*token, *task};
  if (name != pod_name(key)) return std::nullopt;
  for (const auto& [label, value] : pod_labels(key, instance))
    if (value_of(labels, label) != value) return std::nullopt;
  return key;
}

std::string label_value(std::string_view text) {
  constexpr std::size_t kMost = 63;
  std::string value(text.substr(0, kMost));
  std::ranges::replace_if(value, [](char c) { return !is_alnum(c) && c != '.' && c != '_' && c != '-'; }, '_');
  while (!value.empty() && !is_alnum(value.back())) value.pop_back();
  value.erase(value.begin(), std::ranges::find_if(value, is_alnum));
  return value;
}

}  // namespace ym::kubernetes
