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
  // Of each user (UserLimits).
  std::optional<std::int64_t> requests_per_second, requests_in_progress, log_bytes_per_second;
  std::optional<std::int64_t> unfinished_jobs, spec_bytes;
  bool operator==(const PolicySettings&) const = default;
};

// What one user may use at once, so that others are served as if it were not there. A limit that no setting gives is
// that of keys::default_settings().
struct UserLimits {
  std::int64_t requests_per_second = 0, requests_in_progress = 0, log_bytes_per_second = 0;
  std::int64_t unfinished_jobs = 0, spec_bytes = 0;
  bool operator==(const UserLimits&) const = default;
};
UserLimits user_limits_of(const PolicySettings& settings);

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
