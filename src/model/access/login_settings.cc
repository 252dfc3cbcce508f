#include "model/access/login_settings.h"

#include <algorithm>

namespace ym {

bool same_login_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string group_here(const Issuer& issuer, std::string_view group) {
  if (!group.starts_with(issuer.groups_strip)) return {};
  group.remove_prefix(issuer.groups_strip.size());
  auto named = issuer.groups_prefix + std::string(group);
  return group.empty() || named.size() > kLongestGroup ? std::string() : named;
}

}  // namespace ym
