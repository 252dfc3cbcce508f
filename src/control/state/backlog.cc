#include "control/state/backlog.h"

#include <iterator>
#include <utility>

#include "control/state/progress_intake.h"

namespace ym {
namespace {

// Values that only the earlier report has are not stored yet, so the later one takes them over.
void keep_unreported(ProgressReport& later, ProgressReport& earlier) {
  if (!later.step) later.step = earlier.step;
  if (!later.total_steps) later.total_steps = earlier.total_steps;
  if (earlier.metrics.size() < ProgressIntake::kMetrics) later.metrics.merge(earlier.metrics);
}

bool is_progress_alone(const Observation& observation) {
  const auto* progress = std::get_if<ProgressIsReported>(&observation.what);
  return progress && !progress->report.checkpoint && !progress->report.completed;
}

bool is_of_contact(const Observation& observation) {
  return std::holds_alternative<ContactIsLost>(observation.what) ||
         std::holds_alternative<ContactIsBack>(observation.what);
}

}  // namespace

// Where the last observation of this kind is. Null: all observations of this kind are kept.
Backlog::Place* Backlog::place_of(const Observation& observation) {
  if (is_progress_alone(observation)) return &last_[observation.token].progress;
  if (is_of_contact(observation)) return &last_[observation.token].contact;
  return nullptr;
}

void Backlog::add(Observation observation) {
  Place* place = place_of(observation);
  if (place && *place) {
    Observation& earlier = ***place;
    if (auto* progress = std::get_if<ProgressIsReported>(&observation.what))
      keep_unreported(progress->report, std::get<ProgressIsReported>(earlier.what).report);
    kept_.erase(**place);
  }
  kept_.push_back(std::move(observation));
  if (place) *place = std::prev(kept_.end());
}

std::vector<Observation> Backlog::take() {
  last_.clear();
  auto kept = std::exchange(kept_, {});
  return {std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end())};
}

}  // namespace ym
