#include "control/access/visible_jobs.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace ym {
namespace {

using Names = std::vector<std::string>;

// The places where a token's scopes let its caller look at jobs.
struct Bounds {
  std::optional<Names> projects{}, queues{};  // nothing: any
};

class Visible {
 public:
  explicit Visible(const Access& access) : access_(access), tree_(access.rules->queues()) {}

  std::optional<std::vector<JobSet>> sets() {
    const Bounds bounds = bounds_of_token();
    if (may_list_here() && access_.limits.scopes.empty()) return std::nullopt;
    if (may_list_here()) add({}, bounds);
    add({.projects = projects_with([&](const auto& project) { return may_list({.project = project}); })}, bounds);
    add({.queues = queues_with([&](const auto& queue) { return may_list({.queue = queue}); })}, bounds);
    if (may_look()) add_own(bounds);
    add_outlines();
    return std::move(sets_);
  }

 private:
  bool has(Permission one, const Target& target) const {
    return access_.rights->find(one, target, tree_) != nullptr && gateway_may(access_, one, target);
  }
  bool token_has(Permission one) const { return !access_.limits.permissions || access_.limits.permissions->has(one); }
  bool may_look() const { return token_has(Permission::jobs_list) || token_has(Permission::jobs_get); }
  bool may_list(const Target& target) const {
    return (token_has(Permission::jobs_list) && has(Permission::jobs_list, target)) ||
           (token_has(Permission::jobs_get) && has(Permission::jobs_get, target));
  }
  bool may_list_here() const { return may_list({}); }

  Names projects_with(const std::function<bool(const std::string&)>& is_one) const {
    Names names;
    std::ranges::copy_if(access_.rules->projects(), std::back_inserter(names), is_one);
    return names;
  }
  Names queues_with(const std::function<bool(const std::string&)>& is_one) const {
    Names names;
    std::ranges::copy_if(access_.rules->queue_names(), std::back_inserter(names), is_one);
    return names;
  }

  // With scopes of both kinds, a job without a project has to be in one of the queues only.
  Bounds bounds_of_token() const {
    Bounds bounds;
    const auto& scopes = access_.limits.scopes;
    const auto of = [&](ScopeKind kind) {
      return std::ranges::any_of(scopes, [&](const Scope& scope) { return scope.kind == kind; });
    };
    const auto within = [&](const Target& target, ScopeKind kind) {
      return std::ranges::any_of(
          scopes, [&](const Scope& scope) { return scope.kind == kind && covers(scope, target, tree_); });
    };
    if (of(ScopeKind::queue))
      bounds.queues = queues_with([&](const auto& queue) { return within({.queue = queue}, ScopeKind::queue); });
    if (of(ScopeKind::project)) {
      bounds.projects.emplace();
      for (const Scope& scope : scopes)
        if (scope.kind == ScopeKind::project) bounds.projects->push_back(scope.name);
      if (bounds.queues) bounds.projects->emplace_back();
    }
    if (!scopes.empty() && !bounds.projects && !bounds.queues) bounds.queues.emplace();  // of clusters only
    return bounds;
  }

  static std::optional<Names> both(std::optional<Names> a, const std::optional<Names>& b) {
    if (!a) return b;
    if (b) std::erase_if(*a, [&](const std::string& name) { return std::ranges::find(*b, name) == b->end(); });
    return a;
  }

  void add(JobSet set, const Bounds& bounds) {
    set.projects = both(std::move(set.projects), bounds.projects);
    set.queues = both(std::move(set.queues), bounds.queues);
    const bool is_empty = (set.projects && set.projects->empty()) || (set.queues && set.queues->empty());
    if (!is_empty) sets_.push_back(std::move(set));
  }

  void add_own(const Bounds& bounds) {
    JobSet own{.owner = access_.principal};
    if (!has(Permission::jobs_create, {}))
      own.projects =
          projects_with([&](const auto& project) { return has(Permission::jobs_create, {.project = project}); });
    add(std::move(own), bounds);
  }

  // Of jobs in the queues that it may use, if their project shows them.
  void add_outlines() {
    Names shown =
        projects_with([&](const auto& project) { return access_.rules->visibility_of(project) != Visibility::hidden; });
    shown.emplace_back();
    add({.projects = std::move(shown), .queues = queues_with([&](const auto& queue) {
                                         return allows(access_, Permission::queues_use, {.queue = queue});
                                       })},
        {});
  }

  const Access& access_;
  const QueueTree& tree_;
  std::vector<JobSet> sets_;
};

}  // namespace

std::optional<std::vector<JobSet>> visible_jobs(const Access& access) { return Visible(access).sets(); }

Job outline_of(const Job& job) {
  Job outline = job;
  auto spec = std::make_shared<JobSpec>();
  spec->queue = job.spec->queue;
  spec->project = job.spec->project;
  spec->priority = job.spec->priority;
  spec->nodes = job.spec->nodes;
  spec->resources = job.spec->resources;
  spec->time_limit = job.spec->time_limit;
  for (const TaskGroup& group : job.spec->groups)
    spec->groups.push_back({.name = {}, .nodes = group.nodes, .resources = group.resources, .run = {}, .env = {}});
  outline.spec = std::move(spec);
  outline.name.clear();
  outline.message.clear();
  outline.checkpoints.clear();
  outline.nomination.reset();
  return outline;
}

Attempt outline_of(const Attempt& attempt) {
  return {.job = attempt.job,
          .number = attempt.number,
          .state = attempt.state,
          .cluster = attempt.cluster,
          .queue = attempt.queue,
          .flavor = attempt.flavor,
          .admitted_at = attempt.admitted_at,
          .started_at = attempt.started_at,
          .ended_at = attempt.ended_at};
}

}  // namespace ym
