#include "reference/turns.h"

#include <algorithm>
#include <compare>
#include <set>
#include <tuple>

namespace ym::reference {
namespace {

// Exact: shares that are equal must not differ in a last digit.
struct Fraction {
  __int128 over = 0, under = 1;
  std::strong_ordering operator<=>(const Fraction& other) const { return over * other.under <=> other.over * under; }
  bool operator==(const Fraction& other) const { return (*this <=> other) == 0; }
};

class Turns {
 public:
  Turns(const Tables& tables, const Use& use, const std::vector<Wish>& waiting, Instant now)
      : t_(tables), use_(use), waiting_(waiting), now_(now) {}

  // The best of those below the cohort; of the roots, if it has no name.
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
  using Key = std::tuple<Fraction, std::int64_t, Instant, JobId>;

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
  std::tuple<std::int64_t, std::int64_t, Instant, JobId> place(const Job& job) const {
    return {-urgency(job), by_rule(job), job.submitted_at, job.id};
  }
  std::int64_t urgency(const Job& job) const {
    const AgeBoost& boost = t_.queues.at(job.queue).age_boost;
    std::int64_t points = 0;
    if (boost.every.ms > 0)
      while (points < boost.most && job.waits_since + Duration{(points + 1) * boost.every.ms} <= now_) ++points;
    return job.priority + points;
  }
  std::int64_t by_rule(const Job& job) const {
    const Queue& queue = t_.queues.at(job.queue);
    if (queue.order == JobOrder::shortest_first) return job.spec->time_limit.value_or(hours(1'000'000)).ms;
    if (queue.order == JobOrder::fifo) return 0;
    if (queue.service_levels.empty()) return job.attained_gpu_ms;
    std::int64_t level = 0;
    for (const Duration from : queue.service_levels) level += job.attained_gpu_ms >= from.ms;
    return level;
  }
  Key key(const std::string& queue, const Wish& wish) const {
    return {share(queue, wish), -urgency(*wish.job), wish.job->submitted_at, wish.job->id};
  }

  Fraction share(const std::string& queue, const Wish& wish) const {
    const std::string& cohort = t_.queues.at(queue).parent;
    if (cohort.empty() || wish.aged) return {};
    Use then = use_;
    const ResourceVector more = wish.flavor.empty() ? ResourceVector{} : wish.job->spec->total();
    for (std::size_t i = 0; i < kResourceKinds; ++i)
      then[{wish.job->queue, wish.flavor, resource_kind(i)}] += more.amounts[i];
    const NaiveQuota quota(t_.queues, then);
    Fraction most;
    for (std::size_t i = 0; i < kResourceKinds; ++i) {
      const auto kind = resource_kind(i);
      std::int64_t borrowed = 0, lendable = 0;
      for (const auto& flavor : flavors()) {
        lendable += quota.potential(cohort, flavor, kind);
        if (!quota.limited(queue, flavor, kind)) continue;
        borrowed += std::max<std::int64_t>(0, quota.usage(queue, flavor, kind) - quota.subtree(queue, flavor, kind));
      }
      const Fraction part{.over = borrowed, .under = lendable};
      if (borrowed > 0 && lendable > 0) most = std::max(most, part);
    }
    if (most == Fraction{}) return most;
    // Without any weight it comes after all others, if it borrows.
    const auto weight = t_.queues.at(queue).weight_milli;
    if (weight == 0) return {.over = std::int64_t{1} << 50, .under = 1};
    return {.over = most.over * 1000, .under = most.under * weight};
  }

  std::set<std::string> flavors() const {
    std::set<std::string> names;
    for (const auto& [name, queue] : t_.queues)
      if (queue.quota)
        for (const auto& [flavor, kinds] : *queue.quota) names.insert(flavor);
    return names;
  }

  const Tables& t_;
  const Use& use_;
  const std::vector<Wish>& waiting_;
  Instant now_;
};

}  // namespace

const Job* next_in_turn(const Tables& tables, const Use& use, const std::vector<Wish>& waiting, Instant now) {
  return Turns(tables, use, waiting, now).best_below("")->job;
}

}  // namespace ym::reference
