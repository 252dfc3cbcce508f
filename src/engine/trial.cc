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

  void take(const Grant& grant) {
    const Shape& shape = shape_of(grant.job);
    const NodeNeed need = NodeNeed::of(shape.task);
    for (std::size_t task = 0; task < grant.nodes.size(); ++task) {
      YM_ASSERT((grant.bits[task] & ~state_.inventory.free_devices(grant.nodes[task])) == 0);
      state_.inventory.take(grant.nodes[task], need, grant.bits[task]);
    }
    state_.quota.add(shape.queue, grant.flavor, shape.total());
  }
  void claim(const Claim& claim) {
    const Shape& shape = shape_of(claim.job);
    state_.quota.add(shape.queue, claim.flavor, shape.total());
  }
  void evict(const LiveAttempt& held) {
    const NodeNeed need = NodeNeed::of(held.task);
    for (const LiveTask& task : held.tasks) state_.inventory.give_back(task.node, need, task.bits);
    state_.quota.remove(held.queue, held.flavor, held.total());
  }

  void undo(const Grant& grant) {
    const Shape& shape = shape_of(grant.job);
    const NodeNeed need = NodeNeed::of(shape.task);
    for (std::size_t task = 0; task < grant.nodes.size(); ++task)
      state_.inventory.give_back(grant.nodes[task], need, grant.bits[task]);
    state_.quota.remove(shape.queue, grant.flavor, shape.total());
  }
  void undo(const Claim& claim) {
    const Shape& shape = shape_of(claim.job);
    state_.quota.remove(shape.queue, claim.flavor, shape.total());
  }
  void undo(const Eviction& eviction) {
    const LiveAttempt& held = *state_.live.find(eviction.job);
    const NodeNeed need = NodeNeed::of(held.task);
    for (const LiveTask& task : held.tasks) state_.inventory.take(task.node, need, task.bits);
    state_.quota.add(held.queue, held.flavor, held.total());
  }

 private:
  const Shape& shape_of(Index job) const { return state_.shape_of(state_.jobs[job]); }

  State::Impl& state_;
};

bool evicts(const Change& change, JobId job) {
  const auto* eviction = std::get_if<Eviction>(&change);
  return eviction && eviction->job == job;
}

}  // namespace

Trial::Trial(State::Impl& state) : state_(state) { YM_ASSERT(state_.trial.empty()); }

Trial::~Trial() {
  while (!state_.trial.empty()) undo_last();
}

void Trial::take(Grant grant) {
  Doer(state_).take(grant);
  state_.trial.emplace_back(std::move(grant));
}

void Trial::claim(Claim claim) {
  Doer(state_).claim(claim);
  state_.trial.emplace_back(claim);
}

void Trial::release_claims() {
  for (const Change& change : state_.trial)
    if (const auto* claim = std::get_if<Claim>(&change)) Doer(state_).undo(*claim);
  std::erase_if(state_.trial, [](const Change& change) { return std::holds_alternative<Claim>(change); });
  epoch_ = ++last_epoch_;
}

void Trial::evict(JobId job) {
  const LiveAttempt* held = state_.live.find(job);
  YM_ASSERT(held);
  YM_ASSERT(std::ranges::none_of(state_.trial, [&](const Change& change) { return evicts(change, job); }));
  Doer(state_).evict(*held);
  state_.trial.emplace_back(Eviction{.job = job});
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
