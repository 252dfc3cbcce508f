#include "engine/trial.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"

namespace ym::engine {
namespace {

// Applies or undoes a change.
class Doer {
 public:
  explicit Doer(State::Impl& state) : state_(state) {}

  void apply(const Grant& grant) { state_.take(grant.job, footprint(grant)); }
  void apply(const Claim& claim) {
    for (QuotaTree* tree : trees(claim))
      if (tree) charge(*tree, claim);
    for (const Inherited& part : claim.inherits) state_.inherit(part);
  }
  void apply(const SimulatedEviction& departure) { state_.set_leaving(departure.job, true); }
  void apply(const Withdrawal& withdrawal) { undo(withdrawal.grant); }
  void apply(const Keeping& keeping) { state_.keep(keeping.place.job, footprint(keeping.place), keeping.expected); }
  void apply(const Lifting& lifting) {
    state_.unkeep(state_.jobs.slot(lifting.job), *state_.holds.find(lifting.job), false);
  }
  void apply(const Overdue& overdue) { state_.mark_overdue(state_.live.at(overdue.job)); }
  void apply(const Revoked&) {}

  void undo(const Grant& grant) { state_.give_back(grant.job, footprint(grant), false); }
  void undo(const Claim& claim) {
    for (const Inherited& part : claim.inherits) state_.disinherit(part);
    for (QuotaTree* tree : trees(claim))
      if (tree) refund(*tree, claim);
  }
  void undo(const SimulatedEviction& departure) { state_.set_leaving(departure.job, false); }
  void undo(const Withdrawal& withdrawal) { apply(withdrawal.grant); }
  void undo(const Keeping& keeping) { state_.unkeep(keeping.place.job, footprint(keeping.place), keeping.expected); }
  void undo(const Lifting& lifting) {
    state_.keep(state_.jobs.slot(lifting.job), *state_.holds.find(lifting.job), false);
  }
  void undo(const Overdue& overdue) { state_.clear_overdue(state_.live.at(overdue.job)); }
  void undo(const Revoked&) {}

 private:
  const Shape& shape_of(Slot job) const { return state_.shape_of(state_.jobs[job]); }
  // Null: no tree.
  std::array<QuotaTree*, 2> trees(const Claim& claim) {
    return {&state_.promised, claim.reserved ? nullptr : &state_.claimed};
  }
  void charge(QuotaTree& tree, const Claim& claim) const {
    const Shape& shape = shape_of(claim.job);
    for (const FlavorIndex flavor : claim.flavors.each())
      tree.add(shape.queue, flavor, shape.in(claim.flavors, flavor));
  }
  void refund(QuotaTree& tree, const Claim& claim) const {
    const Shape& shape = shape_of(claim.job);
    for (const FlavorIndex flavor : claim.flavors.each())
      tree.remove(shape.queue, flavor, shape.in(claim.flavors, flavor));
  }
  Footprint footprint(const Grant& grant) const {
    const Shape& shape = shape_of(grant.job);
    Footprint place = shape.footprint(grant.flavors);
    for (std::size_t task = 0; task < grant.nodes.size(); ++task)
      place.tasks.push_back({.node = grant.nodes[task], .bits = grant.bits[task], .devices = {}});
    return place;
  }

