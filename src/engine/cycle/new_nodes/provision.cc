// Which nodes to make, and for which jobs.
//
// Jobs that wait for machines are counted in their order, each in the first of its flavors that is elastic and for
// which it has quota. A job that quota, a limit or a budget holds back is no reason to make nodes. Nor is a job with a
// place, or with a reservation that begins before a new node could be there. What is counted is charged for the jobs
// behind, so no more nodes are made than may be used. The number of nodes per flavor is absolute and computed anew in
// each cycle: a lost message, a restart or a new node does not change it.
//
// This follows cluster autoscalers, which look at pods that cannot be placed; here quota is checked first.
#include "engine/cycle/new_nodes/provision.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/cycle/new_nodes/new_node_capacity.h"
#include "engine/cycle/order/age.h"
#include "engine/cycle/reserve.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

class Provisioner {
 public:
  explicit Provisioner(Cycle& cycle) : cycle_(cycle), limits_(cycle.in.state.limits), budgets_(cycle.in.state.budgets) {
    for (const FlavorIndex flavor : cycle.in.state.inventory.flavors())
      if (cycle.in.state.inventory.elastic(flavor))
        capacities_.try_emplace(flavor, cycle.in, cycle.pending, cycle.tried, flavor);
    for (const Change& change : cycle.in.state.trial)
      if (const auto* claim = std::get_if<Claim>(&change); claim && !claim->reserved) {
        claims_.emplace(claim->job, claim->flavors);
        claimants_.insert(cycle.entry(cycle.rank_of(claim->job)).shape);
      }
    for (const Booking& booking : cycle.tried.reservations.all()) bookings_.emplace(booking.slot, &booking);
  }

  void consider(Rank rank) {
    if (!cycle_.is_open(rank) || cycle_.head_before(rank) != kNone) return;
    const ShapeIndex shape = cycle_.entry(rank).shape;
    // A job of the same shape has found no nodes.
    if (const auto refused = refused_.find(shape); refused != refused_.end()) return close_for(rank, refused->second);
    limited_ = false;
    short_.clear();
    for (const Option& option : cycle_.shape_cache(rank).options)
      if (settle(rank, option)) return;
    if (!limited_) refused_.emplace(shape, short_);
    close_for(rank, short_);
  }

  void publish() {
    for (const auto& [slot, flavor] : given_) {
      const NewNodeCapacity& capacity = capacities_.at(flavor);
      const WantedNodes& now = capacity.row().wanted;
      const Instant since = now.nodes > 0 && now.nodes >= capacity.wanted() ? now.since : cycle_.in.now;
      cycle_.out.provisioned.emplace(slot, Provisioned{.flavor = flavor,
                                                       .nodes = capacity.made(),
                                                       .since = since,
                                                       .ready = after(since, capacity.row().elastic->provisioning)});
    }
    for (const auto& [name, row] : cycle_.in.state.inventory.flavor_rows()) {
      const auto capacity = capacities_.find(cycle_.in.state.inventory.flavor_names.find(name));
      const std::int64_t nodes = capacity == capacities_.end() ? 0 : capacity->second.wanted();
      if (nodes != row.wanted.nodes)
        cycle_.out.plan.provisions.push_back(
            {.flavor = name, .nodes = nodes, .jobs = capacity == capacities_.end() ? 0 : capacity->second.jobs()});
    }
  }

 private:
  NewNodeCapacity* capacity_for(const Option& option) {
    if (!option.within_max || option.flavors.each().size() != 1) return nullptr;
    const auto capacity = capacities_.find(option.flavors.each().front());
    return capacity == capacities_.end() ? nullptr : &capacity->second;
  }

  // A job that blocks backfill on all that it could use, and that found too few nodes, closes the flavors in which it
  // could have had some: no job behind it gets nodes of them.
  void close_for(Rank rank, const std::vector<const Option*>& options) {
    for (const Option* option : options)
      if (keeps_all(cycle_.in, cycle_.pending, cycle_.tried, rank, option->flavors) &&
          !is_held_back(rank, option->flavors) && has_prospect(cycle_.in, cycle_.out, cycle_.shape(rank), *option))
        capacity_for(*option)->close();
  }

