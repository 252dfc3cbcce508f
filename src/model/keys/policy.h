// The keys of `scheduling` and `preemption`: how the whole site schedules.
#pragma once

#include "model/job.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"
#include "model/policy_settings.h"

namespace ym::keys {

template <>
struct Keys<PolicySettings> {
  using R = PolicySettings;
  static constexpr Duration kLongest = hours(365 * 24);
  static constexpr std::tuple list{
      section(
          "scheduling", "Order and places.",
          Setting{Key{"age_cap", &R::age_cap, Span{seconds(1), kLongest},
                      About{"A job that has waited longer may block backfill. See [the age "
                            "cap](why-jobs-wait.md#the-age-cap). `365d` turns the rule off.",
                            "12h"},
                      Traits{.stored = "age_cap_ms", .shown = Shown::if_set}},
                  hours(4)},
          Setting{
              Key{"start_allowance", &R::start_allowance, Span{{}, hours(24)},
                  About{"Time from a decision until user code runs. A backfilled job must end before the reservation "
                        "even if its start takes this long. Make it longer if images are pulled.",
                        "5m"},
                  Traits{.stored = "start_allowance_ms", .shown = Shown::if_set}},
              minutes(1)},
          Setting{
              Key{"usage_half_life", &R::usage_half_life, Span{kUsageSampling, kLongest},
                  About{"Half-life of past usage. Usage is kept for each user of each queue, sampled once a minute, "
                        "and durable. Each admission counts as one minute at once.",
                        "1d"},
                  Traits{.stored = "usage_half_life_ms", .shown = Shown::if_set}},
              kUsageHalfLife},
          Setting{Key{"fair_share", &R::fair_share, OneOf<FairShare>{},
                      About{"`decayed`: queues that borrow are compared by decayed usage first, then by present usage. "
                            "`instant`: only by present usage.",
                            "instant"},
                      Traits{.shown = Shown::if_set}},
                  FairShare::decayed},
          Setting{Key{"placement", &R::scoring, ByHand{OneOf<Scoring>{}},
                      About{"Which of the nodes with room a job gets.", "pack"},
                      Traits{.stored = "scoring", .shown = Shown::if_set}},
                  Scoring::fgd},
          Former{"waste_table"},
          Setting{Key{"flavors", &R::flavor_choice, OneOf<FlavorChoice>{},
                      About{"`listed`: a job tries flavors, and with them clusters, in the order of its queue's quota, "
                            "else of the configuration. `cheapest`: by price, the lowest first.",
                            "cheapest"},
                      Traits{.stored = "flavor_choice", .shown = Shown::if_set}},
                  FlavorChoice::listed},
          Setting{Key{"consolidation", &R::consolidation, OneOf<Consolidation>{},
                      About{"Moves running jobs to open a place for a gang. See below.", "advice"},
                      Traits{.shown = Shown::if_set}},
                  Consolidation::off},
          Setting{
              Key{"resize", &R::resizing, OneOf<Resizing>{},
                  About{"`on`: running elastic jobs grow when no job waits for the nodes. This setting does not affect "
                        "shrinking elastic jobs instead of preempting others.",
                        "off"},
                  Traits{.stored = "resizing", .shown = Shown::if_set}},
              Resizing::on},
          Setting{Key{"resize_interval", &R::resize_interval, Span{seconds(1), kLongest},
                      About{"Shortest time for which an attempt keeps its size before it grows.", "1h"},
                      Traits{.stored = "resize_interval_ms", .shown = Shown::if_set}},
                  minutes(30)}),
      section(
          "preemption", "Preemption.",
          Setting{
              Key{"restart_cost", &R::restart_cost, Span{{}, hours(24)},
                  About{
                      "Cost of a stop beside the work since the last checkpoint, for each GPU: loading, warming up. It "
                      "decides which jobs are preempted, and is part of [lost GPU time](training.md#lost-gpu-time).",
                      "30s"},
                  Traits{.stored = "restart_cost_ms", .shown = Shown::if_set}},
              minutes(1)},
          Setting{Key{"reclaim_min_runtime_cap", &R::reclaim_min_runtime_cap, Span{{}, kLongest},
                      About{"Longest time for which a job's own `preemption.min_runtime` protects it from a queue that "
                            "reclaims quota.",
                            "30m"},
                      Traits{.stored = "reclaim_min_runtime_cap_ms", .shown = Shown::if_set}},
                  minutes(10)},
          Setting{Key{"preemptions_per_hour", &R::preemptions_per_hour,
                      Whole{0, static_cast<std::int64_t>(kKeptPreemptions)},
                      About{"A job that was preempted this often within an hour is left alone. 0: no job is ever "
                            "preempted for another.",
                            "2"},
                      Traits{.shown = Shown::if_set}},
                  4},
          Setting{Key{"hold_margin", &R::hold_margin, Span{seconds(1), hours(24)},
                      About{"A nominated placement is kept for the longest grace of the preempted jobs plus this time.",
                            "5m"},
                      Traits{.stored = "hold_margin_ms", .shown = Shown::if_set}},
                  minutes(2)}),
      section(
          "user_limits", "What one user may use at once. Others are then served as if it were not there.",
          Setting{Key{"requests_per_second", &R::requests_per_second, Whole{1, 1'000'000, "requests"},
                      About{"Requests to the API. Twice as many may come at once. Requests beyond it get 429.", "200"},
                      Traits{.shown = Shown::if_set}},
                  std::int64_t{20'000}},
          Setting{Key{"requests_in_progress", &R::requests_in_progress, Whole{1, 1'000'000, "requests"},
                      About{"Requests, followed feeds and followed logs at the same time. Further ones get 429.", "64"},
                      Traits{.shown = Shown::if_set}},
                  std::int64_t{4'096}},
          Setting{Key{"log_bytes_per_second", &R::log_bytes_per_second, Bytes{.least = std::int64_t{64} << 10},
                      About{"Logs that it reads. Beyond it they come later.", "16MiB"}, Traits{.shown = Shown::if_set}},
                  std::int64_t{1} << 30},
          Setting{Key{"unfinished_jobs", &R::unfinished_jobs, Whole{1, 1'000'000, "jobs"},
                      About{"Its jobs that wait or run. Submits beyond it get 429.", "2000"},
                      Traits{.shown = Shown::if_set}},
                  std::int64_t{200'000}},
          Setting{Key{"spec_bytes", &R::spec_bytes, Bytes{.least = std::int64_t{1} << 20},
                      About{"Memory of the specs of these jobs. The members of an array share one.", "64MiB"},
                      Traits{.shown = Shown::if_set}},
                  std::int64_t{64} << 20}),
  };
};

// Calls `visit` for each setting, with the name of its section and its entry.
template <class Visit>
constexpr void for_each_setting(const Visit& visit) {
  const auto visit_section = [&](const auto& section) {
    const auto visit_if_setting = [&](const auto& entry) {
      if constexpr (requires { entry.member; }) visit(section.name, entry);
    };
    std::apply([&](const auto&... entry) { (visit_if_setting(entry), ...); }, section.entries);
  };
  std::apply([&](const auto&... section) { (visit_section(section), ...); }, Keys<PolicySettings>::list);
}

// The settings that apply if none is set. A test compares them with the defaults of the engine.
constexpr PolicySettings default_settings() {
  PolicySettings settings;
  for_each_setting([&](std::string_view, const auto& entry) { settings.*entry.member = entry.by_default; });
  return settings;
}

}  // namespace ym::keys
