#include "papers/elastic/size_value.h"

#include <algorithm>

namespace ym::sim::elastic {
namespace {

struct Walk {
  double work_gpu_s = 0;
  double left_s = 0;  // of the time; more than 0 where the job ended before
};

Walk walk_at_present_speed(const ElasticJob& job, Count gpus, double speed, double time_s) {
  const std::size_t epoch = job.position.epoch;
  const double work_per_s = job.table->rate[gpus][epoch] * speed * job.table->work_per_progress[epoch];
  const double run_s = std::min(time_s, job.remaining.work_gpu_s / work_per_s);
  return {.work_gpu_s = work_per_s * run_s, .left_s = time_s - run_s};
}

// Moves `position`.
Walk walk_through_epochs(const SizeTable& table, Position& position, Count gpus, double speed, double time_s) {
  Walk walk{.left_s = time_s};
  while (walk.left_s > 0 && position.epoch < table.epochs()) {
    const std::size_t e = position.epoch;
    const double rate = table.rate[gpus][e] * speed;
    const double left = table.progress_at[e + 1] - position.progress, needed_s = left / rate;
    if (needed_s > walk.left_s) {
      walk.work_gpu_s += table.work_per_progress[e] * rate * walk.left_s;
      position.progress += rate * walk.left_s;
      walk.left_s = 0;
    } else {
      walk.work_gpu_s += table.work_per_progress[e] * left;
      walk.left_s -= needed_s;
      position = {.epoch = e + 1, .progress = table.progress_at[e + 1]};
    }
  }
  return walk;
}

Walk walk(const ElasticJob& job, Position& position, Count gpus, double speed, double time_s, Foresight foresight) {
  return foresight == Foresight::all_epochs ? walk_through_epochs(*job.table, position, gpus, speed, time_s)
                                            : walk_at_present_speed(job, gpus, speed, time_s);
}

}  // namespace

Count largest_size(const SizeTable& table, Count most) {
  Count largest = 0;
  for (const Count gpus : table.sizes)
    if (gpus <= most) largest = gpus;
  return largest;
}

double value_of_size(const ElasticJob& job, Count gpus, const ValueOptions& options) {
  const bool changes = gpus != job.gpus;
  const double run_s = options.horizon_s - (changes ? options.pause_s : job.pause_left_s);
  if (run_s <= 0) return 0;
  Position position = job.position;
  const Walk walked = walk(job, position, gpus, changes ? 1 : job.layout_speed, run_s, options.foresight);
  return job.weight * walked.work_gpu_s / (options.horizon_s - walked.left_s);
}

double value_by_doubling(const ElasticJob& job, Count gpus, const ValueOptions& options) {
  Position position = job.position;
  double work_gpu_s = 0, used_s = 0;
  Count most = job.most_gpus;
  for (double left_s = options.horizon_s; left_s > 0;) {
    const Count size = most < gpus ? largest_size(*job.table, most) : gpus;
    if (size == 0) return 0;
    const double held_s = size == gpus ? left_s : std::min(left_s, options.round_s);
    const double run_s = std::max(0.0, held_s - options.pause_s);
    const Walk walked = walk(job, position, size, 1, run_s, options.foresight);
    work_gpu_s += walked.work_gpu_s;
    used_s += held_s - walked.left_s;
    left_s -= held_s;
    most = 2 * size;
  }
  return used_s > 0 ? job.weight * work_gpu_s / used_s : 0;
}

}  // namespace ym::sim::elastic