  // Whether the job gets nodes, or will have what it needs without new ones.
  bool settle(Rank rank, const Option& option) {
    NewNodeCapacity* capacity = capacity_for(option);
    const Flavors& flavors = option.flavors;
    if (!capacity || is_held_back(rank, flavors) || !is_suited(cycle_.shape(rank), option)) return false;
    if (waits_for_stopping_jobs(rank, flavors)) {
      charge(rank, flavors);
      return true;
    }
    auto allotment = capacity->find(rank);
    if (!allotment.enough) {
      limited_ = limited_ || allotment.reserved;
      short_.push_back(&option);
      return false;
    }
    const Instant due = due_of(*capacity, allotment);
    if (begins_by(rank, due)) return true;
    if (is_reserved_for_others(rank, flavors, due)) return false;
    charge(rank, flavors);
    if (allotment.waits) given_.emplace_back(cycle_.entry(rank).slot, flavors.each().front());
    capacity->give(std::move(allotment));
    return true;
  }

  bool is_suited(const Shape& shape, const Option& option) const {
    if (!option.could_be_made) option.could_be_made = could_be_provisioned(cycle_.in, shape, option.flavors);
    return *option.could_be_made;
  }

  // Only leaving jobs have its quota. When they are gone, machines are free too.
  bool waits_for_stopping_jobs(Rank rank, const Flavors& flavors) const {
    return cycle_.in.policy.quota_phase && cycle_.in.state.leaving > 0 &&
           short_now(cycle_.in.state.in_use, cycle_.shape(rank), flavors);
  }

  // If enough nodes are already being made, they are due from the time of their request.
  Instant due_of(const NewNodeCapacity& capacity, const NewNodeCapacity::Allotment& allotment) const {
    const WantedNodes& asked = capacity.row().wanted;
    const Instant since = capacity.wanted_with(allotment) <= asked.nodes ? asked.since : cycle_.in.now;
    return after(since, capacity.row().elastic->provisioning);
  }

  // Whether its reservation begins by then.
  bool begins_by(Rank rank, Instant due) const {
    const auto booking = bookings_.find(cycle_.entry(rank).slot);
    if (booking == bookings_.end()) return false;
    const Instant from =
        cycle_.tried.reservations.calendar().instant_of(booking->second->from) + booking->second->stops;
    return from <= due;
  }

  // Whether its quota is reserved for jobs that start while it would still use the quota.
  bool is_reserved_for_others(Rank rank, const Flavors& flavors, Instant due) {
    const Slot slot = cycle_.entry(rank).slot;
    const QueueIndex root = cycle_.in.state.quota.root(cycle_.queue_of(rank));
    const auto booking = bookings_.find(slot);
    const bool has_own =
        claims_.contains({slot, flavors}) || (booking != bookings_.end() && overlap(booking->second->flavors, flavors));
    if (!cycle_.in.policy.quota_phase || has_own) return false;
    const Walltime walltime =
        walltime_of(cycle_.in, cycle_.pending, cycle_.tried, rank, std::max(due - cycle_.in.now, Duration{}));
    if (!cycle_.tried.reservations.counts_on_quota(root, walltime, slot)) return false;
    if (!short_now(cycle_.in.state.reserved, cycle_.shape(rank), flavors)) return false;
    return limited_ = true;
  }

  bool is_held_back(Rank rank, const Flavors& flavors) {
    if (!cycle_.in.policy.quota_phase) return false;
    const Shape& shape = cycle_.shape(rank);
    // Its own claim is not in its way.
    const bool has_claim = claims_.contains({cycle_.entry(rank).slot, flavors});
    const QuotaTree& quota = has_claim ? cycle_.in.state.quota : cycle_.in.state.claimed;
    if (short_now(quota, shape, flavors)) {
      limited_ = limited_ || claimants_.contains(cycle_.entry(rank).shape);
      return true;
    }
    const Rank keeper = cycle_.tried.kept_quota.any() ? cycle_.tried.kept_quota.keeper(quota, shape, flavors) : kNone;
    if (keeper < rank) return limited_ = true;
    if (limits_.any() && limits_.hit(shape.queue, cycle_.job(rank).user, shape.total()[ResourceKind::gpus]))
      return limited_ = true;
    if (!budgets_.any(shape.queue) || shape.total()[ResourceKind::gpus] == 0) return false;
    if (!budgets_.hit(shape.queue, cost_of(rank, flavors), cycle_.in.now)) return false;
    return limited_ = true;
  }

