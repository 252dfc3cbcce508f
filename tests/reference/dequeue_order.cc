#include "reference/dequeue_order.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "model/flavor_mix.h"
#include "reference/parts.h"
#include "reference/shares.h"

namespace ym::reference {
namespace {

std::int64_t urgency_of(const Tables& tables, Instant now, const Job& job) {
  const AgeBoost& boost = tables.queues.at(job.queue).age_boost;
  std::int64_t points = 0;
  if (boost.every.ms > 0)
    while (points < boost.most && job.waits_since + Duration{(points + 1) * boost.every.ms} <= now) ++points;
  return job.priority + points;
}

std::int64_t by_rule(const Tables& tables, Instant now, const Job& job) {
  const Queue& queue = tables.queues.at(job.queue);
  if (queue.order == JobOrder::shortest_first) {
    const Duration limit = job.spec->time_limit.value_or(hours(1'000'000));
    return job.predicted && job.predicted->of_same_user ? std::min(job.predicted->p50, limit).ms : limit.ms;
  }
  if (queue.order == JobOrder::deadline) {
    if (!job.spec->deadline) return (now + hours(1'000'000)).ms;
    const bool late = now + job.spec->time_limit.value_or(Duration{}) > *job.spec->deadline;
    return late ? (now + hours(2'000'000)).ms : job.spec->deadline->ms;
  }
  if (queue.order == JobOrder::fifo) return 0;
  if (queue.service_levels.empty()) return job.attained_gpu_ms;
  std::int64_t level = 0;
  for (const Duration from : queue.service_levels) level += job.attained_gpu_ms >= from.ms;
  return level;
}

class DequeueOrder {
 public:
  DequeueOrder(const Tables& tables, const Used& used, const std::vector<Wish>& waiting, Duration age_cap, Instant now)
      : t_(tables), used_(used), waiting_(waiting), age_cap_(age_cap), now_(now) {}

  // The best of the children of the cohort; of the roots, if the name is empty.
  const Wish* best_below(const std::string& cohort) const {
    const Wish* best = nullptr;
    Key least;
    for (const auto& [name, queue] : t_.queues) {
      if (queue.parent != cohort) continue;
      const Wish* wish = is_cohort(name) ? best_below(name) : first_in(name);
      if (!wish) continue;
      const Key own = key(name, *wish);
      if (best && !(own < least)) continue;
      best = wish;
      least = own;
    }
    return best;
  }

 private:
  using Key = std::tuple<bool, std::int64_t, Fraction, std::int64_t, Instant, JobId, JobId>;

  bool is_cohort(const std::string& name) const {
    return std::ranges::any_of(t_.queues, [&](const auto& entry) { return entry.second.parent == name; });
  }
  const Wish* first_in(const std::string& queue) const {
    const Wish* first = nullptr;
    for (const Wish& wish : waiting_)
      if (wish.job->queue == queue && (!first || place(*wish.job) < place(*first->job))) first = &wish;
    return first;
  }
  // Within its queue.
  std::tuple<std::int64_t, std::int64_t, std::int64_t, Instant, JobId> place(const Job& job) const {
    const bool fair = t_.queues.at(job.queue).fair_users;
    const auto [urgency, rule, since, id] = dequeue_place(t_, now_, job);
    return {urgency, fair ? used_.decayed.share_of(job.queue, job.owner) : 0, rule, since, id};
  }
  std::int64_t urgency(const Job& job) const { return urgency_of(t_, now_, job); }
  Key key(const std::string& queue, const Wish& wish) const {
    const bool all_is_lent = has_no_quota(queue, wish);
    const bool is_last = all_is_lent && t_.queues.at(queue).weight_milli == 0;
    const Fraction share = is_last ? Fraction{.over = std::int64_t{1} << 50, .under = 1} : share_now(queue, wish);
    const bool borrows = all_is_lent || share != Fraction{};
    const bool by_decayed = borrows && used_.fair_share == FairShare::decayed;
    const auto [since, id] = effective_queue_time(*wish.job);
    return {borrows, by_decayed ? decayed_share(queue, wish) : 0, share, -urgency(*wish.job), since, id, wish.job->id};
  }

  // The rules by which the job selects nodes.
  static auto kind(const JobSpec& spec) {
    std::set<std::string> types;
    if (spec.resources.gpus > 0 && !spec.resources.gpu_type.empty()) {
      types = {spec.resources.other_gpu_types.begin(), spec.resources.other_gpu_types.end()};
      types.insert(spec.resources.gpu_type);
    }
    const std::set<std::string> exclude(spec.placement->exclude.begin(), spec.placement->exclude.end());
    return std::tuple(types, spec.resources.profile, spec.placement->select, exclude);
  }

