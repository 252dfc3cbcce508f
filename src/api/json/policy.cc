// The settings of the whole site.
#include "api/json/keys.h"
#include "api/json/render.h"
#include "engine/engine.h"

namespace ym::api {
namespace {

// The settings that apply if none is set.
PolicySettings defaults() {
  const engine::Policy own;
  return {.age_cap = own.age_cap,
          .start_allowance = own.start_allowance,
          .usage_half_life = kUsageHalfLife,
          .fair_share = own.fair_share,
          .scoring = own.scoring,
          .flavor_choice = own.flavor_choice,
          .consolidation = own.consolidation,
          .resizing = own.resizing,
          .resize_interval = own.resize_interval,
          .restart_cost = own.restart_cost,
          .reclaim_min_runtime_cap = own.reclaim_min_runtime_cap,
          .hold_margin = own.hold_margin,
          .preemptions_per_hour = own.preemptions_per_hour};
}

}  // namespace

void write_settings(JsonWriter& json, const PolicySettings& settings) {
  write(json, settings, keys::MapOf<PolicySettings>{});
}

void write_policy(JsonWriter& json, const PolicyView& policy, const std::vector<std::string>& warnings) {
  json.begin_object();
  keys::write_keys(json, over(policy.set, over(policy.file, defaults())));
  json.key("said_by").begin_object();
  keys::for_each_setting([&](std::string_view section, const auto& setting) {
    const auto member = setting.member;
    json.field(fmt::format("{}.{}", section, setting.name), policy.set.*member    ? "api"
                                                            : policy.file.*member ? "file"
                                                                                  : "default");
  });
  json.end_object();
  write_warnings(json, warnings);
  json.end_object();
}

}  // namespace ym::api
