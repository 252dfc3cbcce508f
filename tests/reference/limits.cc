#include "reference/limits.h"

#include <algorithm>

namespace ym::reference {

void Limits::run(const Job& job, const std::string& queue, std::size_t nodes) {
  runs_.push_back({.queue = queue,
                   .owner = job.owner,
                   .gpus = job.spec->total(static_cast<std::int64_t>(nodes))[ResourceKind::gpus]});
}

std::set<std::string> Limits::way_up(std::string queue) const {
  std::set<std::string> way;
  while (t_.queues.contains(queue) && way.insert(queue).second) queue = t_.queues.at(queue).parent;
  return way;
}

bool Limits::forbid(const Job& job) const {
  return std::ranges::any_of(way_up(job.queue), [&](const std::string& name) {
    const Queue& queue = t_.queues.at(name);
    return forbid(queue.run_limit, job, name, false) || forbid(queue.user_run_limit, job, name, true);
  });
}

bool Limits::forbid(const RunLimit& limit, const Job& job, const std::string& queue, bool of_user) const {
  std::int64_t jobs = 1, gpus = job.spec->total()[ResourceKind::gpus];
  const bool asks_for_gpus = gpus > 0;
  for (const Run& run : runs_) {
    if (!way_up(run.queue).contains(queue) || (of_user && run.owner != job.owner)) continue;
    jobs += 1;
    gpus += run.gpus;
  }
  return (limit.jobs && jobs > *limit.jobs) || (limit.gpus_milli && asks_for_gpus && gpus > *limit.gpus_milli);
}

}  // namespace ym::reference