  // The effective queue time: the longest wait among the jobs of its queue that are as urgent and want machines of the
  // same kind, without overtaking a job that is past the shortest age cap.
  std::pair<Instant, JobId> effective_queue_time(const Job& job) const {
    const Queue& queue = t_.queues.at(job.queue);
    std::pair time(job.submitted_at, job.id);
    if ((queue.order == JobOrder::fifo && !queue.fair_users) || !is_of_one_kind(job)) return time;
    for (const Wish& wish : waiting_) {
      const Job& other = *wish.job;
      if (!wish.gives_age || other.queue != job.queue || urgency(other) != urgency(job)) continue;
      if (kind(*other.spec) != kind(*job.spec)) continue;
      const bool is_past_any_cap = now_ > other.submitted_at + age_cap_;
      const std::pair given = is_past_any_cap ? std::pair(now_ - age_cap_ - Duration{1}, JobId{~std::uint64_t{0}})
                                              : std::pair(other.submitted_at, other.id);
      time = std::min(time, given);
    }
    return time;
  }

  Fraction share_now(const std::string& queue, const Wish& wish) const {
    if (t_.queues.at(queue).parent.empty() || wish.neglected) return {};
    return weighted(dominant_share(t_.queues, used_.now, queue, {wish.job->queue, wish.flavor, wish.more}),
                    t_.queues.at(queue));
  }

  // For something that an aged job asks for.
  bool has_no_quota(const std::string& queue, const Wish& wish) const {
    if (t_.queues.at(queue).parent.empty() || wish.neglected) return false;
    const NaiveQuota quota(t_.queues, used_.now);
    const auto kinds = quota.asked(wish.job->queue, wish.flavor, wish.old);
    // If a queue up the tree has some, the queues above it do not matter.
    for (const std::string& one : quota.way_up(wish.job->queue)) {
      if (std::ranges::none_of(kinds, [&](const auto kind) { return quota.subtree(one, wish.flavor, kind) == 0; }))
        return false;
      if (one == queue) return true;
    }
    return false;
  }

  // In billionths, rounded up: shares are compared at this precision.
  std::int64_t decayed_share(const std::string& queue, const Wish& wish) const {
    const auto weight = t_.queues.at(queue).weight_milli;
    if (weight == 0) return std::numeric_limits<std::int64_t>::max();
    // The entry of an admission counts only the kinds that count where the job is.
    ResourceVector counted;
    for (const auto kind : NaiveQuota(t_.queues, used_.now).asked(wish.job->queue, wish.flavor, wish.more))
      counted[kind] = wish.more[kind];
    const ResourceVector entry = used_.decayed.entry(counted);
    const Fraction most =
        dominant_share(used_.decayed.queues(), used_.decayed.use(), queue, {wish.job->queue, wish.flavor, entry});
    const __int128 under = most.under * weight;
    return static_cast<std::int64_t>((most.over * 1'000'000'000 * 1000 + under - 1) / under);
  }

  const Tables& t_;
  const Used& used_;
  const std::vector<Wish>& waiting_;
  Duration age_cap_;
  Instant now_;
};

}  // namespace

std::vector<const Job*> waiting_in_order(const Tables& tables) {
  std::vector<const Job*> jobs;
  for (const auto& [id, job] : tables.jobs)
    if ((job.state == JobState::queued || job.state == JobState::held) && !job.cancel_requested) jobs.push_back(&job);
  std::ranges::sort(jobs, {}, [](const Job* job) { return std::tuple(-job->priority, job->submitted_at, job->id); });
  return jobs;
}

DequeuePlace dequeue_place(const Tables& tables, Instant now, const Job& job) {
  return {-urgency_of(tables, now, job), by_rule(tables, now, job), job.submitted_at, job.id};
}

bool is_of_one_kind(const Job& job) { return job.spec->groups.empty() && job.spec->placement->anchor == 0; }

Wish wish_of(const Job& job, const std::vector<std::string>& choices, const NaiveQuota& quota) {
  const auto weight_of = [](const ResourceVector& amounts) {
    return std::tuple(amounts[ResourceKind::gpus], amounts[ResourceKind::cpus], amounts[ResourceKind::memory]);
  };
  Wish wish{.job = &job, .flavor = {}};
  const auto first =
      std::ranges::find_if(choices, [&](const auto& flavors) { return quota.covers_ever(job, flavors); });
  if (first == choices.end()) return wish;
  if (job.spec->groups.empty())
    return {.job = &job, .flavor = std::string(split_flavors(*first).back()), .more = job.spec->total()};
  for (const auto& [flavor, need] : needs_of(job, *first))
    if (wish.flavor.empty() || weight_of(need) > weight_of(wish.more))
      wish = {.job = &job, .flavor = flavor, .more = need};
  return wish;
}

const Job* next_in_dequeue_order(const Tables& tables, const Used& used, const std::vector<Wish>& waiting,
                                 Duration shortest_age_cap, Instant now) {
  return DequeueOrder(tables, used, waiting, shortest_age_cap, now).best_below("")->job;
}

}  // namespace ym::reference
