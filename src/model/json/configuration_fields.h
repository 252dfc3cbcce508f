// The fields of inventory and configuration; see fields.h.
#pragma once

#include "model/budget.h"
#include "model/json/fields.h"
#include "model/policy_settings.h"
#include "model/reservation.h"

namespace ym::json {

template <>
struct Fields<Device> {
  static constexpr std::tuple list{field("id", &Device::id),
                                   field("healthy", &Device::healthy),
                                   field("physical", &Device::physical),
                                   sparse("profile", &Device::profile),
                                   sparse("memory", &Device::memory_bytes),
                                   sparse("foreign", &Device::foreign),
                                   sparse("message", &Device::message)};
};
template <>
struct Fields<Node> {
  static constexpr std::tuple list{
      field("name", &Node::name),          field("cluster", &Node::cluster),
      field("gpu_type", &Node::gpu_type),  field("devices", &Node::devices),
      field("cpus", &Node::cpus),          field("memory", &Node::memory_bytes),
      field("labels", &Node::labels),      field("schedulable", &Node::schedulable),
      sparse("withheld", &Node::withheld), sparse("full", &Node::full),
      field("message", &Node::message),
  };
};
template <>
struct Fields<Cluster> {
  static constexpr std::tuple list{field("name", &Cluster::name),          field("executor", &Cluster::executor),
                                   sparse("identity", &Cluster::identity), field("available", &Cluster::available),
                                   sparse("topology", &Cluster::topology), field("managed_by", &Cluster::managed_by)};
};
template <>
struct Fields<ElasticCapacity> {
  static constexpr std::tuple list{field("max_nodes", &ElasticCapacity::max_nodes),
                                   field("provisioning_ms", &ElasticCapacity::provisioning),
                                   field("idle_ms", &ElasticCapacity::idle), field("node", &ElasticCapacity::node)};
};
template <>
struct Fields<WantedNodes> {
  static constexpr std::tuple list{field("nodes", &WantedNodes::nodes), field("since", &WantedNodes::since)};
};
template <>
struct Fields<Flavor> {
  static constexpr std::tuple list{
      field("name", &Flavor::name),
      field("gpu_type", &Flavor::gpu_type),
      field("cluster", &Flavor::cluster),
      field("labels", &Flavor::labels),
      field("price_micros_per_gpu_hour", &Flavor::price_micros_per_gpu_hour),
      sparse("spot", &Flavor::spot),
      added("rank", &Flavor::rank),
      sparse("elastic", &Flavor::elastic),
      sparse("wanted", &Flavor::wanted),
      field("managed_by", &Flavor::managed_by),
  };
};
template <>
struct Fields<Quota> {
  static constexpr std::tuple list{field("nominal", &Quota::nominal), field("borrowing_limit", &Quota::borrowing_limit),
                                   field("lending_limit", &Quota::lending_limit)};
};
template <>
struct Fields<MinRuntime> {
  static constexpr std::tuple list{field("priority_ms", &MinRuntime::priority),
                                   field("reclaim_ms", &MinRuntime::reclaim)};
};
template <>
struct Fields<AgeBoost> {
  static constexpr std::tuple list{field("every_ms", &AgeBoost::every), field("most", &AgeBoost::most)};
};
template <>
struct Fields<RunLimit> {
  static constexpr std::tuple list{sparse("jobs", &RunLimit::jobs), sparse("gpus_milli", &RunLimit::gpus_milli)};
};
template <>
struct Fields<Budget> {
  static constexpr std::tuple list{field("unit", &Budget::unit), field("amount", &Budget::amount),
                                   field("per", &Budget::per)};
};
template <>
struct Fields<WaitPromise> {
  static constexpr std::tuple list{field("priority", &WaitPromise::priority), field("within_ms", &WaitPromise::within)};
};
template <>
struct Fields<DefaultFor> {
  static constexpr std::tuple list{sparse("users", &DefaultFor::users), sparse("projects", &DefaultFor::projects)};
};
template <>
struct Fields<Queue> {
  static constexpr std::tuple list{
      field("name", &Queue::name),
      field("parent", &Queue::parent),
      field("quota", &Queue::quota),
      field("age_cap_ms", &Queue::age_cap_ms),
      added("preempt", &Queue::preempt),
      added("reclaim", &Queue::reclaim),
      sparse("preempt_to_borrow", &Queue::preempt_to_borrow),
      added("min_runtime", &Queue::min_runtime),
      added("fence", &Queue::fence),
      added("weight_milli", &Queue::weight_milli),
      sparse("when_can_borrow", &Queue::when_can_borrow),
      added("when_can_preempt", &Queue::when_can_preempt),
      added("order", &Queue::order),
      sparse("service_levels_ms", &Queue::service_levels),
      sparse("age_boost", &Queue::age_boost),
      sparse("fair_users", &Queue::fair_users),
      sparse("strict", &Queue::strict),
      sparse("stop", &Queue::stop),
      added("reservations", &Queue::reservations),
      sparse("run_limit", &Queue::run_limit),
      sparse("user_run_limit", &Queue::user_run_limit),
      sparse("budgets", &Queue::budgets),
      sparse("shrink_after_ms", &Queue::shrink_after),
      sparse("shrunk_at", &Queue::shrunk_at),
      sparse("wait_promises", &Queue::wait_promises),
      sparse("default_for", &Queue::default_for),
      field("accepts_jobs", &Queue::accepts_jobs),
      field("managed_by", &Queue::managed_by),
      sparse("applied", &Queue::applied),
  };
};

template <>
struct Fields<AdvanceReservation> {
  static constexpr std::tuple list{
      field("name", &AdvanceReservation::name),        field("from", &AdvanceReservation::from),
      field("until", &AdvanceReservation::until),      field("nodes", &AdvanceReservation::nodes),
      sparse("users", &AdvanceReservation::users),     sparse("queues", &AdvanceReservation::queues),
      sparse("message", &AdvanceReservation::message), field("created_by", &AdvanceReservation::created_by)};
};

template <>
struct Fields<PolicySettings> {
  static constexpr std::tuple list{sparse("age_cap_ms", &PolicySettings::age_cap),
                                   sparse("start_allowance_ms", &PolicySettings::start_allowance),
                                   sparse("usage_half_life_ms", &PolicySettings::usage_half_life),
                                   sparse("fair_share", &PolicySettings::fair_share),
                                   sparse("scoring", &PolicySettings::scoring),
                                   sparse("flavor_choice", &PolicySettings::flavor_choice),
                                   sparse("consolidation", &PolicySettings::consolidation),
                                   sparse("resizing", &PolicySettings::resizing),
                                   sparse("resize_interval_ms", &PolicySettings::resize_interval),
                                   sparse("restart_cost_ms", &PolicySettings::restart_cost),
                                   sparse("reclaim_min_runtime_cap_ms", &PolicySettings::reclaim_min_runtime_cap),
                                   sparse("hold_margin_ms", &PolicySettings::hold_margin),
                                   sparse("preemptions_per_hour", &PolicySettings::preemptions_per_hour)};
};

template <>
struct Fields<PolicyRow> {
  static constexpr std::tuple list{field("name", &PolicyRow::name), field("settings", &PolicyRow::settings)};
};

template <>
struct Fields<Cost> {
  static constexpr std::tuple list{field("gpu_ms", &Cost::gpu_ms), field("money_micros", &Cost::money_micros)};
};
template <>
struct Fields<Spending> {
  static constexpr std::tuple list{field("name", &Spending::name), field("queue", &Spending::queue),
                                   field("day", &Spending::day), field("cost", &Spending::cost)};
};
template <>
struct Fields<FlavorUsage> {
  static constexpr std::tuple list{field("flavor", &FlavorUsage::flavor), field("decayed", &FlavorUsage::decayed),
                                   sparse("entered", &FlavorUsage::entered)};
};
template <>
struct Fields<Usage> {
  static constexpr std::tuple list{field("name", &Usage::name), field("queue", &Usage::queue),
                                   field("user", &Usage::user), field("sampled_at", &Usage::sampled_at),
                                   field("flavors", &Usage::flavors)};
};

}  // namespace ym::json
