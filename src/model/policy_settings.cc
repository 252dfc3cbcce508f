#include "model/policy_settings.h"

#include "model/keys/policy.h"

namespace ym {

PolicySettings over(const PolicySettings& above, const PolicySettings& below) {
  PolicySettings all = above;
  const auto fill = [&](const auto& setting) {
    if constexpr (requires { setting.member; })
      if (!(all.*setting.member)) all.*setting.member = below.*setting.member;
  };
  const auto fill_section = [&](const auto& section) {
    std::apply([&](const auto&... setting) { (fill(setting), ...); }, section.entries);
  };
  std::apply([&](const auto&... section) { (fill_section(section), ...); }, keys::Keys<PolicySettings>::list);
  return all;
}

}  // namespace ym
