#include "engine/forecast/sooner.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "engine/forecast/variation.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// The most types, queues and limits that are tried.
constexpr std::size_t kMostTypes = 4, kMostQueues = 8, kMostLimits = 3;

bool admits(const Plan& plan, JobId job) {
  return std::ranges::any_of(plan.decisions, [&](const Decision& decision) {
    const auto* admission = std::get_if<Admission>(&decision);
    return admission != nullptr && admission->job == job;
  });
}

// Whether quota limits what the queue uses of the kind in the flavor. If the queue may not use that flavor: whether
// quota limits the kind in any flavor that it may use.
bool limits(const QuotaTree& quota, QueueIndex queue, FlavorIndex flavor, ResourceKind kind) {
  const auto& own = quota.flavors(queue);
  if (!own) return false;
  if (std::ranges::find(*own, flavor) != own->end()) return quota.limited(queue, flavor, kind);
  return own->empty() || std::ranges::any_of(*own, [&](FlavorIndex one) { return quota.limited(queue, one, kind); });
}

// Whether the other queue is a way around quota: in some flavor that it may use, it does not limit something that the
// job asks for and that the job's own queue limits.
bool goes_round_quota(const QuotaTree& quota, const Shape& shape, QueueIndex other) {
  const ResourceVector asked = shape.total();
  const auto& usable = quota.flavors(other);
  for (const FlavorIndex flavor : indices<FlavorIndex>(quota.flavor_count())) {
    if (usable && std::ranges::find(*usable, flavor) == usable->end()) continue;
    for (const ResourceKind kind : kKindsByWeight)
      if (asked[kind] > 0 && limits(quota, shape.queue, flavor, kind) && !limits(quota, other, flavor, kind))
        return true;
  }
  return false;
}

// Tries changes of a waiting job, one after the other.
class Trials {
 public:
  Trials(State& state, const Policy& policy, Instant now, const std::function<bool()>& go_on, JobId job)
      : state_(state), policy_(policy), now_(now), go_on_(go_on), job_(job), own_(Request::of(state.impl(), job)) {}

  std::vector<SoonerChange> take() { return std::move(found_); }

  void other_domains() {
    Topology& topology = state_.impl().inventory.topology;
    const LevelIndex required = own_.shape.levels.required;
    if (required == kNone || topology.name(required).empty()) return;
    Request request = own_;
    request.shape.levels.required = topology.is_of_one_type(required) ? topology.level_of_one_type("") : kNone;
    offer(request, "placement.topology.required", "none");
  }

  void other_types() {
    // A type that suits one group is no answer for the others.
    if (!own_.shape.groups.empty() || own_.rules.front().gpu_types.empty() || own_.shape.task[ResourceKind::gpus] == 0)
      return;
    std::set<std::string> types;
    for (const auto& node : state_.impl().inventory.rows)
      if (node && !node->gpu_type.empty() && !std::ranges::binary_search(own_.rules.front().gpu_types, node->gpu_type))
        types.insert(node->gpu_type);
    const SoonerChange devices = devices_asked_for();
    std::size_t tried = 0;
    for (const auto& type : types) {
      Request request = own_;
      request.rules.front().gpu_types = {type};
      if (tried++ == kMostTypes || offer(request, devices.key, type + ":" + devices.value)) return;
    }
  }

  void other_queues() {
    std::set<std::string> inner;
    for (const auto& [name, queue] : state_.impl().queues) inner.insert(queue.parent);
    std::vector<std::string> leaves;
    for (const auto& [name, queue] : state_.impl().queues)
      if (queue.accepts_jobs && !inner.contains(name)) leaves.push_back(name);
    std::size_t tried = 0;
    for (const auto& name : leaves) {
      Request request = own_;
      request.shape.queue = state_.impl().queue_names.find(name);
      if (request.shape.queue == own_.shape.queue || goes_round(request.shape.queue)) continue;
      if (tried++ == kMostQueues || offer(request, "queue", name)) return;
    }
  }

