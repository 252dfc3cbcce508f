// The engine's policy as a line of a recording: every setting, as a number or by its name.
#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <tuple>

#include "recording/lines.h"

namespace ym {
namespace {

namespace bj = boost::json;
using engine::Policy;

template <class T>
struct Setting {
  std::string_view name;
  T Policy::* member;
  bool later = false;  // servers without this setting do not record it
};

constexpr std::tuple kRecorded{Setting{"fair_share", &Policy::fair_share},
                               Setting{"scoring", &Policy::scoring},
                               Setting{"flavor_choice", &Policy::flavor_choice, true},
                               Setting{"consolidation", &Policy::consolidation},
                               Setting{"resizing", &Policy::resizing},
                               Setting{"resize_interval_ms", &Policy::resize_interval},
                               Setting{"usage_kept", &Policy::usage_kept},
                               Setting{"age_cap_ms", &Policy::age_cap},
                               Setting{"restart_cost_ms", &Policy::restart_cost},
                               Setting{"reclaim_min_runtime_cap_ms", &Policy::reclaim_min_runtime_cap},
                               Setting{"preemptions_per_hour", &Policy::preemptions_per_hour},
                               Setting{"start_allowance_ms", &Policy::start_allowance},
                               Setting{"hold_margin_ms", &Policy::hold_margin}};
// No server switches these off.
constexpr std::tuple kNotRecorded{&Policy::verdicts,        &Policy::order_phase,   &Policy::quota_phase,
                                  &Policy::place_phase,     &Policy::preempt_phase, &Policy::reserve_phase,
                                  &Policy::provision_phase, &Policy::explain_phase};

struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): it stands for a value of any member
};

template <class T, class... Given>
consteval std::size_t members_of(Given... given) {
  if constexpr (requires { T{given..., Anything{}}; }) return members_of<T>(given..., Anything{});
  else return sizeof...(Given);
}

// Without a setting a replay would decide by its default, and find differences that are none.
static_assert(std::tuple_size_v<decltype(kRecorded)> + std::tuple_size_v<decltype(kNotRecorded)> ==
                  members_of<Policy>(),
              "record the new member of the policy");

bj::value written(Duration duration) { return duration.ms; }
bj::value written(std::int64_t number) { return number; }
template <NamedEnum E>
bj::value written(E value) {
  return bj::string(to_string(value));
}

// The value of a name. An unknown name throws, as a missing field does.
template <class Enum>
Enum known(const std::optional<Enum>& found) {
  if (!found) throw std::invalid_argument("a setting has a value that is not known");
  return *found;
}

void read(const bj::value& value, Duration& into) { into.ms = value.to_number<std::int64_t>(); }
void read(const bj::value& value, std::int64_t& into) { into = value.to_number<std::int64_t>(); }
void read(const bj::value& value, std::int32_t& into) {
  into = static_cast<std::int32_t>(value.to_number<std::int64_t>());
}
void read(const bj::value& value, Scoring& into) { into = known(parse_scoring(std::string_view(value.as_string()))); }
template <NamedEnum E>
void read(const bj::value& value, E& into) {
  into = known(parse_enum<E>(std::string_view(value.as_string())));
}

template <class Act>
void each_setting(const Act& act) {
  std::apply([&](const auto&... setting) { (act(setting), ...); }, kRecorded);
}

Policy read(const bj::object& object) {
  Policy policy;
  each_setting([&](const auto& setting) {
    if (!setting.later || object.contains(setting.name)) read(object.at(setting.name), policy.*setting.member);
  });
  return policy;
}

}  // namespace

std::string LineWriter::policy(const Policy& policy) {
  bj::object object;
  each_setting([&](const auto& setting) { object[setting.name] = written(policy.*setting.member); });
  return fmt::format("{{\"policy\":{}}}\n", bj::serialize(object));
}

bool says_former_scoring(const bj::value& policy) {
  const auto* object = policy.if_object();
  const auto* scoring = object ? object->if_contains("scoring") : nullptr;
  return scoring && scoring->is_string() && scoring->get_string() == kFormerScoring;
}

Result<Policy> read_policy(const bj::value& value) {
  try {
    return read(value.as_object());
  } catch (const std::exception& error) {
    return fail(ErrorCode::corrupt, std::string("a policy cannot be read: ") + error.what());
  }
}

}  // namespace ym
