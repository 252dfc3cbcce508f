#include "engine/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/node_audit.h"
#include "engine/quota/demand.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

class Audit {
 public:
  explicit Audit(const State::Impl& state)
      : state_(state),
        nodes_(state.inventory),
        quota_(empty_quota(state)),
        in_use_(quota_),
        claimed_(quota_),
        promised_(quota_),
        limits_(state.limits) {
    limits_.rebuild(state.queues, state.queue_names);
    budgets_.rebuild(state.queues, state.queue_names);
    for (const auto& [name, row] : state.spending) budgets_.add(state.queue_names.find(row.queue), row.day, row.cost);
  }

  std::optional<std::string> run() {
    for (const Change& change : state_.trial) note(change);
    for (const auto& [job, attempt] : state_.live) count(job, attempt);
    for (const auto& [job, place] : state_.holds)
      if (!lifted_.contains(job)) count(job, place);
    for (const Change& change : state_.trial) std::visit([&](const auto& one) { check(one); }, change);
    compare();
    return broken_;
  }

 private:
  static QuotaTree empty_quota(const State::Impl& state) {
    QuotaTree tree;
    Names<QueueIndex> queues = state.queue_names;
    Names<FlavorIndex> flavors = state.inventory.flavor_names;
    tree.rebuild(state.queues, queues, flavors);
    return tree;
  }

  void report(std::string what) {
    if (!broken_) broken_ = std::move(what);
  }

  Cost most_cost(JobId job, const Footprint& place) const {
    const auto& limit = state_.jobs.find(job)->time_limit;
    return limit ? state_.cost_of(place, *limit) : Cost{};
  }

  void note(const Change& change) {
    if (const auto* departure = std::get_if<SimulatedEviction>(&change)) departed_.insert(departure->job);
    if (const auto* lifting = std::get_if<Lifting>(&change)) lifted_.insert(lifting->job);
    if (const auto* overdue = std::get_if<Overdue>(&change))
      report(fmt::format("job {} is still not counted on", to_string(overdue->job)));
  }

  void count(JobId job, const LiveAttempt& attempt) {
    const bool leaves = departed_.contains(job) || (attempt.stopping && !attempt.unreachable);
    if (leaves != attempt.leaving) report(fmt::format("job {} leaves, or does not", to_string(job)));
    for_each(attempt, [&](const LiveTask& task, const NodeNeed& need) {
      use(task.node, need, task.bits);
      if (leaves) nodes_.leave(task.node, need, task.bits);
    });
    charge(in_use_, attempt);
    const JobRow& row = *state_.jobs.find(job);
    limits_.add(attempt.queue, row.user, attempt.total()[ResourceKind::gpus], row.array);
    budgets_.add(attempt.queue, day_of(attempt.admitted_at), most_cost(job, attempt));
    if (!leaves) charge_later(attempt);
  }

  void count(JobId job, const Nomination& place) {
    const LiveAttempt* live = state_.live.find(job);
    if (state_.jobs.find(job)->waiting != Waiting::queued && (!live || !live->stopping))
      report(fmt::format("a place is kept for job {}, which does not wait", to_string(job)));
    for_each(place, [&](const LiveTask& task, const NodeNeed& need) { keep(task.node, need, task.bits); });
    count_kept(job, place);
    charge_later(place);
  }

  // A running job is counted already: only the part beyond it counts.
  void count_kept(JobId job, const Footprint& place) {
    const JobRow& row = *state_.jobs.find(job);
    const std::int64_t gpus = place.total()[ResourceKind::gpus];
    if (const LiveAttempt* live = state_.live.find(job))
      limits_.add_gpus(place.queue, row.user, std::max<std::int64_t>(0, gpus - live->total()[ResourceKind::gpus]));
    else limits_.add(place.queue, row.user, gpus, row.array);
    budgets_.add(place.queue, kToday, most_cost(job, place));
  }

