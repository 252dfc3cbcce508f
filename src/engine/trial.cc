#include "engine/trial.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace ym::engine {
namespace {

// Does a change, or undoes it.
class Doer {
 public:
  explicit Doer(State::Impl& state) : state_(state) {}

  void apply(const Grant& grant) { state_.take(footprint(grant)); }
  void apply(const Claim& claim) { state_.claimed.add(shape_of(claim.job).queue, claim.flavor, total(claim)); }
  void apply(const Departure& departure) { state_.set_leaving(state_.live.at(departure.job), true); }
  void apply(const Withdrawal& withdrawal) { undo(withdrawal.grant); }
  void apply(const Keeping& keeping) { state_.keep(footprint(keeping.place), keeping.expected); }
  void apply(const Lifting& lifting) { state_.unkeep(*state_.holds.find(lifting.job), false); }

  void undo(const Grant& grant) { state_.give_back(footprint(grant), false); }
  void undo(const Claim& claim) { state_.claimed.remove(shape_of(claim.job).queue, claim.flavor, total(claim)); }
  void undo(const Departure& departure) { state_.set_leaving(state_.live.at(departure.job), false); }
  void undo(const Withdrawal& withdrawal) { apply(withdrawal.grant); }
  void undo(const Keeping& keeping) { state_.unkeep(footprint(keeping.place), keeping.expected); }
  void undo(const Lifting& lifting) { state_.keep(*state_.holds.find(lifting.job), false); }

 private:
  const Shape& shape_of(Index job) const { return state_.shape_of(state_.jobs[job]); }
  ResourceVector total(const Claim& claim) const { return shape_of(claim.job).total(); }
  Footprint footprint(const Grant& grant) const {
    const Shape& shape = shape_of(grant.job);
    Footprint place{.queue = shape.queue, .flavor = grant.flavor, .task = shape.task, .tasks = {}};
    for (std::size_t task = 0; task < grant.nodes.size(); ++task)
      place.tasks.push_back({.node = grant.nodes[task], .bits = grant.bits[task], .devices = {}});
    return place;
  }

  State::Impl& state_;
};

template <class Kind>
auto concerns(JobId job) {
  return [job](const Change& change) {
    const auto* found = std::get_if<Kind>(&change);
    return found && found->job == job;
  };
}

bool is_free(const Inventory& inventory, const Grant& place, When when) {
  for (std::size_t task = 0; task < place.nodes.size(); ++task)
    if ((place.bits[task] & ~inventory.free_devices(place.nodes[task], when)) != 0) return false;
  return true;
}

}  // namespace

Trial::Trial(State::Impl& state) : state_(state) { YM_ASSERT(state_.trial.empty()); }

Trial::~Trial() {
  while (!state_.trial.empty()) undo_last();
}

void Trial::take(Grant grant) {
  YM_ASSERT(is_free(state_.inventory, grant, When::now));
  Doer(state_).apply(grant);
  state_.trial.emplace_back(std::move(grant));
}

void Trial::claim(Claim claim) {
  Doer(state_).apply(claim);
  state_.trial.emplace_back(claim);
}

void Trial::keep(Keeping keeping) {
  YM_ASSERT(is_free(state_.inventory, keeping.place, When::later));
  Doer(state_).apply(keeping);
  state_.trial.emplace_back(std::move(keeping));
}

template <class Which>
void Trial::release(Which which) {
  for (const Change& change : state_.trial)
    if (which(change)) std::visit([&](const auto& one) { Doer(state_).undo(one); }, change);
  std::erase_if(state_.trial, which);
  epoch_ = ++last_epoch_;
}

void Trial::release_claims() {
  release([](const Change& change) { return std::holds_alternative<Claim>(change); });
}

void Trial::release_expected() {
  release([](const Change& change) {
    const auto* keeping = std::get_if<Keeping>(&change);
    return keeping && keeping->expected;
  });
}

const Grant* Trial::grant_of(JobId job) const {
  for (const Change& change : state_.trial)
    if (const auto* grant = std::get_if<Grant>(&change); grant && state_.jobs[grant->job].id == job) return grant;
  return nullptr;
}

void Trial::depart(JobId job) {
  const LiveAttempt* held = state_.live.find(job);
  YM_ASSERT(!held || !held->leaving);
  Change change = Departure{job};
  if (!held) {
    const Grant* grant = grant_of(job);
    YM_ASSERT(grant && std::ranges::none_of(state_.trial, concerns<Withdrawal>(job)));
    change = Withdrawal{.job = job, .grant = *grant};
  }
  std::visit([&](const auto& one) { Doer(state_).apply(one); }, change);
  state_.trial.push_back(std::move(change));
  epoch_ = ++last_epoch_;
}

void Trial::stay(JobId job) {
  const auto departed = std::ranges::find_if(state_.trial.rbegin(), state_.trial.rend(), [&](const Change& change) {
    return concerns<Departure>(job)(change) || concerns<Withdrawal>(job)(change);
  });
  YM_ASSERT(departed != state_.trial.rend());
  std::visit([&](const auto& one) { Doer(state_).undo(one); }, *departed);
  state_.trial.erase(std::next(departed).base());
}

void Trial::release_grant(JobId job) {
  YM_ASSERT(grant_of(job));
  release([&](const Change& change) {
    const auto* grant = std::get_if<Grant>(&change);
    return grant && state_.jobs[grant->job].id == job;
  });
}

void Trial::lift(JobId job) {
  YM_ASSERT(state_.holds.find(job) && std::ranges::none_of(state_.trial, concerns<Lifting>(job)));
  Doer(state_).apply(Lifting{job});
  state_.trial.emplace_back(Lifting{job});
  epoch_ = ++last_epoch_;
}

Trial::Mark Trial::mark() {
  const Mark here{.size = state_.trial.size(), .epoch = epoch_};
  // What is found from here on holds only until this is rolled back.
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
  state_.trial.pop_back();
}

}  // namespace ym::engine
