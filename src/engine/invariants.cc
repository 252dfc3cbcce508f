#include "engine/invariants.h"

#include <fmt/format.h>

#include <set>

#include "engine/quota/demand.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

class Audit {
 public:
  explicit Audit(const State::Impl& state)
      : state_(state),
        devices_(state.inventory.rows.size()),
        cpus_(devices_.size()),
        memory_(devices_.size()),
        quota_(empty_quota(state)) {}

  std::optional<std::string> run() {
    for (const Change& change : state_.trial)
      if (const auto* eviction = std::get_if<Eviction>(&change)) evicted_.insert(eviction->job);
    for (const auto& [job, held] : state_.live) {
      if (evicted_.contains(job)) continue;
      for (const auto& task : held.tasks) hold(task.node, NodeNeed::of(held.task), task.bits);
      quota_.add(held.queue, held.flavor, held.total());
    }
    for (const Change& change : state_.trial) std::visit([&](const auto& one) { check(one); }, change);
    compare();
    return broken_;
  }

 private:
  static QuotaTree empty_quota(const State::Impl& state) {
    QuotaTree tree;
    Names queues = state.queue_names, flavors = state.inventory.flavor_names;
    tree.rebuild(state.queues, queues, flavors);
    return tree;
  }

  void report(std::string what) {
    if (!broken_) broken_ = std::move(what);
  }

  void hold(Index node, const NodeNeed& need, std::uint64_t bits) {
    if ((devices_[node] & bits) != 0) report(fmt::format("a device of node {} is given twice", name(node)));
    devices_[node] |= bits;
    cpus_[node] += need.cpus;
    memory_[node] += need.memory;
  }

  void check(const Grant& grant) {
    const Inventory& inventory = state_.inventory;
    const JobRow& job = state_.jobs[grant.job];
    const Shape& shape = state_.shape_of(job);
    const std::set<Index> nodes(grant.nodes.begin(), grant.nodes.end());
    if (nodes.size() != static_cast<std::size_t>(shape.nodes) || nodes.size() != grant.nodes.size())
      report(fmt::format("the gang of job {} is not whole", to_string(job.id)));
    for (std::size_t task = 0; task < grant.nodes.size(); ++task) {
      const Index node = grant.nodes[task];
      hold(node, NodeNeed::of(shape.task), grant.bits[task]);
      if (!inventory.in_service(node) || (grant.bits[task] & ~inventory.healthy[node]) != 0)
        report(fmt::format("job {} is given what is out of service on node {}", to_string(job.id), name(node)));
      if (inventory.cluster[node] != grant.cluster || inventory.flavor_of[node] != grant.flavor)
        report(fmt::format("job {} is scattered over clusters or flavors", to_string(job.id)));
      if (cpus_[node] > inventory.cpus[node] && shape.task[ResourceKind::cpus] > 0)
        report(fmt::format("the CPUs of node {} are oversubscribed", name(node)));
      if (memory_[node] > inventory.memory[node] && shape.task[ResourceKind::memory] > 0)
        report(fmt::format("the memory of node {} is oversubscribed", name(node)));
    }
    quota_.add(shape.queue, grant.flavor, shape.total());
    check_quota(shape, grant.flavor);
  }

  void check(const Claim& claim) {
    const Shape& shape = state_.shape_of(state_.jobs[claim.job]);
    quota_.add(shape.queue, claim.flavor, shape.total());
    check_quota(shape, claim.flavor);
  }

  void check(const Eviction& eviction) {
    if (!state_.live.find(eviction.job))
      report(fmt::format("job {} is evicted and holds nothing", to_string(eviction.job)));
  }

  // A quota that was cut may be overdrawn already, but not by what is given now.
  void check_quota(const Shape& shape, Index flavor) {
    for (const ResourceKind kind : kKindsByWeight)
      if (shape.task[kind] > 0 && quota_.limited(shape.queue, flavor, kind) &&
          quota_.available(shape.queue, flavor, kind).amount < 0)
        report(fmt::format("the quota of queue {} is overdrawn", state_.queue_names[shape.queue]));
  }

  void compare() {
    const Inventory& inventory = state_.inventory;
    for (Index node = 0; node < devices_.size(); ++node)
      if (devices_[node] != inventory.used_devices[node] || cpus_[node] != inventory.used_cpus[node] ||
          memory_[node] != inventory.used_memory[node])
        report(fmt::format("what is in use of node {} is not what is held of it", name(node)));
    if (!(quota_ == state_.quota)) report("the usage of quota is not the sum of what is held");
  }

  const std::string& name(Index node) const { return state_.inventory.node_names[node]; }

  const State::Impl& state_;
  std::vector<std::uint64_t> devices_;
  std::vector<std::int64_t> cpus_, memory_;
  QuotaTree quota_;
  std::set<JobId> evicted_;
  std::optional<std::string> broken_;
};

}  // namespace

std::optional<std::string> broken_invariant(const State& state) { return Audit(state.impl()).run(); }

}  // namespace ym::engine