  // Halves the number until the job would start, then searches the largest number that starts; in whole slices. An
  // elastic job has tried all sizes down to its smallest, and must not become smaller.
  void fewer_nodes() {
    if (!own_.shape.groups.empty() || own_.shape.most_nodes > own_.shape.nodes) return;
    const std::int32_t step = own_.shape.step();
    std::int32_t fails = own_.shape.nodes / step, starts = fails / 2;
    for (; starts > 0 && !starts_with(starts * step); starts /= 2) fails = starts;
    if (starts == 0) return;
    while (fails - starts > 1) {
      const std::int32_t middle = starts + (fails - starts) / 2;
      (starts_with(middle * step) ? starts : fails) = middle;
    }
    found_.push_back({.key = "nodes", .value = std::to_string(starts * step)});
  }

  // Limits short enough for the job to be gone when a backfill reservation or an advance reservation begins.
  void shorter_limits(const Plan& plan) {
    const JobRow& row = *state_.impl().jobs.find(job_);
    const Duration grace = row.grace, least = shortest_limit(row);
    std::set<std::int64_t, std::greater<>> limits;
    const auto until = [&](Instant from) {
      const auto left = (from - now_).ms - grace.ms - policy_.start_allowance.ms;
      if (left >= least.ms && (!own_.time_limit || left < own_.time_limit->ms)) limits.insert(left / 60'000);
    };
    for (const auto& reservation : plan.reservations) until(reservation.from);
    for (const auto& [name, reserved] : state_.impl().reservations) until(reserved.from);
    std::size_t tried = 0;
    for (const auto limit : limits) {
      Request request = own_;
      request.time_limit = minutes(limit);
      if (tried++ == kMostLimits || offer(request, "time_limit", fmt::format("{}m", limit))) return;
    }
  }

 private:
  bool goes_round(QueueIndex queue) const { return goes_round_quota(state_.impl().quota, own_.shape, queue); }

  // A shorter limit would probably end the job before its work is done.
  static Duration shortest_limit(const JobRow& row) {
    constexpr Duration kShortest = minutes(10);
    if (row.predicted) return std::max(kShortest, row.predicted->p90);
    return row.time_limit ? std::max(kShortest, Duration{row.time_limit->ms / 2}) : kShortest;
  }

  // As a job file says it, for any type.
  SoonerChange devices_asked_for() const {
    const Task& task = own_.shape.task;
    const auto& profiles = state_.impl().inventory.profile_names;
    if (task.part.milli > 0) return {.key = "resources.gpu_share", .value = fmt::format("{}m", task.part.milli)};
    if (task.profile != kNone)
      return {.key = "resources.mig", .value = fmt::format("{}:{}", profiles[task.profile], task.devices)};
    return {.key = "resources.gpus", .value = std::to_string(task.devices)};
  }

  bool starts(const Request& request) {
    if (go_on_ && !go_on_()) return false;
    const Variation variation(state_.impl(), job_, request);
    return admits(decide(state_, policy_, now_), job_);
  }

  bool starts_with(std::int32_t nodes) {
    if (nodes < own_.shape.anchor) return false;
    Request request = own_;
    request.shape.nodes = request.shape.most_nodes = nodes;
    if (nodes == 1) request.shape.levels = {};
    return starts(request);
  }

  bool offer(const Request& request, std::string key, std::string value) {
    if (!starts(request)) return false;
    found_.push_back({.key = std::move(key), .value = std::move(value)});
    return true;
  }

  State& state_;
  const Policy& policy_;
  Instant now_;
  const std::function<bool()>& go_on_;
  JobId job_;
  Request own_;
  std::vector<SoonerChange> found_;
};

Policy silent(Policy policy) {
  policy.verdicts = false;
  return policy;
}

}  // namespace

Sooner::Sooner(State& state, const Policy& policy, Instant now, std::function<bool()> go_on)
    : state_(state),
      policy_(silent(policy)),
      now_(now),
      go_on_(std::move(go_on)),
      plan_(engine::decide(state, policy_, now)) {}

std::vector<SoonerChange> Sooner::changes_for(JobId job) {
  const State::Impl& state = state_.impl();
  const JobRow* row = state.jobs.find(job);
  if (!row || row->waiting != Waiting::queued || row->cancel_requested || state.nominations.find(job)) return {};
  if (row->not_before && *row->not_before > now_) return {};
  if (admits(plan_, job)) return {};
  Trials trials(state_, policy_, now_, go_on_, job);
  trials.other_domains();
  trials.other_types();
  trials.other_queues();
  trials.fewer_nodes();
  trials.shorter_limits(plan_);
  auto found = trials.take();
  if (found.size() > kMostChanges) found.resize(kMostChanges);
  return found;
}

}  // namespace ym::engine
