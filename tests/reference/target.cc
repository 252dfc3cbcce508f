#include "reference/target.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "reference/flavors.h"
#include "reference/losses.h"
#include "reference/machines.h"
#include "reference/parts.h"
#include "reference/possible.h"
#include "reference/referee.h"
#include "reference/shares.h"
#include "reference/sized.h"

namespace ym::reference {
namespace {

bool leaves(const Attempt& attempt) { return attempt.stop_cause && attempt.state != AttemptState::unknown; }

class Choosing {
 public:
  Choosing(const Tables& tables, Duration restart_cost, Instant now)
      : t_(tables), restart_cost_(restart_cost), now_(now), machines_(tables) {
    count_machines();
    for (const auto& [key, attempt] : t_.attempts)
      if (attempt.state != AttemptState::ended) look_at(attempt);
    for (const auto& [id, job] : t_.jobs) {
      if (job.hold && is_sound(job.queue)) take_place(job, job.queue, job.hold->flavor, job.hold->placement);
      if (waits(job)) left_.insert(id);
    }
  }

  std::vector<JobId> run() {
    std::vector<JobId> chosen;
    while (const auto next = best_below("")) {
      chosen.push_back(next->id);
      left_.erase(next->id);
      for (const FlavorNeed& need : next->needs) take(next->queue, need);
    }
    return chosen;
  }

 private:
  // Among those that are as urgent: those that run, by what a stop would lose; then those that wait.
  using Order = std::tuple<bool, std::int64_t, std::int64_t, Instant, std::uint64_t>;
  using Key = std::tuple<Fraction, std::int32_t, Order>;
  struct Next {
    JobId id;
    std::string queue;
    std::vector<FlavorNeed> needs;
  };

  bool is_sound(const std::string& queue) const { return NaiveQuota(t_.queues, {}).can_hold_jobs(queue); }

  void count_machines() {
    for (const auto& [name, node] : t_.nodes) {
      if (!machines_.in_service(node)) continue;
      ResourceVector& free = free_[machines_.flavor_of(node)];
      for (const Device& device : node.devices) free[ResourceKind::gpus] += device.milli();
      free[ResourceKind::cpus] += node.cpus;
      free[ResourceKind::memory] += node.memory_bytes;
    }
  }

  std::vector<FlavorNeed> needs_at(const Job& job, const std::string& flavors, std::size_t tasks) const {
    return needs_of(sized(job, static_cast<std::int32_t>(tasks)), flavors);
  }

  void look_at(const Attempt& attempt) {
    const Job& job = t_.jobs.at(attempt.job);
    const auto is_aside = [&](const TaskPlacement& task) {
      const auto node = t_.nodes.find(task.node);
      return node == t_.nodes.end() || !machines_.in_service(node->second);
    };
    if (std::ranges::any_of(attempt.placement, is_aside))
      for (const FlavorNeed& need : needs_at(job, attempt.flavor, attempt.placement.size()))
        free_[need.flavor] += need.amounts;
    if (leaves(attempt) || !is_sound(attempt.queue)) return;
    const bool can_be_stopped = !attempt.stop_cause && attempt.state != AttemptState::unknown &&
                                !job.cancel_requested && job.spec->stop.preemptible;
    if (can_be_stopped) left_.insert(job.id);
    else take_place(job, attempt.queue, attempt.flavor, attempt.placement);
  }

  bool waits(const Job& job) const {
    return job.state == JobState::queued && !job.cancel_requested && !job.hold &&
           (!job.not_before || *job.not_before <= now_) && is_sound(job.queue) && !is_stopped(t_, job.queue);
  }

  void take_place(const Job& job, const std::string& queue, const std::string& flavors,
                  const std::vector<TaskPlacement>& placement) {
    for (const FlavorNeed& need : needs_at(job, flavors, placement.size())) take(queue, need);
  }

  void take(const std::string& queue, const FlavorNeed& need) {
    free_[need.flavor] -= need.amounts;
    for (std::size_t i = 0; i < kResourceKinds; ++i)
      use_[{queue, need.flavor, resource_kind(i)}] += need.amounts.amounts[i];
  }

