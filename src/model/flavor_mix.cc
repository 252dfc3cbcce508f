#include "model/flavor_mix.h"

namespace ym {
namespace {

constexpr char kBetween = '+';

}  // namespace

FlavorMix split_flavors(std::string_view name) {
  const auto between = name.find(kBetween);
  if (between == std::string_view::npos) return {.anchor = {}, .rest = name};
  return {.anchor = name.substr(0, between), .rest = name.substr(between + 1)};
}

std::string join_flavors(std::string_view anchor, std::string_view rest) {
  return std::string(anchor) + kBetween + std::string(rest);
}

}  // namespace ym