  void charge_later(const Footprint& place) {
    for (QuotaTree* quota : {&quota_, &claimed_, &promised_}) charge(*quota, place);
  }

  static void add(QuotaTree& quota, const Shape& shape, const Flavors& flavors) {
    for (const FlavorIndex flavor : flavors.each()) quota.add(shape.queue, flavor, shape.in(flavors, flavor));
  }
  // The footprint as it is charged to the quota.
  static Footprint footprint(const Grant& grant, const Shape& shape) {
    Footprint place = shape.footprint(grant.flavors);
    place.tasks.resize(grant.nodes.size());
    return place;
  }

  void use(NodeIndex node, const NodeNeed& need, std::uint64_t bits) {
    if (!nodes_.use(node, need, bits)) report(fmt::format("a device of node {} is given twice", name(node)));
  }
  void keep(NodeIndex node, const NodeNeed& need, std::uint64_t bits) {
    if (!nodes_.keep(node, need, bits)) report(fmt::format("a device of node {} is kept twice", name(node)));
  }

  void check(const Grant& grant) {
    const Shape& shape = check_gang(grant);
    for (const TaskIndex task : indices<TaskIndex>(grant.nodes.size())) {
      const NodeIndex node = grant.nodes[task.value];
      const NodeNeed need = need_of(shape, task);
      use(node, need, grant.bits[task.value]);
      if (nodes_.are_overdrawn(node, grant.bits[task.value]))
        report(fmt::format("job {} is given what is kept for another on node {}", name_of(grant), name(node)));
      check_room(need, node, When::now);
    }
    for (QuotaTree* quota : {&quota_, &in_use_, &claimed_, &promised_}) {
      charge(*quota, footprint(grant, shape));
      check_quota(*quota, shape, grant.flavors);
    }
    add_to_limits(grant, shape);
  }

  void check(const Keeping& keeping) {
    const Grant& place = keeping.place;
    const Shape& shape = check_gang(place);
    for (const TaskIndex task : indices<TaskIndex>(place.nodes.size())) {
      const NodeIndex node = place.nodes[task.value];
      const NodeNeed need = need_of(shape, task);
      keep(node, need, place.bits[task.value]);
      if (nodes_.are_overdrawn(node, place.bits[task.value]))
        report(fmt::format("job {} is kept what stays in use on node {}", name_of(place), name(node)));
      check_room(need, node, When::later);
    }
    if (keeping.expected) report(fmt::format("job {} still expects a place", name_of(place)));
    charge_later(footprint(place, shape));
    add_to_limits(place, shape);
    check_quota(claimed_, shape, place.flavors);
  }

  void add_to_limits(const Grant& place, const Shape& shape) {
    const JobRow& row = state_.jobs[place.job];
    const std::int64_t gpus = place.total(shape)[ResourceKind::gpus];
    const bool is_fresh = !state_.live.find(row.id);
    if (is_fresh && limits_.hit(shape.queue, row.user, gpus))
      report(fmt::format("job {} is beyond a limit of running jobs", name_of(place)));
    if (is_fresh && row.array != kNone && limits_.arrays()[row.array].left() <= 0)
      report(fmt::format("job {} is beyond what its array may run at once", name_of(place)));
    count_kept(state_.jobs[place.job].id, footprint(place, shape));
  }

  void check(const Claim& claim) {
    const Shape& shape = state_.shape_of(state_.jobs[claim.job]);
    add(promised_, shape, claim.flavors);
    for (const Inherited& part : claim.inherits)
      if (!state_.bequests.at(part.slot).is_gone) promised_.remove(part.queue, part.flavor, part.amounts);
    // A reserved claim may rely on jobs that have the quota now and are gone by then.
    if (claim.reserved) return;
    add(claimed_, shape, claim.flavors);
    check_quota(claimed_, shape, claim.flavors);
  }

  void check(const SimulatedEviction& departure) {
    if (!state_.live.find(departure.job))
      report(fmt::format("job {} is stopped and holds nothing", to_string(departure.job)));
  }

