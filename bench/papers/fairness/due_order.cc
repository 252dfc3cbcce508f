#include "papers/fairness/due_order.h"

#include <algorithm>
#include <compare>

namespace ym::sim::fairness {
namespace {

Micros work_of(const DueJob& job) { return job.left_us * job.gpus; }

// How well a job goes last: the larger the better.
struct Merit {
  double less_late = 0;  // in parts of its fair time
  Micros shorter_us = 0;
  Micros work = 0;
  std::size_t place = 0;
  auto operator<=>(const Merit&) const = default;
};

}  // namespace

std::vector<std::size_t> due_order(std::span<const DueJob> jobs, const DueOptions& options) {
  std::vector<std::size_t> rest, order(jobs.size());
  Micros work = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    rest.push_back(i);
    work += work_of(jobs[i]);
  }
  const Micros all_due_us =
      options.makespan_percent > 0 ? work / options.gpus * options.makespan_percent / 100 : service::kNever;
  const auto merit = [&](std::size_t i) {
    const DueJob& job = jobs[i];
    const Micros end_us = (work - work_of(job)) / options.gpus + job.left_us;
    const Micros late_us = std::max<Micros>(0, end_us - job.due_us);
    return Merit{.less_late = -static_cast<double>(late_us) / static_cast<double>(job.fair_us),
                 .shorter_us = -std::max<Micros>(0, end_us - all_due_us),
                 .work = work_of(job),
                 .place = i};
  };
  while (!rest.empty()) {
    const auto last = std::ranges::max_element(rest, std::ranges::less(), merit);
    order[rest.size() - 1] = *last;
    work -= work_of(jobs[*last]);
    rest.erase(last);
  }
  return order;
}

}  // namespace ym::sim::fairness
