// PolicySettings: the settings of the whole site that were set explicitly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "model/scoring.h"
#include "model/usage.h"

namespace ym {

// A setting without a value is taken from the next level below. The lowest level is the engine's default
// (engine/engine.h, Policy, which describes each setting).
struct PolicySettings {
  std::optional<Duration> age_cap, start_allowance, usage_half_life;
  std::optional<FairShare> fair_share;
  std::optional<Scoring> scoring;
  std::optional<FlavorChoice> flavor_choice;
  std::optional<Consolidation> consolidation;
  std::optional<Resizing> resizing;
  std::optional<Duration> resize_interval;
  std::optional<Duration> restart_cost, reclaim_min_runtime_cap, hold_margin;
  std::optional<std::int32_t> preemptions_per_hour;
  bool operator==(const PolicySettings&) const = default;
};

// The settings of `above`. Those without a value there are taken from `below`.
PolicySettings over(const PolicySettings& above, const PolicySettings& below);

// The settings that were set while the server ran. They override those of the configuration file.
struct PolicyRow {
  static constexpr std::string_view kTable = "policies", kRow = "policy";
  // The engine gets the policy with each cycle.
  static constexpr bool kConcernsEngine = false;
  std::string name;  // kPolicyName: there is one row
  PolicySettings settings;
  bool operator==(const PolicyRow&) const = default;
};
inline constexpr const char* kPolicyName = "site";

}  // namespace ym
