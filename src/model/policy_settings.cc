#include "model/policy_settings.h"

#include "model/keys/policy.h"

namespace ym {

PolicySettings over(const PolicySettings& above, const PolicySettings& below) {
  PolicySettings all = above;
  keys::for_each_setting([&](std::string_view, const auto& setting) {
    if (!(all.*setting.member)) all.*setting.member = below.*setting.member;
  });
  return all;
}

}  // namespace ym
