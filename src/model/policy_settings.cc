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

UserLimits user_limits_of(const PolicySettings& settings) {
  const PolicySettings all = over(settings, keys::default_settings());
  return {.requests_per_second = *all.requests_per_second,
          .requests_in_progress = *all.requests_in_progress,
          .log_bytes_per_second = *all.log_bytes_per_second,
          .unfinished_jobs = *all.unfinished_jobs,
          .spec_bytes = *all.spec_bytes};
}

}  // namespace ym
