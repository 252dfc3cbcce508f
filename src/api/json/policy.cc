// How the site schedules.
#include <functional>

#include "api/json/render.h"
#include "engine/engine.h"

namespace ym::api {
namespace {

using Text = std::optional<std::string>;

Text text_of(const std::optional<Duration>& value) { return value ? Text(to_string(*value)) : std::nullopt; }
Text text_of(const std::optional<std::int32_t>& value) { return value ? Text(std::to_string(*value)) : std::nullopt; }
template <class Enum>
Text text_of(const std::optional<Enum>& value) {
  return value ? Text(to_string(*value)) : std::nullopt;
}

// One setting, as the configuration file writes it.
struct Setting {
  std::string_view section, name;
  Text (*of)(const PolicySettings&);
};

template <auto Member>
Text member_text(const PolicySettings& settings) {
  return text_of(settings.*Member);
}

using S = PolicySettings;
constexpr std::array kSettings{
    Setting{"scheduling", "age_cap", member_text<&S::age_cap>},
    Setting{"scheduling", "start_allowance", member_text<&S::start_allowance>},
    Setting{"scheduling", "usage_half_life", member_text<&S::usage_half_life>},
    Setting{"scheduling", "fair_share", member_text<&S::fair_share>},
    Setting{"scheduling", "placement", member_text<&S::scoring>},
    Setting{"scheduling", "flavors", member_text<&S::flavor_choice>},
    Setting{"scheduling", "consolidation", member_text<&S::consolidation>},
    Setting{"scheduling", "resize", member_text<&S::resizing>},
    Setting{"scheduling", "resize_interval", member_text<&S::resize_interval>},
    Setting{"preemption", "restart_cost", member_text<&S::restart_cost>},
    Setting{"preemption", "reclaim_min_runtime_cap", member_text<&S::reclaim_min_runtime_cap>},
    Setting{"preemption", "preemptions_per_hour", member_text<&S::preemptions_per_hour>},
    Setting{"preemption", "hold_margin", member_text<&S::hold_margin>},
};

// What holds where nobody says anything.
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

void write_value(JsonWriter& json, const Setting& setting, const std::string& text) {
  json.key(setting.name);
  if (setting.name == "preemptions_per_hour") json.value(std::stoll(text));
  else json.value(text);
}

void write_section(JsonWriter& json, std::string_view section, const PolicySettings& settings) {
  json.key(section).begin_object();
  for (const Setting& setting : kSettings)
    if (const auto text = setting.of(settings); text && setting.section == section) write_value(json, setting, *text);
  json.end_object();
}

}  // namespace

void write_settings(JsonWriter& json, const PolicySettings& settings) {
  json.begin_object();
  for (const auto* section : {"scheduling", "preemption"}) write_section(json, section, settings);
  json.end_object();
}

void write_policy(JsonWriter& json, const PolicyView& policy, const std::vector<std::string>& warnings) {
  const PolicySettings all = over(policy.set, over(policy.file, defaults()));
  json.begin_object();
  for (const auto* section : {"scheduling", "preemption"}) write_section(json, section, all);
  json.key("said_by").begin_object();
  for (const Setting& setting : kSettings)
    json.field(fmt::format("{}.{}", setting.section, setting.name), setting.of(policy.set)    ? "api"
                                                                    : setting.of(policy.file) ? "file"
                                                                                              : "default");
  json.end_object();
  write_warnings(json, warnings);
  json.end_object();
}

}  // namespace ym::api
