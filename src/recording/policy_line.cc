// The engine's policy as a line of a recording: every setting, as a number or by its name.
#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <optional>

#include "recording/lines.h"

namespace ym {
namespace {

namespace bj = boost::json;

// The value of a name. An unknown name throws, as a missing field does.
template <class Enum>
Enum known(const std::optional<Enum>& found) {
  if (!found) throw std::invalid_argument("a setting has a value that is not known");
  return *found;
}

engine::Policy read(const bj::object& object) {
  const auto number = [&](const char* name) { return object.at(name).to_number<std::int64_t>(); };
  const auto duration = [&](const char* name) { return Duration{number(name)}; };
  const auto text = [&](const char* name) { return std::string_view(object.at(name).as_string()); };
  engine::Policy policy;
  policy.fair_share = known(parse_enum<FairShare>(text("fair_share")));
  policy.scoring = known(parse_scoring(text("scoring")));
  // Servers without this setting do not record it.
  if (object.contains("flavor_choice")) policy.flavor_choice = known(parse_enum<FlavorChoice>(text("flavor_choice")));
  policy.consolidation = known(parse_enum<Consolidation>(text("consolidation")));
  policy.resizing = known(parse_enum<Resizing>(text("resizing")));
  policy.resize_interval = duration("resize_interval_ms");
  policy.usage_kept = number("usage_kept");
  policy.age_cap = duration("age_cap_ms");
  policy.restart_cost = duration("restart_cost_ms");
  policy.reclaim_min_runtime_cap = duration("reclaim_min_runtime_cap_ms");
  policy.preemptions_per_hour = static_cast<std::int32_t>(number("preemptions_per_hour"));
  policy.start_allowance = duration("start_allowance_ms");
  policy.hold_margin = duration("hold_margin_ms");
  return policy;
}

}  // namespace

std::string LineWriter::policy(const engine::Policy& policy) {
  const bj::object object{{"fair_share", to_string(policy.fair_share)},
                          {"scoring", to_string(policy.scoring)},
                          {"flavor_choice", to_string(policy.flavor_choice)},
                          {"consolidation", to_string(policy.consolidation)},
                          {"resizing", to_string(policy.resizing)},
                          {"resize_interval_ms", policy.resize_interval.ms},
                          {"usage_kept", policy.usage_kept},
                          {"age_cap_ms", policy.age_cap.ms},
                          {"restart_cost_ms", policy.restart_cost.ms},
                          {"reclaim_min_runtime_cap_ms", policy.reclaim_min_runtime_cap.ms},
                          {"preemptions_per_hour", policy.preemptions_per_hour},
                          {"start_allowance_ms", policy.start_allowance.ms},
                          {"hold_margin_ms", policy.hold_margin.ms}};
  return fmt::format("{{\"policy\":{}}}\n", bj::serialize(object));
}

bool says_former_scoring(const bj::value& policy) {
  const auto* object = policy.if_object();
  const auto* scoring = object ? object->if_contains("scoring") : nullptr;
  return scoring && scoring->is_string() && scoring->get_string() == kFormerScoring;
}

Result<engine::Policy> read_policy(const bj::value& value) {
  try {
    return read(value.as_object());
  } catch (const std::exception& error) {
    return fail(ErrorCode::corrupt, std::string("a policy cannot be read: ") + error.what());
  }
}

}  // namespace ym
