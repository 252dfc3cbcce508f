#include "papers/elastic/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ym::sim::elastic {
namespace {

// Up to the end of the present epoch or of the time, of which what is left is the result.
double advance_within_epoch(Job& job, const Application& application, double goodput, double left_s) {
  const double boundary = application.progress_at()[job.epoch + 1];
  if (job.progress + goodput * left_s < boundary) {
    job.progress += goodput * left_s;
    job.ran_here_s += left_s;
    return 0;
  }
  const double needed_s = std::nearbyint((boundary - job.progress) / goodput);
  job.progress = boundary;
  job.epoch += 1;
  job.ran_here_s += needed_s;
  return left_s - needed_s;
}

}  // namespace

void choose_batch(Job& job, const Application& application, BatchMode mode) {
  job.batch = mode == BatchMode::fixed ? fixed_batch(application.limits(), job.layout.gpus, job.request.batch)
                                       : application.curve(job.layout).batch[job.epoch];
}

Result<void> advance(Job& job, const Application& application, BatchMode mode, std::int32_t now_s,
                     std::int32_t seconds) {
  if (job.end_s || job.allocation.empty()) return {};
  const std::int32_t paused_s = std::min(job.pause_left_s, seconds);
  job.pause_left_s -= paused_s;
  for (double left_s = seconds - paused_s; left_s > 0;) {
    const double goodput = application.goodput(job.layout, job.epoch, job.batch);
    if (goodput <= 0)
      return fail(ErrorCode::internal,
                  fmt::format("nothing is known of {} on {} GPUs of {} nodes with {} samples each", job.request.name,
                              job.layout.gpus, job.layout.nodes, job.batch.local));
    job.largest_run = std::max(job.largest_run, job.layout.gpus);
    left_s = advance_within_epoch(job, application, goodput, left_s);
    if (job.epoch == application.epochs()) {
      job.end_s = now_s + seconds - static_cast<std::int32_t>(left_s);
      return {};
    }
    choose_batch(job, application, mode);
  }
  return {};
}

}  // namespace ym::sim::elastic
