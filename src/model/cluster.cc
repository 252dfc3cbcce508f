#include "model/cluster.h"

#include <algorithm>

namespace ym {
namespace {

// "+me", "-me", "+me.all"
bool is_attribute(std::string_view text) {
  constexpr std::size_t kLongest = 16;
  if (text.size() < 2 || text.size() > kLongest || (text[0] != '+' && text[0] != '-')) return false;
  return std::ranges::all_of(text.substr(1),
                             [](char c) { return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '.'; });
}

}  // namespace

std::optional<std::int64_t> slice_milli(std::string_view profile) {
  constexpr std::int64_t kParts = 7;
  static constexpr std::string_view kUnit = "g.", kBytes = "gb";
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  if (profile.size() < 2 || !is_digit(profile[0]) || profile.substr(1, 2) != kUnit) return std::nullopt;
  const std::int64_t parts = profile[0] - '0';
  if (parts < 1 || parts > kParts) return std::nullopt;
  const auto size = profile.substr(1 + kUnit.size());
  const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(size, is_digit) - size.begin());
  // After the size, a driver names attributes that the slice has or lacks: "1g.10gb+me", "1g.24gb-me".
  const auto more = size.substr(digits);
  if (digits == 0 || digits > 4 || !more.starts_with(kBytes)) return std::nullopt;
  const auto attribute = more.substr(kBytes.size());
  if (!attribute.empty() && !is_attribute(attribute)) return std::nullopt;
  return parts * kMilli / kParts;
}

std::int64_t Device::milli() const { return profile.empty() ? kMilli : slice_milli(profile).value_or(0); }

bool Flavor::matches(const Node& node) const {
  if (!gpu_type.empty() && gpu_type != node.gpu_type) return false;
  if (!cluster.empty() && cluster != node.cluster) return false;
  return std::ranges::all_of(labels, [&](const auto& label) {
    const auto it = node.labels.find(label.first);
    return it != node.labels.end() && it->second == label.second;
  });
}

void set_wanted(Flavor& flavor, std::int64_t nodes, Instant time) {
  if (nodes > flavor.wanted.nodes) flavor.wanted.since = time;
  flavor.wanted = nodes == 0 ? WantedNodes{} : WantedNodes{nodes, flavor.wanted.since};
}

}  // namespace ym
