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
struct Fields<HistorySegment> {
  static constexpr std::tuple list{field("name", &HistorySegment::name),
                                   field("from", &HistorySegment::from),
                                   field("to", &HistorySegment::to),
                                   field("chain", &HistorySegment::chain),
                                   field("seal", &HistorySegment::seal),
                                   field("jobs", &HistorySegment::jobs),
                                   field("bytes", &HistorySegment::bytes),
                                   field("sha256", &HistorySegment::sha256),
                                   field("first_at", &HistorySegment::first_at),
                                   field("last_at", &HistorySegment::last_at)};
};

template <>
struct Fields<ErasedSeal> {
  static constexpr std::tuple list{field("seal", &ErasedSeal::seal), field("digest", &ErasedSeal::digest)};
};
template <>
struct Fields<Erasure> {
  static constexpr std::tuple list{
      field("name", &Erasure::name),    field("event", &Erasure::event),    field("at", &Erasure::at),
      field("erased_by", &Erasure::by), sparse("reason", &Erasure::reason), field("events", &Erasure::events),
      field("jobs", &Erasure::jobs),    field("tokens", &Erasure::tokens),  field("segments", &Erasure::segments),
      field("seals", &Erasure::seals)};
};

template <>
struct Fields<PolicyRow> {
  static constexpr std::tuple list{field("name", &PolicyRow::name), field("settings", &PolicyRow::settings)};
};

template <>
struct Fields<Provisioned> {
  static constexpr std::tuple list{field("user_name", &Provisioned::user_name),
                                   sparse("external_id", &Provisioned::external_id),
                                   field("state", &Provisioned::state), sparse("groups", &Provisioned::groups)};
};
template <>
struct Fields<ProvisionedGroup> {
  static constexpr std::tuple list{
      field("name", &ProvisionedGroup::name),       field("issuer", &ProvisionedGroup::issuer),
      field("display", &ProvisionedGroup::display), sparse("external_id", &ProvisionedGroup::external_id),
      sparse("group", &ProvisionedGroup::group),    field("created_at", &ProvisionedGroup::created_at)};
};
template <>
struct Fields<Principal> {
  static constexpr std::tuple list{field("name", &Principal::name),
                                   field("kind", &Principal::kind),
                                   field("handle", &Principal::handle),
                                   sparse("issuer", &Principal::issuer),
                                   sparse("subject", &Principal::subject),
                                   sparse("display", &Principal::display),
                                   sparse("email", &Principal::email),
                                   sparse("groups", &Principal::groups),
                                   sparse("issuer_groups", &Principal::issuer_groups),
                                   sparse("issuer_groups_until", &Principal::issuer_groups_until),
                                   sparse("issuer_groups_from", &Principal::issuer_groups_from),
                                   sparse("login_name", &Principal::login_name),
                                   sparse("awaited", &Principal::awaited),
                                   sparse("provisioned", &Principal::provisioned),
                                   field("created_at", &Principal::created_at),
                                   field("created_by", &Principal::created_by),
                                   field("disabled_at", &Principal::disabled_at)};
};
template <>
struct Fields<AccessToken> {
  static constexpr std::tuple list{field("name", &AccessToken::name),
                                   field("hash", &AccessToken::hash),
                                   field("principal", &AccessToken::principal),
                                   sparse("scopes", &AccessToken::scopes),
                                   field("created_at", &AccessToken::created_at),
                                   field("expires_at", &AccessToken::expires_at),
                                   field("created_by", &AccessToken::created_by),
                                   sparse("note", &AccessToken::note),
                                   sparse("kind", &AccessToken::kind),
                                   sparse("proof", &AccessToken::proof),
                                   sparse("last_used_at", &AccessToken::last_used_at),
                                   sparse("idle_limit", &AccessToken::idle_limit)};
};
template <>
struct Fields<Role> {
  static constexpr std::tuple list{field("name", &Role::name), field("permissions", &Role::permissions),
                                   sparse("description", &Role::description)};
};
template <>
struct Fields<Scope> {
  static constexpr std::tuple list{field("kind", &Scope::kind), sparse("name", &Scope::name)};
};
template <>
struct Fields<Grantee> {
  static constexpr std::tuple list{field("kind", &Grantee::kind), field("name", &Grantee::name)};
};
template <>
struct Fields<Binding> {
  static constexpr std::tuple list{field("name", &Binding::name),
                                   field("role", &Binding::role),
                                   field("grantee", &Binding::grantee),
                                   field("scope", &Binding::scope),
                                   field("expires_at", &Binding::expires_at),
                                   field("created_by", &Binding::created_by),
                                   field("managed_by", &Binding::managed_by)};
};
template <>
struct Fields<Project> {
  static constexpr std::tuple list{field("name", &Project::name), sparse("description", &Project::description),
                                   field("visibility", &Project::visibility),
                                   field("managed_by", &Project::managed_by)};
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