  State::Impl& state_;
};

bool is_departure_of(const Change& change, JobId job) {
  const auto* departure = std::get_if<SimulatedEviction>(&change);
  const auto* withdrawal = std::get_if<Withdrawal>(&change);
  return (departure && departure->job == job) || (withdrawal && withdrawal->job == job);
}

bool is_free(const State::Impl& state, const Grant& place, When when) {
  bool free = true;
  for_each_task(state.shape_of(state.jobs[place.job]), place.nodes.size(), [&](TaskIndex task, const NodeNeed& need) {
    free = free && state.inventory.are_free(place.nodes[task.value], need, place.bits[task.value], when);
  });
  return free;
}

}  // namespace

Trial::Trial(State::Impl& state) : state_(state) { YM_ASSERT(state_.trial.empty()); }

Trial::~Trial() {
  while (!state_.trial.empty()) undo_last();
}

// Applies the change and logs it.
void Trial::push(Change change) {
  count(change);
  std::visit([&](const auto& one) { Doer(state_).apply(one); }, change);
  if (const auto* grant = std::get_if<Grant>(&change)) grants_[state_.jobs[grant->job].id] = state_.trial.size();
  if (const auto* withdrawal = std::get_if<Withdrawal>(&change)) withdrawn_.insert(withdrawal->job);
  if (const auto* lifting = std::get_if<Lifting>(&change)) lifted_.insert(lifting->job);
  state_.trial.push_back(std::move(change));
}

void Trial::forget(const Change& change) {
  count(change);
  if (const auto* grant = std::get_if<Grant>(&change)) grants_.erase(state_.jobs[grant->job].id);
  if (const auto* withdrawal = std::get_if<Withdrawal>(&change)) withdrawn_.erase(withdrawal->job);
  if (const auto* lifting = std::get_if<Lifting>(&change)) lifted_.erase(lifting->job);
}

void Trial::find_grants(std::size_t from) {
  for (; from < state_.trial.size(); ++from)
    if (const auto* grant = std::get_if<Grant>(&state_.trial[from])) grants_[state_.jobs[grant->job].id] = from;
}

void Trial::take(Grant grant) {
  YM_ASSERT(is_free(state_, grant, When::now));
  push(std::move(grant));
}

void Trial::claim(Claim claim) { push(std::move(claim)); }

void Trial::keep(Keeping keeping) {
  YM_ASSERT(is_free(state_, keeping.place, When::later));
  push(std::move(keeping));
}

template <class Which>
void Trial::release(Which which) {
  for (const Change& change : state_.trial)
    if (which(change)) {
      count(change);
      std::visit([&](const auto& one) { Doer(state_).undo(one); }, change);
    }
  std::erase_if(state_.trial,
                [&](const Change& change) { return which(change) || std::holds_alternative<Revoked>(change); });
  find_grants(0);
  epoch_ = ++last_epoch_;
}

void Trial::release_claims() {
  const std::uint64_t before = epoch_;
  const bool any_kept = std::ranges::any_of(state_.trial, [](const Change& change) {
    const auto* claim = std::get_if<Claim>(&change);
    return claim && !claim->reserved;
  });
  release([](const Change& change) { return std::holds_alternative<Claim>(change); });
  if (!any_kept) epoch_ = before;
}

void Trial::release_expected() {
  release([](const Change& change) {
    const auto* keeping = std::get_if<Keeping>(&change);
    return (keeping && keeping->expected) || std::holds_alternative<Overdue>(change);
  });
}

void Trial::depart(JobId job) {
  if (const LiveAttempt* held = state_.live.find(job)) {
    YM_ASSERT(!held->leaving);
    push(SimulatedEviction{job});
  } else {
    const auto granted = grants_.find(job);
    YM_ASSERT(granted != grants_.end() && !withdrawn_.contains(job));
    push(Withdrawal{.job = job, .grant = Grant(std::get<Grant>(state_.trial[granted->second]))});
  }
  epoch_ = ++last_epoch_;
}

void Trial::stay(JobId job) {
  const auto departed = std::ranges::find_if(state_.trial.rbegin(), state_.trial.rend(),
                                             [&](const Change& change) { return is_departure_of(change, job); });
  YM_ASSERT(departed != state_.trial.rend());
  std::visit([&](const auto& one) { Doer(state_).undo(one); }, *departed);
  forget(*departed);
  const auto next = state_.trial.erase(std::next(departed).base());
  find_grants(static_cast<std::size_t>(next - state_.trial.begin()));
}

void Trial::release_grant(JobId job) {
  const auto granted = grants_.find(job);
  YM_ASSERT(granted != grants_.end());
  Change& change = state_.trial[granted->second];
  Doer(state_).undo(std::get<Grant>(change));
  grants_.erase(granted);
  change = Revoked{};
  epoch_ = ++last_epoch_;
}

void Trial::lift(JobId job) {
  YM_ASSERT(state_.holds.find(job) && !lifted_.contains(job));
  push(Lifting{job});
  epoch_ = ++last_epoch_;
}

void Trial::mark_overdue(JobId job) { push(Overdue{job}); }

Trial::Mark Trial::mark() {
  const Mark here{.size = state_.trial.size(), .epoch = epoch_};
  // Results from here on are valid only until the roll-back.
  epoch_ = ++last_epoch_;
  return here;
}

void Trial::roll_back(Mark mark) {
  YM_ASSERT(mark.size <= state_.trial.size());
  while (state_.trial.size() > mark.size) undo_last();
  epoch_ = mark.epoch;
}

void Trial::undo_last() {
  std::visit([&](const auto& change) { Doer(state_).undo(change); }, state_.trial.back());
  forget(state_.trial.back());
  state_.trial.pop_back();
}

}  // namespace ym::engine
