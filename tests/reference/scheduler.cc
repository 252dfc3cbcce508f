#include "reference/scheduler.h"

#include <algorithm>

#include "reference/machines.h"

namespace ym::reference {
namespace {

// What a job that may not be passed keeps from those behind it.
struct Kept {
  JobId by;
  std::string flavor, queue, root;  // quota
  std::set<std::string> nodes;      // or nodes
};

class Scheduler {
 public:
  Scheduler(const Tables& tables, Duration age_cap, Instant now)
      : t_(tables), machines_(tables), age_cap_(age_cap), now_(now) {
    for (const auto& [key, attempt] : t_.attempts)
      if (attempt.state != AttemptState::ended)
        use(*t_.jobs.at(key.job).spec, attempt.queue, attempt.flavor, attempt.placement);
  }

  Outcome run() {
    const auto jobs = in_order();
    for (const Job* job : jobs) rank_.emplace(job->id, rank_.size());
    for (const Job* job : jobs) decide(*job);
    for (const Job* job : jobs)
      if (!started_.contains(job->id)) out_.waits.push_back({.job = job->id, .causes = causes(*job)});
    return out_;
  }

 private:
  std::vector<const Job*> in_order() const {
    std::vector<const Job*> jobs;
    for (const auto& [id, job] : t_.jobs)
      if ((job.state == JobState::queued || job.state == JobState::held) && !job.cancel_requested) jobs.push_back(&job);
    std::ranges::sort(jobs, [](const Job* a, const Job* b) {
      if (a->priority != b->priority) return a->priority > b->priority;
      if (a->submitted_at != b->submitted_at) return a->submitted_at < b->submitted_at;
      return a->id < b->id;
    });
    return jobs;
  }

  NaiveQuota quota() const { return {t_.queues, quota_use_}; }

  bool considered(const Job& job) const {
    return job.state == JobState::queued && quota().can_hold_jobs(job.queue) &&
           (!job.not_before || *job.not_before <= now_);
  }

  void wake(Instant at) {
    if (!out_.wake || at < *out_.wake) out_.wake = at;
  }

  void decide(const Job& job) {
    if (job.state == JobState::held) return;
    if (!considered(job)) {
      if (quota().can_hold_jobs(job.queue)) wake(*job.not_before);
      return;
    }
    for (const auto& flavor : possible_flavors(job)) {
      if (quota_in_the_way(job, flavor)) continue;
      if (const auto start = best_place(job, flavor)) {
        out_.starts.push_back(*start);
        started_.insert(job.id);
        use(*job.spec, job.queue, flavor, start->placement);
        return;
      }
    }
    refuse(job);
  }

  void refuse(const Job& job) {
    const auto flavors = possible_flavors(job);
    if (flavors.empty()) return;
    const auto own_cap = t_.queues.at(job.queue).age_cap_ms;
    const Instant cap = job.submitted_at + (own_cap ? Duration{*own_cap} : age_cap_);
    if (now_ <= cap) return wake(cap + Duration{1});
    for (const auto& flavor : flavors) {
      const bool cohort = quota().cohort_is_short(job.queue, flavor, job.spec->total());
      if (quota_in_the_way(job, flavor))
        kept_.push_back({.by = job.id,
                         .flavor = flavor,
                         .queue = job.queue,
                         .root = cohort ? quota().root(job.queue) : std::string()});
      else kept_.push_back({.by = job.id, .flavor = flavor, .nodes = machines_.suitable_nodes(job, flavor)});
    }
  }

  bool quota_in_the_way(const Job& job, const std::string& flavor) const {
    return !quota().covers_now(job.queue, flavor, job.spec->total()) || quota_keeper(job, flavor);
  }

  // The first that keeps this quota from the job.
  JobId quota_keeper(const Job& job, const std::string& flavor) const {
    const bool borrows = quota().borrows(job.queue, flavor, job.spec->total());
    for (const auto& kept : kept_)
      if (ahead(kept.by, job) && kept.flavor == flavor && !kept.queue.empty() &&
          (kept.queue == job.queue || (borrows && kept.root == quota().root(job.queue))))
        return kept.by;
    return {};
  }

  JobId node_keeper(const Job& job, const std::string& flavor) const {
    for (const auto& kept : kept_)
      if (ahead(kept.by, job))
        for (const auto& name : machines_.suitable_nodes(job, flavor))
          if (machines_.in_service(t_.nodes.at(name)) && kept.nodes.contains(name)) return kept.by;
    return {};
  }

  bool ahead(JobId keeper, const Job& job) const { return rank_.at(keeper) < rank_.at(job.id); }

  // --- flavors and nodes
  std::vector<std::string> flavors(const Job& job) const {
    std::set<std::string> names;
    for (const auto& [name, flavor] : t_.flavors) names.insert(name);
    if (names.empty()) names.insert(std::string(kDefaultFlavor));
    // A flavor that quota names and that does not exist has no nodes.
    if (const auto own = quota().quota_for(job.queue)) {
      names.clear();
      for (const auto& [name, kinds] : *own) names.insert(name);
    }
    return {names.begin(), names.end()};
  }

  std::vector<std::string> possible_flavors(const Job& job) const {
    std::vector<std::string> possible;
    for (const auto& flavor : flavors(job))
      if (quota().covers_ever(job.queue, flavor, job.spec->total()) && !machines_.suitable_nodes(job, flavor).empty())
        possible.push_back(flavor);
    return possible;
  }

