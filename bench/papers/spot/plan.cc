#include "papers/spot/plan.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace ym::sim::spot {
namespace {

constexpr int kUnitsPerStep = static_cast<int>(kStepMs / kSlackUnitMs);
constexpr std::int32_t kTooLate = 1 << 30;
constexpr std::array kModes{Mode::idle, Mode::on_demand, Mode::spot};

int step_count(const Job& job) { return static_cast<int>(job.deadline_ms / kStepMs) + 1; }
int slack_count(const Job& job) { return static_cast<int>((job.deadline_ms - job.work_ms) / kSlackUnitMs) + 1; }
unsigned shift_of(Mode mode) { return 2 * static_cast<unsigned>(mode); }

// Costs are in 1/1000 cent; time and slack in units of slack.
class PlanInduction {
 public:
  PlanInduction(const Job& job, const Chain& chain);

  // One step further from the deadline: steps 1, 2, ... of it. Calls `take` with the choices by slack and state.
  template <class Take>
  void step(int step, Take take);

 private:
  // Where one is: a row for each mode and slack, by state.
  std::size_t row(Mode mode, int slack) const {
    return (static_cast<std::size_t>(mode) * static_cast<std::size_t>(slacks_) + static_cast<std::size_t>(slack)) *
           chain_.states.size();
  }
  int start_at(Mode mode, Mode held) const { return mode == held ? 0 : start_; }

  void average(int step);
  std::int32_t averaged(Mode mode, int slack, const ChainState& state, std::int64_t cost_alone) const;
  std::int64_t cost_alone(Mode mode, int slack, int step) const;
  Mode decide(Mode held, int slack, int step, std::size_t state);
  std::int32_t cost_of_idle(int slack, std::size_t state) const;
  std::int32_t cost_of(Mode mode, int slack, int step, std::size_t state) const;

