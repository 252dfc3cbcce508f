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
      if (job.nomination) take_place(job, job.queue, job.nomination->flavor, job.nomination->placement);
      if (waits(job)) left_.insert(id);
    }
  }

  std::vector<JobId> run() {
    std::vector<JobId> chosen;
    while (const auto next = best_below("")) {
      chosen.push_back(next->id);
      left_.erase(next->id);
      for (const FlavorNeed& need : next->needs) take(next->queue, need, next->aside);
    }
    return chosen;
  }

 private:
  // Of equally urgent jobs: running ones first, by what a stop would lose, then waiting ones.
  using Order = std::tuple<bool, std::int64_t, std::int64_t, Instant, std::uint64_t>;
  using Key = std::tuple<Fraction, std::int32_t, Order>;
  struct Next {
    JobId id;
    std::string queue;
    std::vector<FlavorNeed> needs;
    bool aside = false;
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

  // A gang with a task on a node out of service takes no machines from others.
  bool stands_aside(const std::vector<TaskPlacement>& placement) const {
    return std::ranges::any_of(placement, [&](const TaskPlacement& task) {
      const auto node = t_.nodes.find(task.node);
      return node == t_.nodes.end() || !machines_.in_service(node->second);
    });
  }

  void look_at(const Attempt& attempt) {
    const Job& job = t_.jobs.at(attempt.job);
    if (leaves(attempt)) return;
    const bool can_be_stopped = !attempt.stop_cause && attempt.state != AttemptState::unknown &&
                                !job.cancel_requested && job.spec->stop.preemptible;
    if (!can_be_stopped) take_place(job, attempt.queue, attempt.flavor, attempt.placement);
    else if (is_sound(attempt.queue)) left_.insert(job.id);
  }

  bool waits(const Job& job) const {
    return job.state == JobState::queued && !job.cancel_requested && !job.nomination &&
           (!job.not_before || *job.not_before <= now_) && is_sound(job.queue) && !is_stopped(t_, job.queue);
  }

  void take_place(const Job& job, const std::string& queue, const std::string& flavors,
                  const std::vector<TaskPlacement>& placement) {
    for (const FlavorNeed& need : needs_at(job, flavors, placement.size())) take(queue, need, stands_aside(placement));
  }

  void take(const std::string& queue, const FlavorNeed& need, bool aside) {
    if (!aside) free_[need.flavor] -= need.amounts;
    if (!is_sound(queue)) return;
    for (std::size_t i = 0; i < kResourceKinds; ++i)
      use_[{queue, need.flavor, resource_kind(i)}] += need.amounts.amounts[i];
  }

  bool fits(const Next& next) const {
    const NaiveQuota quota(t_.queues, use_);
    return std::ranges::all_of(next.needs, [&](const FlavorNeed& need) {
      if (!quota.covers_now(next.queue, need.flavor, need.amounts)) return false;
      if (next.aside) return true;
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

  // What it would take now. Nothing: it does not fit.
  std::optional<Next> next_of(JobId id) const {
    const Job& job = t_.jobs.at(id);
    if (const Attempt* attempt = t_.live_attempt(id)) {
      Next next{id, attempt->queue, needs_at(job, attempt->flavor, attempt->placement.size()),
                stands_aside(attempt->placement)};
      return fits(next) ? std::optional(next) : std::nullopt;
    }
    for (const auto& flavors : serving(job))
      if (Next next{id, job.queue, needs_of(smallest(job), flavors)}; fits(next)) return next;
    return std::nullopt;
  }

  std::vector<std::string> serving(const Job& job) const {
    const Use nothing;
    const NaiveQuota unused(t_.queues, nothing);
    return serving_flavors(unused, machines_, smallest(job), tried_choices(t_, unused, job));
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
    bool blocked = false;  // by a job that waits before the others of a strict queue
    for (const JobId id : line) {
      const bool waits = !t_.live_attempt(id);
      if (waits && blocked) continue;
      if (auto next = next_of(id)) return next;
      blocked = blocked || (waits && t_.queues.at(queue).strict && !serving(t_.jobs.at(id)).empty());
    }
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