  bool fits(const std::string& queue, const std::vector<FlavorNeed>& needs) const {
    const NaiveQuota quota(t_.queues, use_);
    return std::ranges::all_of(needs, [&](const FlavorNeed& need) {
      if (!quota.covers_now(queue, need.flavor, need.amounts)) return false;
      const auto free = free_.find(need.flavor);
      for (std::size_t i = 0; i < kResourceKinds; ++i)
        if (need.amounts.amounts[i] > 0 && (free == free_.end() || free->second.amounts[i] < need.amounts.amounts[i]))
          return false;
      return true;
    });
  }

  std::string queue_of(JobId id) const {
    const Attempt* attempt = t_.live_attempt(id);
    return attempt ? attempt->queue : t_.jobs.at(id).queue;
  }

  // What it would take now; nothing: it does not fit.
  std::optional<Next> next_of(JobId id) const {
    const Job& job = t_.jobs.at(id);
    if (const Attempt* attempt = t_.live_attempt(id)) {
      Next next{id, attempt->queue, needs_at(job, attempt->flavor, attempt->placement.size())};
      return fits(next.queue, next.needs) ? std::optional(next) : std::nullopt;
    }
    const Job least = smallest(job);
    const NaiveQuota unused(t_.queues, {});
    for (const auto& flavors : serving_flavors(unused, machines_, least, tried_choices(t_, unused, job)))
      if (Next next{id, job.queue, needs_of(least, flavors)}; fits(next.queue, next.needs)) return next;
    return std::nullopt;
  }

  auto place_in_line(JobId id) const {
    const Job& job = t_.jobs.at(id);
    const PreemptRule rule = t_.queues.at(queue_of(id)).preempt;
    const bool waits = !t_.live_attempt(id);
    const bool by_time = rule == PreemptRule::any;
    return std::tuple(rule == PreemptRule::never && waits, -job.priority, by_time ? job.submitted_at : Instant{},
                      by_time ? id : JobId{}, order(id));
  }

  Order order(JobId id) const {
    const Attempt* attempt = t_.live_attempt(id);
    if (!attempt) return {true, 0, 0, t_.jobs.at(id).submitted_at, id.value};
    const auto lost = [&](ResourceKind kind) { return lost_by_stop(t_, id, kind, restart_cost_, now_); };
    return {false, -lost(ResourceKind::gpus), -lost(ResourceKind::cpus), attempt->admitted_at, ~id.value};
  }

  std::optional<Next> first_in(const std::string& queue) const {
    std::vector<JobId> line;
    for (const JobId id : left_)
      if (queue_of(id) == queue) line.push_back(id);
    std::ranges::sort(line, {}, [&](JobId id) { return place_in_line(id); });
    for (const JobId id : line)
      if (auto next = next_of(id)) return next;
    return std::nullopt;
  }

  Fraction share(const std::string& queue, const Next& next) const {
    if (t_.queues.at(queue).parent.empty()) return {};
    const FlavorNeed& most = *std::ranges::max_element(next.needs, {}, [](const FlavorNeed& need) {
      return std::tuple(need.amounts[ResourceKind::gpus], need.amounts[ResourceKind::cpus],
                        need.amounts[ResourceKind::memory]);
    });
    return weighted(dominant_share(t_.queues, use_, queue, {next.queue, most.flavor, most.amounts}),
                    t_.queues.at(queue));
  }

  std::optional<Next> best_below(const std::string& cohort) const {
    std::optional<Next> best;
    std::optional<Key> least;
    for (const auto& [name, queue] : t_.queues) {
      if (queue.parent != cohort) continue;
      const bool is_cohort = std::ranges::any_of(t_.queues, [&](const auto& e) { return e.second.parent == name; });
      auto next = is_cohort ? best_below(name) : first_in(name);
      if (!next) continue;
      const Job& job = t_.jobs.at(next->id);
      const Key key(share(name, *next), -job.priority, order(next->id));
      if (least && !(key < *least)) continue;
      best = std::move(next);
      least = key;
    }
    return best;
  }

  const Tables& t_;
  Duration restart_cost_;
  Instant now_;
  Machines machines_;
  Use use_;
  std::map<std::string, ResourceVector> free_;  // by flavor
  std::set<JobId> left_;
};

}  // namespace

std::vector<JobId> target_of(const Tables& tables, Duration restart_cost, Instant now) {
  return Choosing(tables, restart_cost, now).run();
}

}  // namespace ym::reference
