// The fields of each kind of reason, listed once. The numbers of the API and the canonical texts come from these
// lists.
//
// The names of numbers and times are part of the API: they never change.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "engine/reason.h"

namespace ym::engine {

template <class Owner, class Member>
struct ReasonField {
  std::string_view name;
  Member Owner::* member;
  bool unless_zero = false;  // leave the field out if it is 0
};
template <class Owner, class Member>
constexpr ReasonField<Owner, Member> field(std::string_view name, Member Owner::* member) {
  return {name, member};
}
template <class Owner>
constexpr ReasonField<Owner, std::int64_t> unless_zero(std::string_view name, std::int64_t Owner::* member) {
  return {name, member, true};
}

template <class T>
struct ReasonFields;
template <class T>
concept HasReasonFields = requires { ReasonFields<T>::list; };

// Calls `visit` with the name and the value of each field, also of the fields of nested parts. An optional field
// without a value is skipped.
template <HasReasonFields T, class Visit>
void for_each_field(const T& owner, Visit&& visit);

template <class Member, class Visit>
void visit_member(std::string_view name, const Member& member, Visit& visit) {
  if constexpr (HasReasonFields<Member>) for_each_field(member, visit);
  else visit(name, member);
}
template <class Member, class Visit>
void visit_member(std::string_view name, const std::optional<Member>& member, Visit& visit) {
  if (member) visit(name, *member);
}
template <HasReasonFields T, class Visit>
void for_each_field(const T& owner, Visit&& visit) {
  const auto one = [&](const auto& f) {
    const auto& member = owner.*f.member;
    if (!f.unless_zero || member != std::remove_cvref_t<decltype(member)>{}) visit_member(f.name, member, visit);
  };
  std::apply([&](const auto&... f) { (one(f), ...); }, ReasonFields<T>::list);
}

template <>
struct ReasonFields<AskedNodes> {
  static constexpr std::tuple list{
      field("flavor", &AskedNodes::flavor),     field("queue", &AskedNodes::queue),
      field("needed", &AskedNodes::needed),     field("possible", &AskedNodes::possible),
      field("matching", &AskedNodes::matching), field("gpus_per_node", &AskedNodes::gpus_per_node)};
};
template <>
struct ReasonFields<LentOut> {
  static constexpr std::tuple list{field("within", &LentOut::queue),
                                   field("lent_to", &LentOut::to),
                                   field("fence", &LentOut::fence),
                                   field("lent_flavor", &LentOut::flavor),
                                   field("lent_of", &LentOut::of),
                                   field("lent", &LentOut::lent),
                                   field("lent_to_jobs", &LentOut::lent_to_jobs),
                                   unless_zero("stopping", &LentOut::stopping),
                                   unless_zero("reclaim_never", &LentOut::reclaim_never),
                                   unless_zero("fenced", &LentOut::fenced),
                                   unless_zero("not_lower", &LentOut::not_lower),
                                   unless_zero("unpreemptible", &LentOut::unpreemptible),
                                   unless_zero("in_min_runtime", &LentOut::in_min_runtime),
                                   field("min_runtime_until_ms", &LentOut::min_runtime_until),
                                   unless_zero("stopped_often", &LentOut::stopped_often),
                                   field("stopped_often_until_ms", &LentOut::stopped_often_until),
                                   unless_zero("stopped_since", &LentOut::stopped_since),
                                   unless_zero("unreachable", &LentOut::unreachable),
                                   unless_zero("stoppable", &LentOut::stoppable),
                                   unless_zero("too_little", &LentOut::too_little),
                                   unless_zero("not_first", &LentOut::not_first),
                                   unless_zero("no_nodes", &LentOut::no_nodes)};
};

template <>
struct ReasonFields<NotEvaluated> {
  static constexpr std::tuple<> list{};
};
template <>
struct ReasonFields<OnlyCode> {
  static constexpr std::tuple<> list{};  // the reason's code is its only fact
};
template <>
struct ReasonFields<JobIsHeld> {
  static constexpr std::tuple<> list{};
};
template <>
struct ReasonFields<QueueIsHeld> {
  static constexpr std::tuple list{field("queue", &QueueIsHeld::queue)};
};
template <>
struct ReasonFields<QueueIsFaulty> {
  static constexpr std::tuple list{field("about", &QueueIsFaulty::fault), field("queue", &QueueIsFaulty::queue)};
};
template <>
struct ReasonFields<TriedAgainLater> {
  static constexpr std::tuple list{field("until_ms", &TriedAgainLater::until)};
};
template <>
struct ReasonFields<NoFlavor> {
  static constexpr std::tuple list{field("queue", &NoFlavor::queue), field("about", &NoFlavor::of),
                                   field("needed", &NoFlavor::needed), field("max", &NoFlavor::max)};
};
template <>
struct ReasonFields<MoreThanMaxQuota> {
  static constexpr std::tuple list{field("queue", &MoreThanMaxQuota::queue), field("flavor", &MoreThanMaxQuota::flavor),
                                   field("about", &MoreThanMaxQuota::of), field("needed", &MoreThanMaxQuota::needed),
                                   field("max", &MoreThanMaxQuota::max)};
};
template <>
struct ReasonFields<NoAnchor> {
  static constexpr std::tuple list{field("queue", &NoAnchor::queue), field("needed", &NoAnchor::needed)};
};
template <>
struct ReasonFields<NoNodes> {
  static constexpr std::tuple list{field("nodes", &NoNodes::nodes)};
};
template <>
struct ReasonFields<NoGpuType> {
  static constexpr std::tuple list{field("nodes", &NoGpuType::nodes), field("wanted", &NoGpuType::wanted),
                                   field("offered", &NoGpuType::offered)};
};
template <>
struct ReasonFields<NoSlices> {
  static constexpr std::tuple list{field("nodes", &NoSlices::nodes), field("wanted", &NoSlices::wanted),
                                   field("offered", &NoSlices::offered)};
};
template <>
struct ReasonFields<NoLabel> {
  static constexpr std::tuple list{field("nodes", &NoLabel::nodes), field("wanted", &NoLabel::wanted),
                                   field("offered", &NoLabel::offered)};
};
template <>
struct ReasonFields<NoContainers> {
  static constexpr std::tuple list{field("nodes", &NoContainers::nodes)};
};
template <>
struct ReasonFields<NoLevel> {
  static constexpr std::tuple list{field("nodes", &NoLevel::nodes), field("level", &NoLevel::level)};
};
template <>
struct ReasonFields<NoneHasAll> {
  static constexpr std::tuple list{field("nodes", &NoneHasAll::nodes), field("wanted", &NoneHasAll::wanted)};
};
template <>
struct ReasonFields<AllExcluded> {
  static constexpr std::tuple list{field("nodes", &AllExcluded::nodes)};
};
template <>
struct ReasonFields<TooManyExcluded> {
  static constexpr std::tuple list{
      field("flavor", &TooManyExcluded::flavor),     field("place", &TooManyExcluded::place),
      field("parts", &TooManyExcluded::parts),       field("needed", &TooManyExcluded::needed),
      field("possible", &TooManyExcluded::possible), field("excluded", &TooManyExcluded::excluded)};
};
template <>
struct ReasonFields<TooFewNodes> {
  static constexpr std::tuple list{field("nodes", &TooFewNodes::nodes), field("place", &TooFewNodes::place)};
};
template <>
struct ReasonFields<NodesTooSmall> {
  static constexpr std::tuple list{field("flavor", &NodesTooSmall::flavor), field("rules", &NodesTooSmall::rules),
                                   field("about", &NodesTooSmall::of), field("needed", &NodesTooSmall::needed),
                                   field("largest", &NodesTooSmall::largest)};
};
template <>
struct ReasonFields<GpusTooSmall> {
  static constexpr std::tuple list{field("flavor", &GpusTooSmall::flavor), field("rules", &GpusTooSmall::rules),
                                   field("needed", &GpusTooSmall::needed), field("largest", &GpusTooSmall::largest)};
};
template <>
struct ReasonFields<NoNodeHasAllKinds> {
  static constexpr std::tuple list{field("flavor", &NoNodeHasAllKinds::flavor), field("gpus", &NoNodeHasAllKinds::gpus),
                                   field("cpus", &NoNodeHasAllKinds::cpus),
                                   field("memory", &NoNodeHasAllKinds::memory)};
};
template <>
struct ReasonFields<PartsNeverTogether> {
  static constexpr std::tuple list{field("flavor", &PartsNeverTogether::flavor),
                                   field("place", &PartsNeverTogether::place),
                                   field("lacking", &PartsNeverTogether::lacking),
                                   field("needed", &PartsNeverTogether::needed),
                                   field("nodes_needed", &PartsNeverTogether::nodes_needed),
                                   field("nodes_possible", &PartsNeverTogether::nodes_possible)};
};
template <>
struct ReasonFields<OverTheBudget> {
  static constexpr std::tuple list{field("queue", &OverTheBudget::queue),   field("flavor", &OverTheBudget::flavor),
                                   field("about", &OverTheBudget::unit),    field("per", &OverTheBudget::per),
                                   field("needed", &OverTheBudget::needed), field("used", &OverTheBudget::used),
                                   field("budget", &OverTheBudget::budget), field("until_ms", &OverTheBudget::until)};
};
template <>
struct ReasonFields<TooManyJobs> {
  static constexpr std::tuple list{field("queue", &TooManyJobs::queue), field("user", &TooManyJobs::user),
                                   field("needed", &TooManyJobs::needed), field("used", &TooManyJobs::used),
                                   field("max", &TooManyJobs::max)};
};
template <>
struct ReasonFields<TooManyGpus> {
  static constexpr std::tuple list{field("queue", &TooManyGpus::queue), field("user", &TooManyGpus::user),
                                   field("needed", &TooManyGpus::needed), field("used", &TooManyGpus::used),
                                   field("max", &TooManyGpus::max)};
};
template <>
struct ReasonFields<TooManyOfArray> {
  static constexpr std::tuple list{field("array", &TooManyOfArray::array), field("needed", &TooManyOfArray::needed),
                                   field("used", &TooManyOfArray::used), field("max", &TooManyOfArray::max)};
};
template <>
struct ReasonFields<QuotaInUse> {
  static constexpr std::tuple list{field("queue", &QuotaInUse::queue),
                                   field("flavor", &QuotaInUse::flavor),
                                   field("about", &QuotaInUse::of),
                                   field("needed", &QuotaInUse::needed),
                                   field("available", &QuotaInUse::available),
                                   field("used", &QuotaInUse::used),
                                   field("nominal", &QuotaInUse::nominal),
                                   field("borrow", &QuotaInUse::borrow)};
};
template <>
struct ReasonFields<BehindAgedJob> {
  static constexpr std::tuple list{field("flavor", &BehindAgedJob::flavor), field("blocker", &BehindAgedJob::blocker)};
};
template <>
struct ReasonFields<BehindHead> {
  static constexpr std::tuple list{field("queue", &BehindHead::queue), field("blocker", &BehindHead::blocker)};
};
template <>
struct ReasonFields<ReservedForOther> {
  static constexpr std::tuple list{field("flavor", &ReservedForOther::flavor),
                                   field("blocker", &ReservedForOther::blocker),
                                   field("from_ms", &ReservedForOther::from)};
};
template <>
struct ReasonFields<NodesClosed> {
  static constexpr std::tuple list{field("flavor", &NodesClosed::flavor),
                                   field("reservation", &NodesClosed::reservation),
                                   field("from_ms", &NodesClosed::from), field("until_ms", &NodesClosed::until)};
};
template <>
struct ReasonFields<NodesInUse> {
  static constexpr std::tuple list{field("flavor", &NodesInUse::flavor),
                                   field("place", &NodesInUse::place),
                                   field("needed", &NodesInUse::needed),
                                   field("free", &NodesInUse::free),
                                   field("gpus_per_node", &NodesInUse::gpus_per_node),
                                   unless_zero("drained", &NodesInUse::drained)};
};
template <>
struct ReasonFields<ResourceInUse> {
  static constexpr std::tuple list{field("flavor", &ResourceInUse::flavor), field("about", &ResourceInUse::of),
                                   field("needed", &ResourceInUse::needed), field("free", &ResourceInUse::free),
                                   unless_zero("drained", &ResourceInUse::drained)};
};
template <>
struct ReasonFields<NodesNotMadeYet> {
  static constexpr std::tuple list{field("flavor", &NodesNotMadeYet::flavor), field("needed", &NodesNotMadeYet::needed),
                                   field("free", &NodesNotMadeYet::free), field("most", &NodesNotMadeYet::most),
                                   field("gpus_per_node", &NodesNotMadeYet::gpus_per_node)};
};
template <>
struct ReasonFields<AnchorApart> {
  static constexpr std::tuple list{field("flavor", &AnchorApart::flavor), field("place", &AnchorApart::place),
                                   field("anchor", &AnchorApart::anchor), field("others", &AnchorApart::others)};
};
template <>
struct ReasonFields<GroupsApart> {
  static constexpr std::tuple list{field("flavor", &GroupsApart::flavor), field("place", &GroupsApart::place),
                                   field("groups", &GroupsApart::groups), field("needed", &GroupsApart::needed)};
};
template <>
struct ReasonFields<NodesApart> {
  static constexpr std::tuple list{field("flavor", &NodesApart::flavor), field("place", &NodesApart::place),
                                   field("needed", &NodesApart::needed), field("free", &NodesApart::free)};
};
template <>
struct ReasonFields<GpuMemoryApart> {
  static constexpr std::tuple list{field("flavor", &GpuMemoryApart::flavor), field("needed", &GpuMemoryApart::needed),
                                   field("largest", &GpuMemoryApart::largest)};
};
template <>
struct ReasonFields<ResourceApart> {
  static constexpr std::tuple list{field("flavor", &ResourceApart::flavor),
                                   field("place", &ResourceApart::place),
                                   field("about", &ResourceApart::of),
                                   field("needed", &ResourceApart::needed),
                                   field("free", &ResourceApart::free),
                                   field("largest", &ResourceApart::largest),
                                   field("nodes_needed", &ResourceApart::nodes_needed),
                                   field("nodes_free", &ResourceApart::nodes_free)};
};
template <>
struct ReasonFields<RoomIsMade> {
  static constexpr std::tuple list{field("stopping", &RoomIsMade::stopping), field("until_ms", &RoomIsMade::until)};
};
template <>
struct ReasonFields<NodesAreMade> {
  static constexpr std::tuple list{field("flavor", &NodesAreMade::flavor), field("nodes", &NodesAreMade::nodes),
                                   field("since_ms", &NodesAreMade::since), field("until_ms", &NodesAreMade::until)};
};
template <>
struct ReasonFields<ClusterUnreachable> {
  static constexpr std::tuple list{field("flavor", &ClusterUnreachable::flavor),
                                   field("needed", &ClusterUnreachable::needed),
                                   field("unavailable", &ClusterUnreachable::unavailable)};
};

}  // namespace ym::engine
