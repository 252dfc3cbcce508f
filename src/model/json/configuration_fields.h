// The stored fields of inventory and configuration; see fields.h.
#pragma once

#include "model/budget.h"
#include "model/json/fields.h"
#include "model/keys/flavor.h"
#include "model/keys/policy.h"
#include "model/keys/queue.h"
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
      field("message", &Node::message),    sparse("leaving", &Node::leaving),
  };
};
template <>
struct Fields<Cluster> {
  static constexpr std::tuple list{field("name", &Cluster::name),          field("executor", &Cluster::executor),
                                   sparse("identity", &Cluster::identity), field("available", &Cluster::available),
                                   sparse("topology", &Cluster::topology), field("managed_by", &Cluster::managed_by)};
};
template <>
struct Fields<WantedNodes> {
  static constexpr std::tuple list{field("nodes", &WantedNodes::nodes), field("since", &WantedNodes::since)};
};
template <>
struct Fields<Quota> {
  static constexpr std::tuple list{field("nominal", &Quota::nominal), field("borrowing_limit", &Quota::borrowing_limit),
                                   field("lending_limit", &Quota::lending_limit)};
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
