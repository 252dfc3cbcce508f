#include "papers/elastic/bounds.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace ym::sim::elastic {
namespace {

enum class Order { least_left, smallest };

struct MachineTimes {
  double ends_s = 0;  // sums over jobs, from submission
  double busy_s = 0;  // of the mean times at which work is done
};

// One machine that does one job at a time and may change between them at any moment.
class Machine {
 public:
  Machine(const std::vector<JobRequest>& requests, std::vector<double> work_gpu_s, double gpus, Order order)
      : requests_(requests), size_(std::move(work_gpu_s)), left_(size_), gpus_(gpus), order_(order) {
    arrivals_.resize(requests.size());
    std::iota(arrivals_.begin(), arrivals_.end(), std::size_t{0});
    std::ranges::sort(arrivals_, {}, [&](std::size_t i) { return std::pair(requests[i].submit_s, i); });
  }

  MachineTimes run() {
    while (next_ < arrivals_.size() || !waiting_.empty()) {
      if (waiting_.empty()) now_s_ = std::max(now_s_, next_arrival_s());
      while (next_arrival_s() <= now_s_) arrive(arrivals_[next_++]);
      work_on_first();
    }
    return times_;
  }

 private:
  double next_arrival_s() const {
    return next_ < arrivals_.size() ? requests_[arrivals_[next_]].submit_s : std::numeric_limits<double>::infinity();
  }
  void arrive(std::size_t i) { waiting_.emplace(size_[i], i); }

  // Until it ends or another arrives.
  void work_on_first() {
    const auto [key, i] = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    const double end_s = now_s_ + left_[i] / gpus_, until_s = std::min(end_s, next_arrival_s());
    const double done = (until_s - now_s_) * gpus_;
    times_.busy_s += done / size_[i] * ((now_s_ + until_s) / 2 - requests_[i].submit_s);
    left_[i] -= done;
    now_s_ = until_s;
    if (end_s <= until_s) times_.ends_s += now_s_ - requests_[i].submit_s;
    else waiting_.emplace(order_ == Order::least_left ? left_[i] : key, i);
  }

  const std::vector<JobRequest>& requests_;
  std::vector<double> size_, left_;
  double gpus_;
  Order order_;
  std::vector<std::size_t> arrivals_;
  std::size_t next_ = 0;
  std::set<std::pair<double, std::size_t>> waiting_;
  double now_s_ = 0;
  MachineTimes times_;
};

// From the mean time at which the work of a job is done to its end, when it runs as fast as it can.
double end_after_mean_busy_s(const LeastNeeds& needs) {
  const double work_gpu_s = needs.work_gpu_s();
  double after_s = 0, left_s = needs.run_s();
  for (std::size_t e = 0; e < needs.epoch_s.size(); ++e) {
    after_s += needs.epoch_gpu_s[e] / work_gpu_s * (left_s - needs.epoch_s[e] / 2);
    left_s -= needs.epoch_s[e];
  }
  return after_s;
}

}  // namespace

double LeastNeeds::run_s() const { return std::accumulate(epoch_s.begin(), epoch_s.end(), 0.0); }
double LeastNeeds::work_gpu_s() const { return std::accumulate(epoch_gpu_s.begin(), epoch_gpu_s.end(), 0.0); }

LeastNeeds least_needs(const Application& application, const Cluster& cluster) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  LeastNeeds needs{.epoch_s = std::vector<double>(application.epochs(), kNone),
                   .epoch_gpu_s = std::vector<double>(application.epochs(), kNone)};
  const auto progress_at = application.progress_at();
  for (Count gpus = 1; gpus <= application.most_gpus(cluster); ++gpus) {
    const Curve& curve = application.curve(packed_layout(gpus, cluster.gpus_per_node));
    for (std::size_t e = 0; e < application.epochs(); ++e) {
      const double seconds = (progress_at[e + 1] - progress_at[e]) / curve.goodput[e];
      needs.epoch_s[e] = std::min(needs.epoch_s[e], seconds);
      needs.epoch_gpu_s[e] = std::min(needs.epoch_gpu_s[e], gpus * seconds);
    }
  }
  return needs;
}

double SimpleBounds::isolated_or_srpt_s() const { return std::max(isolated_s, srpt_s); }

SimpleBounds simple_bounds(const Catalog& catalog, const std::vector<JobRequest>& requests, const Cluster& cluster) {
  std::vector<LeastNeeds> needs;
  for (const Application& application : catalog) needs.push_back(least_needs(application, cluster));
  std::vector<double> work_gpu_s;
  SimpleBounds bounds;
  const auto jobs = static_cast<double>(requests.size());
  for (const JobRequest& request : requests) {
    const LeastNeeds& own = needs[request.application];
    work_gpu_s.push_back(own.work_gpu_s());
    bounds.isolated_s += own.run_s() / jobs;
    bounds.mean_busy_s += end_after_mean_busy_s(own) / jobs;
  }
  bounds.srpt_s = Machine(requests, work_gpu_s, cluster.gpus(), Order::least_left).run().ends_s / jobs;
  bounds.mean_busy_s += Machine(requests, work_gpu_s, cluster.gpus(), Order::smallest).run().busy_s / jobs;
  return bounds;
}

}  // namespace ym::sim::elastic
