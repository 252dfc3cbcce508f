#include "engine/preemption/room.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/cycle/reserve.h"
#include "engine/preemption/within.h"

namespace ym::engine {

void keep_better(std::optional<Found>& best, std::optional<Found> other) {
  if (other && (!best || other->price < best->price)) best = std::move(other);
}

Room::Room(Cycle& cycle, Rank rank, const Claimant& claimant, Stops stops)
    : cycle_(cycle),
      rank_(rank),
      claimant_(claimant),
      walltime_(walltime_of(cycle.in, cycle.pending, cycle.tried, rank, cycle.known.longest_stop)),
      stops_(stops) {}

std::optional<Choice> Room::place() const {
  if (cycle_.tried.quota_stops(cycle_.in, claimant_.shape, claimant_.flavors, walltime_, When::later))
    return std::nullopt;
  return choose(cycle_.in.state.inventory, cycle_.in.scorer, claimant_.flavors, claimant_.shape.need(),
                cycle_.tried.access(cycle_.in, cycle_.known, walltime_), When::later);
}

bool Room::has_machines() const {
  return choose(cycle_.in.state.inventory, cycle_.in.scorer, claimant_.flavors, claimant_.shape.need(),
                cycle_.tried.access(cycle_.in, cycle_.known, walltime_), When::later)
      .has_value();
}

Candidates Room::beyond_nominal(const Candidates& candidates) {
  Candidates out;
  if (std::ranges::all_of(candidates, &Candidate::own)) return out;
  const auto mark = cycle_.tried.trial.mark();
  cycle_.tried.trial.claim({.job = cycle_.entry(rank_).slot, .flavors = claimant_.flavors});
  Within within(claimant_, own_);
  for (const Candidate& one : candidates)
    if (!one.own && !within.against(one.running->place->queue)) out.push_back(one);
  cycle_.tried.trial.roll_back(mark);
  return out;
}

Candidates Room::without_right(Candidates beyond) const {
  const std::int64_t below = borrows_below(claimant_);
  std::erase_if(beyond, [&](const Candidate& one) { return one.running->row->priority < below; });
  return beyond;
}

Preemption::Cause Room::cause_of(const Candidates& preempted_jobs) {
  Candidates stopped;
  std::ranges::copy_if(preempted_jobs, std::back_inserter(stopped),
                       [](const Candidate& one) { return !one.own && !one.running->tentative; });
  if (stopped.empty()) return Preemption::Cause::priority;
  const auto mark = cycle_.tried.trial.mark();
  for (const Candidate& preempted : preempted_jobs) depart(preempted);
  const bool borrows = !beyond_nominal(stopped).empty();
  cycle_.tried.trial.roll_back(mark);
  return borrows ? Preemption::Cause::borrow : Preemption::Cause::reclaim;
}

// First finds a place as if no preempted job had to continue. Then the preempted jobs keep their smallest sizes on
// other nodes, if they can.
std::optional<Choice> Room::place_beside_smallest(const Candidates& preempted_jobs) {
  const auto alone = place();
  if (!alone) return std::nullopt;
  const auto mark = cycle_.tried.trial.mark();
  std::optional<Choice> choice;
  if (keep_smallest(cycle_.in, cycle_.tried, cycle_.known.longest_stop, preempted_jobs, alone->nodes.nodes))
    choice = place();
  cycle_.tried.trial.roll_back(mark);
  if (!choice) return std::nullopt;
  cycle_.tried.trial.nominate({.place = cycle_.grant(rank_, claimant_.flavors, *choice), .expected = true});
  const auto running =
      std::ranges::count_if(preempted_jobs, [](const Candidate& one) { return !one.running->tentative; });
  return std::cmp_equal(jobs_that_go_on(cycle_.in, cycle_.tried, cycle_.known.longest_stop, preempted_jobs).size(),
                        running)
             ? choice
             : std::nullopt;
}

bool Room::is_enough(const Candidates& gone) {
  if (stops_ == Stops::any) return place().has_value();
  const auto mark = cycle_.tried.trial.mark();
  const bool enough = place_beside_smallest(gone).has_value();
  cycle_.tried.trial.roll_back(mark);
  return enough;
}

std::vector<GoingOn> Room::going_on(const Found& found) {
  const auto mark = cycle_.tried.trial.mark();
  for (const Candidate& preempted : found.preempted_jobs) depart(preempted);
  cycle_.tried.trial.nominate({.place = cycle_.grant(rank_, claimant_.flavors, found.choice), .expected = true});
  auto going = jobs_that_go_on(cycle_.in, cycle_.tried, cycle_.known.longest_stop, found.preempted_jobs);
  cycle_.tried.trial.roll_back(mark);
  return going;
}

std::optional<Found> Room::prove(const Candidates& preempted_jobs) {
  std::vector<Subject> subjects;
  for (const Candidate& preempted : preempted_jobs) subjects.push_back(*preempted.running);
  const auto mark = cycle_.tried.trial.mark();
  std::optional<Choice> choice;
  if (!depart_lawfully(cycle_.tried.trial, claimant_, subjects, own_))
    choice = stops_ == Stops::any ? place() : place_beside_smallest(preempted_jobs);
  cycle_.tried.trial.roll_back(mark);
  if (!choice) return std::nullopt;
  return Found{.price = Price::of(preempted_jobs), .preempted_jobs = preempted_jobs, .choice = std::move(*choice)};
}

Found Room::without_those_that_come_back(Found found) {
  own_ = Own::aside;
  const std::size_t before_that = found.preempted_jobs.size();
  Candidates all = found.preempted_jobs;
  std::ranges::sort(all, [](const Candidate& a, const Candidate& b) { return before(b, a); });
  for (const Candidate& one : all) {
    if (!one.own || !one.in_target || one.running->tentative || found.preempted_jobs.size() == 1) continue;
    Candidates others = found.preempted_jobs;
    std::erase_if(others, [&](const Candidate& other) { return other.running == one.running; });
    if (auto better = prove(others)) found = std::move(*better);
  }
  if (found.preempted_jobs.size() == before_that) own_ = Own::counts;
  return found;
}

}  // namespace ym::engine