  std::optional<Start> best_place(const Job& job, const std::string& flavor) const {
    std::map<std::string, std::vector<const Node*>> by_cluster;
    for (const auto& [name, node] : t_.nodes)
      if (machines_.rules_allow(job, node, flavor) && machines_.in_service(node) && machines_.has_room(job, node) &&
          !is_kept(job, name))
        by_cluster[node.cluster].push_back(&node);
    std::optional<Start> best;
    std::pair<std::size_t, std::size_t> best_cost;
    for (auto& [cluster, nodes] : by_cluster) {
      if (nodes.size() < static_cast<std::size_t>(job.spec->nodes)) continue;
      std::ranges::sort(nodes, {}, [&](const Node* node) { return std::pair(machines_.cost(job, *node), node->name); });
      nodes.resize(static_cast<std::size_t>(job.spec->nodes));
      std::pair<std::size_t, std::size_t> total;
      for (const Node* node : nodes) {
        total.first += machines_.cost(job, *node).first;
        total.second += machines_.cost(job, *node).second;
      }
      if (best && best_cost <= total) continue;
      best_cost = total;
      best = start_on(job, flavor, cluster, nodes);
    }
    return best;
  }

  Start start_on(const Job& job, const std::string& flavor, const std::string& cluster,
                 std::vector<const Node*> nodes) const {
    std::ranges::sort(nodes, {}, &Node::name);
    Start start{.job = job.id, .cluster = cluster, .flavor = flavor, .placement = {}};
    for (const Node* node : nodes) {
      auto devices = machines_.free_devices(*node);
      devices.resize(static_cast<std::size_t>(job.spec->resources.gpus / kMilli));
      start.placement.push_back(
          {.task = static_cast<std::int32_t>(start.placement.size()), .node = node->name, .devices = devices});
    }
    return start;
  }

  bool is_kept(const Job& job, const std::string& node) const {
    return std::ranges::any_of(kept_,
                               [&](const Kept& kept) { return ahead(kept.by, job) && kept.nodes.contains(node); });
  }

  void use(const JobSpec& spec, const std::string& queue, const std::string& flavor,
           const std::vector<TaskPlacement>& placement) {
    machines_.take(spec, placement);
    const ResourceVector total = spec.resources.vector() * static_cast<std::int64_t>(placement.size());
    for (std::size_t i = 0; i < kResourceKinds; ++i) quota_use_[{queue, flavor, resource_kind(i)}] += total.amounts[i];
  }

  // --- why a job waits
  std::vector<Cause> causes(const Job& job) const {
    if (job.state == JobState::held) return {{.code = ReasonCode::held}};
    if (!quota().can_hold_jobs(job.queue)) return {{.code = ReasonCode::misconfigured}};
    if (!considered(job)) return {{.code = ReasonCode::backoff}};
    std::vector<Cause> found;
    for (const auto& flavor : possible_flavors(job)) {
      if (!quota().covers_now(job.queue, flavor, job.spec->total()))
        found.push_back({.code = ReasonCode::waiting_for_quota, .flavor = flavor});
      if (const auto keeper = keeper_of(job, flavor))
        found.push_back({.code = ReasonCode::priority, .flavor = flavor, .blocker = keeper});
      if (const auto code = machines_.lack(job, flavor)) found.push_back({.code = *code, .flavor = flavor});
    }
    if (found.empty()) found = never(job);
    // By precedence of the codes; equal ones stay in the order of flavors.
    std::vector<Cause> sorted;
    for (const auto& cause : found)
      sorted.insert(std::ranges::upper_bound(sorted, cause.code, {}, &Cause::code), cause);
    return sorted;
  }

  JobId keeper_of(const Job& job, const std::string& flavor) const {
    const JobId quota_by = quota_keeper(job, flavor), nodes_by = node_keeper(job, flavor);
    if (!quota_by || !nodes_by) return quota_by ? quota_by : nodes_by;
    return ahead(quota_by, t_.jobs.at(nodes_by)) ? quota_by : nodes_by;
  }

  std::vector<Cause> never(const Job& job) const {
    const auto all = flavors(job);
    if (all.empty()) return {{.code = ReasonCode::exceeds_max_quota}};
    const auto has_node = [&](const std::string& flavor) {
      return std::ranges::any_of(t_.nodes, [&](const auto& e) { return machines_.rules_allow(job, e.second, flavor); });
    };
    const bool some = std::ranges::any_of(all, has_node);
    std::vector<Cause> found;
    for (const auto& flavor : all) {
      if (some && !has_node(flavor)) continue;
      if (!quota().covers_ever(job.queue, flavor, job.spec->total()))
        found.push_back({.code = ReasonCode::exceeds_max_quota, .flavor = flavor});
      if (machines_.suitable_nodes(job, flavor).empty())
        found.push_back({.code = ReasonCode::exceeds_capacity, .flavor = flavor});
    }
    return found;
  }

  const Tables& t_;
  Machines machines_;
  Duration age_cap_;
  Instant now_;
  std::map<JobId, std::size_t> rank_;  // in the order of consideration
  Use quota_use_;
  std::vector<Kept> kept_;  // in the order of those who keep
  std::set<JobId> started_;
  Outcome out_;
};

}  // namespace

Outcome schedule(const Tables& tables, Duration age_cap, Instant now) { return Scheduler(tables, age_cap, now).run(); }

}  // namespace ym::reference
