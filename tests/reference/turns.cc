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
  Turns(const Tables& tables, const Use& use, const std::vector<Wish>& waiting)
      : t_(tables), use_(use), waiting_(waiting) {}

  // The best of those below the cohort; of the roots, if it has no name.
  const Wish* best_below(const std::string& cohort) const {
    const Wish* best = nullptr;
    for (const auto& [name, queue] : t_.queues) {
      if (queue.parent != cohort) continue;
      const Wish* wish = is_cohort(name) ? best_below(name) : first_in(name);
      if (wish && (!best || key(name, *wish) < key(child_of(cohort, *best), *best))) best = wish;
    }
    return best;
  }

 private:
  bool is_cohort(const std::string& name) const {
    return std::ranges::any_of(t_.queues, [&](const auto& entry) { return entry.second.parent == name; });
  }
  const Wish* first_in(const std::string& queue) const {
    const auto first = std::ranges::find(waiting_, queue, [](const Wish& wish) { return wish.job->queue; });
    return first == waiting_.end() ? nullptr : &*first;
  }
  std::string child_of(const std::string& cohort, const Wish& wish) const {
    std::string queue = wish.job->queue;
    while (t_.queues.at(queue).parent != cohort) queue = t_.queues.at(queue).parent;
    return queue;
  }
  std::tuple<Fraction, std::int32_t, Instant, JobId> key(const std::string& queue, const Wish& wish) const {
    return {share(queue, wish), -wish.job->priority, wish.job->submitted_at, wish.job->id};
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
};

}  // namespace

const Job* next_in_turn(const Tables& tables, const Use& use, const std::vector<Wish>& waiting) {
  return Turns(tables, use, waiting).best_below("")->job;
}

}  // namespace ym::reference
