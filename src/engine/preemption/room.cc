#include "engine/preemption/room.h"

#include <algorithm>
#include <utility>

#include "engine/cycle/reserve.h"

namespace ym::engine {

void keep_better(std::optional<Found>& best, std::optional<Found> other) {
  if (other && (!best || other->price < best->price)) best = std::move(other);
}

Room::Room(Cycle& cycle, Rank rank, const Claimant& claimant)
    : cycle_(cycle), rank_(rank), claimant_(claimant), tenure_(tenure_of(cycle, rank, cycle.longest_stop)) {}

std::optional<Choice> Room::place() const {
  if (cycle_.quota_stops(claimant_.shape, claimant_.flavor, tenure_, When::later)) return std::nullopt;
  return choose(cycle_.state.inventory, cycle_.scorer, claimant_.flavor, claimant_.shape.need(), cycle_.access(tenure_),
                When::later);
}

bool Room::has_machines() const {
  return choose(cycle_.state.inventory, cycle_.scorer, claimant_.flavor, claimant_.shape.need(), cycle_.access(tenure_),
                When::later)
      .has_value();
}

Candidates Room::without_right(const Candidates& candidates) {
  Candidates seen, out;
  if (std::ranges::all_of(candidates, &Candidate::own)) return out;
  const auto same_queue = [](const Candidate& one) { return one.running->place->queue; };
  const auto mark = cycle_.trial.mark();
  cycle_.trial.claim({.job = cycle_.order[rank_].slot, .flavor = claimant_.flavor});
  for (const Candidate& one : candidates) {
    if (one.own || std::ranges::find(seen, same_queue(one), same_queue) != seen.end()) continue;
    seen.push_back(one);
    if (!stays_within(claimant_, *one.running->place)) out.push_back(one);
  }
  cycle_.trial.roll_back(mark);
  return out;
}

std::optional<Found> Room::prove(const Candidates& victims) {
  std::vector<Subject> subjects;
  for (const Candidate& victim : victims) subjects.push_back(*victim.running);
  const auto mark = cycle_.trial.mark();
  std::optional<Choice> choice;
  if (!depart_lawfully(cycle_.trial, claimant_, subjects)) choice = place();
  cycle_.trial.roll_back(mark);
  if (!choice) return std::nullopt;
  return Found{.price = Price::of(victims), .victims = victims, .choice = std::move(*choice)};
}

}  // namespace ym::engine