  const Chain& chain_;
  int slacks_, start_;
  std::int64_t on_demand_price_, spot_price_;  // of a unit
  std::vector<std::int32_t> next_;             // cost to go after the step, by mode, slack and state then
  std::vector<std::int32_t> mean_;             // the same by the state before, over where the chain goes
};

std::int64_t unit_price(std::int64_t cents) { return cents * 1000 * kSlackUnitMs / kHourMs; }

PlanInduction::PlanInduction(const Job& job, const Chain& chain)
    : chain_(chain),
      slacks_(slack_count(job)),
      start_(static_cast<int>((job.start_ms + kSlackUnitMs - 1) / kSlackUnitMs)),
      on_demand_price_(unit_price(job.prices.on_demand_cents)),
      spot_price_(unit_price(job.prices.spot_cents)),
      next_(kModes.size() * static_cast<std::size_t>(slacks_) * chain.states.size()),
      mean_(next_) {}

// Of what is left at that step if there were no spot any more.
std::int64_t PlanInduction::cost_alone(Mode mode, int slack, int step) const {
  const std::int64_t left = std::max(0, step * kUnitsPerStep - slack);
  return left == 0 ? 0 : (left + start_at(Mode::on_demand, mode)) * on_demand_price_;
}

std::int32_t PlanInduction::averaged(Mode mode, int slack, const ChainState& state, std::int64_t cost_alone) const {
  const std::size_t kept = row(mode, slack), lost = mode == Mode::spot ? row(Mode::idle, slack) : kept;
  std::int64_t sum = 0;
  for (const Arc& arc : state.arcs) {
    const std::size_t to = arc.loses || !chain_.states[arc.to].up ? lost : kept;
    sum += std::int64_t{arc.chance} * next_[to + arc.to];
  }
  const std::int64_t mean = sum / kCertain;
  return static_cast<std::int32_t>((mean * (kCertain - chain_.never_back) + cost_alone * chain_.never_back) / kCertain);
}

void PlanInduction::average(int step) {
  for (const Mode mode : kModes) {
    for (int slack = 0; slack < slacks_; ++slack) {
      const std::int64_t alone = cost_alone(mode, slack, step);
      for (std::size_t state = 0; state < chain_.states.size(); ++state)
        if (mode != Mode::spot || chain_.states[state].up)
          mean_[row(mode, slack) + state] = averaged(mode, slack, chain_.states[state], alone);
    }
  }
}

// Idle as long as a start on demand is in time afterwards.
std::int32_t PlanInduction::cost_of_idle(int slack, std::size_t state) const {
  const int then = slack - kUnitsPerStep;
  return then < start_ ? kTooLate : mean_[row(Mode::idle, then) + state];
}

// `slack` is what is left of it once the start is paid.
std::int32_t PlanInduction::cost_of(Mode mode, int slack, int step, std::size_t state) const {
  if (slack < (mode == Mode::on_demand ? 0 : start_)) return kTooLate;
  const int left = step * kUnitsPerStep - slack;
  const std::int64_t price = mode == Mode::on_demand ? on_demand_price_ : spot_price_;
  const auto paid = static_cast<std::int32_t>(std::min(left, kUnitsPerStep) * price);
  return left <= kUnitsPerStep ? paid : paid + mean_[row(mode, slack) + state];
}

// Of equals on demand, then idle, then spot.
Mode PlanInduction::decide(Mode held, int slack, int step, std::size_t state) {
  Mode choice = Mode::on_demand;
  std::int32_t least = cost_of(Mode::on_demand, slack - start_at(Mode::on_demand, held), step, state);
  const auto consider = [&](Mode mode, std::int32_t cost) {
    if (cost >= least) return;
    choice = mode;
    least = cost;
  };
  consider(Mode::idle, cost_of_idle(slack, state));
  if (chain_.states[state].up)
    consider(Mode::spot, cost_of(Mode::spot, slack - start_at(Mode::spot, held), step, state));
  next_[row(held, slack) + state] = step * kUnitsPerStep <= slack ? 0 : least;
  return choice;
}

template <class Take>
void PlanInduction::step(int step, Take take) {
  average(step - 1);
  for (int slack = 0; slack < slacks_; ++slack) {
    for (std::size_t state = 0; state < chain_.states.size(); ++state) {
      unsigned choices = 0;
      for (const Mode held : kModes)
        if (held != Mode::spot || chain_.states[state].up)
          choices |= static_cast<unsigned>(decide(held, slack, step, state)) << shift_of(held);
      take(static_cast<std::uint8_t>(choices));
    }
  }
}

}  // namespace

Plan::Plan(const Job& job, const Chain& chain)
    : steps_(step_count(job)), slacks_(slack_count(job)), states_(chain.states.size()) {
  YM_ASSERT(job.work_ms > 0 && job.start_ms > 0 && job.work_ms + job.start_ms <= job.deadline_ms);
  YM_ASSERT(job.prices.spot_cents <= job.prices.on_demand_cents);
  YM_ASSERT((job.deadline_ms / kHourMs + 1) * job.prices.on_demand_cents < 1'000'000 && states_ > 0);
  choices_.reserve(static_cast<std::size_t>(steps_) * static_cast<std::size_t>(slacks_) * states_);
  PlanInduction backward(job, chain);
  for (int step = 1; step <= steps_; ++step)
    backward.step(step, [&](std::uint8_t choices) { choices_.push_back(choices); });
}

Mode Plan::choose(const Now& now) const {
  const auto step = std::clamp<std::int64_t>(now.to_deadline_ms / kStepMs, 1, steps_);
  const auto slack = std::clamp<std::int64_t>(now.slack_ms / kSlackUnitMs, 0, slacks_ - 1);
  const auto at = static_cast<std::size_t>((step - 1) * slacks_ + slack) * states_ + now.state;
  return static_cast<Mode>(choices_[at] >> shift_of(now.mode) & 3U);
}

}  // namespace ym::sim::spot
