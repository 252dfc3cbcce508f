#include "engine/forecast/start_trials.h"

#include <iterator>
#include <set>

#include "engine/state/impl.h"

namespace ym::engine {
namespace {

// How many of a forecast's newest starts are searched for the newest job of each queue.
constexpr int kLooked = 1'000;

}  // namespace

void StartTrials::begun() {
  under_way_ = true;
  meanwhile_.clear();
}

void StartTrials::settle(Instant now) {
  for (auto it = open_.begin(); it != open_.end();) it = pass(it->second, now) ? open_.erase(it) : std::next(it);
}

bool StartTrials::pass(Trial& trial, Instant now) {
  const auto high = trial.predicted.high;
  if (!trial.early_is_settled && trial.predicted.low < now) {
    trial.early_is_settled = true;
    learnt_[trial.queue].early.note(false);
  }
  if (!high) return trial.early_is_settled;
  if (*high < now) learnt_[trial.queue].late.note(true);
  return *high < now;
}

void StartTrials::made(const State& state, const Forecast& forecast) {
  std::set<std::string> queues;
  int looked = forecast.as_of < next_ ? kLooked : 0;
  for (auto it = forecast.starts.rbegin(); it != forecast.starts.rend() && looked++ < kLooked; ++it) {
    const auto& [job, start] = *it;
    const JobRow* row = state.impl().jobs.find(job);
    if (row == nullptr || start.median <= forecast.as_of) continue;
    const std::string& queue = state.impl().queue_names[state.impl().shape_of(*row).queue];
    if (!queues.insert(queue).second || job <= learnt_[queue].newest) continue;
    learnt_[queue].newest = job;
    predicted(job, queue, adjusted_at(forecast, queue, start, forecast.as_of));
    next_ = forecast.as_of + kEvery;
  }
  under_way_ = false;
  meanwhile_.clear();
}

void StartTrials::predicted(JobId job, const std::string& queue, const PredictedStart& what) {
  const auto found = meanwhile_.find(job);
  const bool is_gone = found != meanwhile_.end() && !found->second;
  if (open_.size() >= kMost || is_gone) return;
  open_.emplace(job, Trial{.queue = queue, .predicted = what});
  if (found != meanwhile_.end()) started(job, *found->second);
}

void StartTrials::follow(const Event& event) {
  if (const auto* start = std::get_if<AttemptStarted>(&event.payload))
    started(start->attempt.job, start->began(event.time));
  else if (const auto* held = std::get_if<JobHeld>(&event.payload)) gone(held->job);
  else if (const auto* cancelled = std::get_if<CancelRequested>(&event.payload)) gone(cancelled->job);
  else if (const auto* finished = std::get_if<JobFinished>(&event.payload)) gone(finished->job);
}

void StartTrials::started(JobId job, Instant at) {
  if (under_way_) meanwhile_.emplace(job, at);
  const auto found = open_.extract(job);
  if (found.empty()) return;
  const Trial& trial = found.mapped();
  Learnt& learnt = learnt_[trial.queue];
  if (!trial.early_is_settled) learnt.early.note(at < trial.predicted.low);
  if (trial.predicted.high) learnt.late.note(at > *trial.predicted.high);
}

// A job that started before it went is settled already.
void StartTrials::gone(JobId job) {
  if (under_way_) meanwhile_.emplace(job, std::nullopt);
  open_.erase(job);
}

std::map<std::string, StartMargins> StartTrials::margins() const {
  std::map<std::string, StartMargins> margins;
  for (const auto& [queue, learnt] : learnt_)
    margins[queue] = {.early_milli = learnt.early.milli(), .late_milli = learnt.late.milli()};
  return margins;
}

}  // namespace ym::engine