  void check(const Withdrawal& withdrawal) {
    report(fmt::format("whether job {} is admitted is left open", to_string(withdrawal.job)));
  }

  void check(const Overdue&) {}
  void check(const Revoked&) {}
  void check(const Lifting& lifting) {
    if (!state_.holds.find(lifting.job))
      report(fmt::format("job {} loses a place that it has not", to_string(lifting.job)));
  }

  const Shape& check_gang(const Grant& place) {
    const Inventory& inventory = state_.inventory;
    const Shape& shape = state_.shape_of(state_.jobs[place.job]);
    const std::set<NodeIndex> nodes(place.nodes.begin(), place.nodes.end());
    if (!shape.may_have(nodes.size()) || nodes.size() != place.nodes.size())
      report(fmt::format("the gang of job {} is not whole", name_of(place)));
    for (const TaskIndex task : indices<TaskIndex>(place.nodes.size())) {
      const NodeIndex node = place.nodes[task.value];
      if (!inventory.in_service(node) || (place.bits[task.value] & ~inventory.healthy[node]) != 0)
        report(fmt::format("job {} is given what is out of service on node {}", name_of(place), name(node)));
      const Flavors& flavors = place.flavors;
      const FlavorIndex flavor = flavors.is_mix() ? flavors.of(shape.need().part_of(task)) : flavors.only();
      if (inventory.cluster[node] != place.cluster || inventory.flavor_of[node] != flavor)
        report(fmt::format("job {} is scattered over clusters or flavors", name_of(place)));
    }
    return shape;
  }

  // Checks the kinds that the task asks for: later, and also now if it takes them now.
  void check_room(const NodeNeed& need, NodeIndex node, When when) {
    for (const ResourceKind kind : {ResourceKind::cpus, ResourceKind::memory})
      if ((kind == ResourceKind::cpus ? need.cpus : need.memory) > 0 && nodes_.is_overdrawn(node, kind, when))
        report(fmt::format("the {} of node {} is oversubscribed", to_string(kind), name(node)));
  }

  // A quota that was cut may be exceeded already, but what is given now must not exceed it.
  void check_quota(const QuotaTree& quota, const Shape& shape, const Flavors& flavors) {
    for (const FlavorIndex flavor : flavors.each())
      for (const ResourceKind kind : kKindsByWeight)
        if (shape.in(flavors, flavor)[kind] > 0 && quota.limited(shape.queue, flavor, kind) &&
            quota.available(shape.queue, flavor, kind).amount < 0)
          report(fmt::format("the quota of queue {} is overdrawn", state_.queue_names[shape.queue]));
  }

  void compare() {
    if (auto found = nodes_.difference()) report(std::move(*found));
    if (!(quota_ == state_.quota)) report("the usage of quota is not the sum of what is held");
    if (!(claimed_ == state_.claimed)) report("the quota claimed is not the sum of what is claimed");
    if (!(promised_ == state_.promised)) report("the quota promised is not the sum of all claims");
    if (!(budgets_ == state_.budgets)) report("what counts against budgets is not what was spent and what runs");
    if (!(limits_ == state_.limits)) report("the jobs that count against limits are not the running jobs");
    if (!(in_use_ == state_.in_use)) report("the quota in use is not the sum of what runs");
  }

  const std::string& name(NodeIndex node) const { return state_.inventory.node_names[node]; }
  std::string name_of(const Grant& place) const { return to_string(state_.jobs[place.job].id); }

  const State::Impl& state_;
  NodeAudit nodes_;
  QuotaTree quota_, in_use_, claimed_, promised_;
  RunLimits limits_;
  BudgetBook budgets_;
  std::set<JobId> departed_, lifted_;
  std::optional<std::string> broken_;
};

}  // namespace

std::optional<std::string> broken_invariant(const State& state) { return Audit(state.impl()).run(); }

}  // namespace ym::engine
