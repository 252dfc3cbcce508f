#include "engine/preemption/smaller.h"

#include <algorithm>
#include <utility>

#include "engine/cycle/stop/size.h"
#include "engine/objections.h"

namespace ym::engine {
namespace {

// The possible places of one preempted job that has departed.
class Shrinker {
 public:
  Shrinker(const Inputs& in, const Tried& tried, Duration longest_stop, const Running& preempted)
      : in_(in),
        tried_(tried),
        longest_stop_(longest_stop),
        preempted_(preempted),
        place_(*preempted.place),
        shape_(in.state.shape_of(*preempted.row)) {
    for (const LiveTask& task : place_.tasks) had_.push_back(task.node);
  }

  // Chooses among its nodes except `without`; nothing: they are too few, or the quota is missing.
  std::optional<Choice> choose_among_own(std::int32_t nodes, const std::vector<NodeIndex>& without) const {
    const Walltime walltime = walltime_after();
    const Shape sized = shape_.sized(nodes);
    if (tried_.quota_stops(in_, sized, place_.flavors, walltime, When::later)) return std::nullopt;
    // Its queue may have lost the right to run jobs, or to use the flavor.
    const std::string flavor = in_.state.inventory.name_of(place_.flavors);
    if (quota_objects(in_.state, sized, flavor, When::later)) return std::nullopt;
    Keepers barred(in_.state.inventory.rows.size(), Rank{0});
    for (const NodeIndex node : had_)
      if (std::ranges::find(without, node) == without.end()) barred[node] = kNone;
    return choose(in_.state.inventory, in_.scorer, place_.flavors, sized.need(),
                  Access(barred, tried_.reservations, walltime), When::later, had_);
  }

  std::optional<Choice> choose_smallest(const std::vector<NodeIndex>& spared) const {
    auto apart = choose_among_own(shape_.nodes, spared);
    return apart ? apart : choose_among_own(shape_.nodes, {});
  }

  std::optional<Choice> choose_largest_left() const {
    auto best = choose_among_own(shape_.nodes, {});
    if (!best) return best;
    const Sizes sizes{.least = shape_.nodes, .step = shape_.step()};
    largest_passing(sizes, static_cast<std::int32_t>(place_.tasks.size()) - 1, [&](std::int32_t nodes) {
      auto larger = choose_among_own(nodes, {});
      const bool fits = larger.has_value();
      if (fits) best = std::move(larger);
      return fits;
    });
    return best;
  }

 private:
  // The job restarts when the last preempted job has left.
  Walltime walltime_after() const {
    const JobRow& job = *preempted_.row;
    const Instant begun = after(after(in_.now, longest_stop_), in_.policy.start_allowance);
    return {.until = job.time_limit ? after(after(begun, *job.time_limit), job.grace) : kNever,
            .claims = claims_of(job, place_.queue),
            .pass = tried_.reservations.advance_reservations().pass_of(place_.queue, job.user)};
  }

  const Inputs& in_;
  const Tried& tried_;
  Duration longest_stop_;
  const Running& preempted_;
  const Footprint& place_;
  const Shape& shape_;
  std::vector<NodeIndex> had_;  // its nodes, by task
};

// Past and further cost are not compared here: in a queue with budgets the job waits.
bool is_elastic_above_smallest(const Inputs& in, const Running& one) {
  return !one.tentative && !in.state.budgets.any(one.place->queue) &&
         std::cmp_greater(one.place->tasks.size(), in.state.shape_of(*one.row).nodes);
}

Grant grant_of(const Inputs& in, const Running& preempted, const Choice& choice) {
  return grant_to(in.state.jobs.slot(preempted.job), preempted.place->flavors, choice);
}

void keep(const Inputs& in, Tried& tried, const Running& preempted, const Choice& choice) {
  tried.trial.nominate({.place = grant_of(in, preempted, choice), .expected = true});
}

// One after the other, each as large as the ones before allow.
std::vector<GoingOn> largest_first(const Inputs& in, Tried& tried, Duration longest_stop,
                                   const std::vector<Running*>& order) {
  std::vector<GoingOn> going;
  for (Running* preempted : order) {
    auto choice = Shrinker(in, tried, longest_stop, *preempted).choose_largest_left();
    if (!choice) continue;
    keep(in, tried, *preempted, *choice);
    going.push_back({.preempted = preempted, .choice = std::move(*choice)});
  }
  return going;
}

// One after the other, each as large as possible while the later ones keep their smallest size. Empty: there is not
// enough for all.
std::vector<GoingOn> all_at_least_smallest(const Inputs& in, Tried& tried, Duration longest_stop,
                                           const std::vector<Running*>& order) {
  const auto mark = tried.trial.mark();
  std::vector<GoingOn> going;
  for (Running* preempted : order) {
    auto choice = Shrinker(in, tried, longest_stop, *preempted).choose_smallest({});
    if (!choice) break;
    keep(in, tried, *preempted, *choice);
    going.push_back({.preempted = preempted, .choice = std::move(*choice)});
  }
  tried.trial.roll_back(mark);
  if (going.size() < order.size()) return {};
  for (GoingOn& one : going) {
    for (const GoingOn& other : going)
      if (&other != &one) keep(in, tried, *other.preempted, other.choice);
    if (auto larger = Shrinker(in, tried, longest_stop, *one.preempted).choose_largest_left())
      one.choice = std::move(*larger);
    tried.trial.roll_back(mark);
  }
  for (const GoingOn& one : going) keep(in, tried, *one.preempted, one.choice);
  return going;
}

}  // namespace

bool may_shrink(const Inputs& in, const Running& one) {
  if (one.row->counts_preemptions) return false;
  return is_elastic_above_smallest(in, one) && in.state.history.durable_at(one.job, one.attempt);
}

std::vector<GoingOn> jobs_that_go_on(const Inputs& in, Tried& tried, Duration longest_stop,
                                     const Candidates& preempted_jobs) {
  std::vector<Running*> order;
  for (const Candidate& preempted : preempted_jobs)
    if (is_elastic_above_smallest(in, *preempted.running)) order.push_back(preempted.running);
  std::ranges::sort(order, {}, [](const Running* one) { return urgency_of(*one); });
  // Mostly there is enough for all at their largest size: then the long way is not needed.
  constexpr std::size_t kMostBesideEachOther = 32;
  const auto mark = tried.trial.mark();
  auto going = largest_first(in, tried, longest_stop, order);
  if (going.size() == order.size() || order.size() > kMostBesideEachOther) return going;
  tried.trial.roll_back(mark);
  auto all = all_at_least_smallest(in, tried, longest_stop, order);
  return all.empty() ? largest_first(in, tried, longest_stop, order) : all;
}

bool keep_smallest(const Inputs& in, Tried& tried, Duration longest_stop, const Candidates& preempted_jobs,
                   const std::vector<NodeIndex>& spared) {
  return std::ranges::all_of(preempted_jobs, [&](const Candidate& preempted) {
    if (preempted.running->tentative) return true;
    const auto choice = Shrinker(in, tried, longest_stop, *preempted.running).choose_smallest(spared);
    if (choice) keep(in, tried, *preempted.running, *choice);
    return choice.has_value();
  });
}

}  // namespace ym::engine
