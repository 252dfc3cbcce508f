#include "model/progress.h"

namespace ym {

void update(Progress& progress, const ProgressReport& report, Instant at) {
  if (report.step) progress.step = report.step;
  if (report.total_steps) progress.total_steps = report.total_steps;
  for (const auto& [name, value] : report.metrics) progress.metrics.insert_or_assign(name, value);
  progress.completed = progress.completed || report.completed;
  progress.at = at;
}

}  // namespace ym
