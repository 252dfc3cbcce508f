// PolicySettings: how the whole site schedules, as far as somebody has said so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "model/scoring.h"
#include "model/usage.h"

namespace ym {

// What is left out is as it would be without: what is below it says, in the end the engine (engine/engine.h, Policy,
// which says what each of them means).
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

// What `above` says, and of the rest what `below` does.
PolicySettings over(const PolicySettings& above, const PolicySettings& below);

// What was set while the server ran: it is above what the configuration file says.
struct PolicyRow {
  static constexpr std::string_view kTable = "policies", kRow = "policy";
  std::string name;  // kPolicyName: there is one
  PolicySettings settings;
  bool operator==(const PolicyRow&) const = default;
};
inline constexpr const char* kPolicyName = "site";

}  // namespace ym