  Cost cost_of(Rank rank, const Flavors& flavors) const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const auto& limit = cycle_.job(rank).time_limit;
    return limit ? cycle_.in.state.cost_of(cycle_.shape(rank), flavors, *limit) : Cost{kMost, kMost};
  }

  void charge(Rank rank, const Flavors& flavors) {
    const Shape& shape = cycle_.shape(rank);
    const Slot slot = cycle_.entry(rank).slot;
    if (!cycle_.in.policy.quota_phase) return;
    if (asks_for_any(cycle_.in.state.quota, shape, flavors) && claims_.emplace(slot, flavors).second)
      cycle_.tried.trial.claim({.job = slot, .flavors = flavors});
    if (limits_.any()) limits_.add(shape.queue, cycle_.job(rank).user, shape.total()[ResourceKind::gpus]);
    if (budgets_.any(shape.queue) && cycle_.job(rank).time_limit)
      budgets_.add(shape.queue, kToday, cost_of(rank, flavors));
  }

  Cycle& cycle_;
  std::map<FlavorIndex, NewNodeCapacity> capacities_;  // by flavor
  RunLimits limits_;                                   // with the jobs that got nodes
  BudgetBook budgets_;
  std::set<std::pair<Slot, Flavors>> claims_;  // claims of quota in the trial
  std::map<Slot, const Booking*> bookings_;    // by slot
  std::set<ShapeIndex> claimants_;             // shapes with claims from earlier phases
  // About the job that is tried: whether its obstacle may differ for jobs of its shape, and options with too few nodes.
  bool limited_ = false;
  std::vector<const Option*> short_;
  std::map<ShapeIndex, std::vector<const Option*>> refused_;  // by shape: options with too few nodes
  std::vector<std::pair<Slot, FlavorIndex>> given_;           // jobs for which nodes are made, and the flavor
};

// The flavor may have as many nodes as the gang needs, with the existing ones that it could use, and requested nodes
// are not overdue.
bool is_made_in_time(const Inputs& in, Output& out, const Shape& shape, const Flavors& flavors) {
  if (!in.policy.provision_phase || !could_be_provisioned(in, shape, flavors)) return false;
  const Inventory& inventory = in.state.inventory;
  const FlavorIndex flavor = flavors.each().front();
  const Flavor& row = *inventory.elastic(flavor);
  const ClusterIndex cluster = inventory.cluster_names.find(row.cluster);
  if (cluster == kNone || !inventory.cluster_available(cluster)) return false;
  if (!ScaleUpCandidates(inventory, flavor).may_be_enough(shape.need())) return false;
  if (row.wanted.nodes == 0) return true;
  const Instant due = after(row.wanted.since, row.elastic->provisioning);
  if (in.now <= due) out.wake_at(after(due, {1}));
  return in.now <= due;
}

}  // namespace

bool has_prospect(const Inputs& in, Output& out, const Shape& shape, const Option& option) {
  if (only_waits(in, shape, option)) return true;
  if (!option.within_max) return false;
  if (!option.is_made_in_time) option.is_made_in_time = is_made_in_time(in, out, shape, option.flavors);
  return *option.is_made_in_time;
}

bool could_be_provisioned(const Inputs& in, const Shape& shape, const Flavors& flavors) {
  if (flavors.each().size() != 1) return false;
  const Flavor* row = in.state.inventory.elastic(flavors.each().front());
  return row && NewNodeCapacity::suits(in.state.inventory, *row, shape, flavors);
}

void provision(Cycle& cycle) {
  if (!cycle.in.policy.provision_phase || !cycle.in.policy.place_phase) return;
  // Most sites have no elastic flavors.
  if (std::ranges::none_of(cycle.in.state.inventory.flavor_rows(),
                           [](const auto& flavor) { return flavor.second.elastic || flavor.second.wanted.nodes > 0; }))
    return;
  Provisioner provisioner(cycle);
  for (Rank rank{0}; rank < cycle.pending.considered; ++rank) provisioner.consider(rank);
  provisioner.publish();
}

}  // namespace ym::engine
