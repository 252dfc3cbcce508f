#include "papers/placement/churn.h"

#include <queue>
#include <tuple>
#include <vector>

#include "base/assert.h"

namespace ym::sim::placement {
namespace {

struct Stay {
  std::int64_t until = 0;
  std::uint64_t number = 0;  // of the arrival
  ShapeId pod = 0;
  Place place;
};

struct Later {
  bool operator()(const Stay& a, const Stay& b) const {
    return std::tie(a.until, a.number) > std::tie(b.until, b.number);
  }
};

class Run {
 public:
  Run(Cluster& cluster, const PodList& list, std::uint64_t seed) : cluster_(cluster), list_(list), random_(seed) {}

  // What arrived, in thousandths of a GPU.
  std::int64_t arrive(std::int64_t now, ChurnResult* counted);
  // Up to this time.
  void leave(std::int64_t now);
  std::int64_t gap(std::int64_t mean) {
    return static_cast<std::int64_t>(static_cast<__int128>(exponential(random_)) * mean / kLifetime);
  }

 private:
  Cluster& cluster_;
  const PodList& list_;
  Random random_;
  std::priority_queue<Stay, std::vector<Stay>, Later> stays_;
  std::uint64_t arrivals_ = 0;
};

std::int64_t Run::arrive(std::int64_t now, ChurnResult* counted) {
  const ShapeId pod = list_.pods[random_.below(list_.pods.size())];
  const std::int64_t until = now + exponential(random_);
  const Shape& shape = list_.shapes[pod];
  const auto place = cluster_.place(pod);
  arrivals_ += 1;
  if (place) stays_.push({.until = until, .number = arrivals_, .pod = pod, .place = *place});
  if (counted != nullptr) {
    counted->offered_milli += shape.total_milli();
    counted->dropped_milli += place ? 0 : shape.total_milli();
    counted->multi_arrived += shape.gpus > 1;
    counted->multi_placed += shape.gpus > 1 && place;
  }
  return shape.total_milli();
}

void Run::leave(std::int64_t now) {
  while (!stays_.empty() && stays_.top().until <= now) {
    const Stay stay = stays_.top();
    stays_.pop();
    cluster_.release(stay.pod, stay.place);
  }
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double ChurnResult::dropped_percent() const { return percent(dropped_milli, offered_milli); }
double ChurnResult::multi_accepted_percent() const { return percent(multi_placed, multi_arrived); }

std::int64_t exponential(Random& random) {
  for (std::int64_t whole = 0;; ++whole) {
    const std::uint64_t first = random.next() >> 32;
    std::uint64_t last = first;
    for (bool odd = true;; odd = !odd) {
      const std::uint64_t next = random.next() >> 32;
      if (next < last) last = next;
      else if (odd) return whole * kLifetime + static_cast<std::int64_t>(first);
      else break;
    }
  }
}

ChurnResult churn(Cluster& cluster, const PodList& list, std::int64_t capacity_milli, const ChurnOptions& options,
                  std::uint64_t seed) {
  Run run(cluster, list, seed);
  const std::int64_t load_milli = capacity_milli * options.load_percent / 100;
  const std::int64_t demand_milli = list.demand_milli();
  YM_ASSERT(demand_milli > 0 && load_milli > 0);
  for (std::int64_t arrived = 0; arrived < load_milli;) arrived += run.arrive(0, nullptr);
  const auto mean_gap =
      static_cast<std::int64_t>(static_cast<__int128>(kLifetime) * demand_milli /
                                (static_cast<__int128>(load_milli) * static_cast<std::int64_t>(list.pods.size())));
  ChurnResult result;
  const std::int64_t begin = options.settle * kLifetime, end = begin + options.measure * kLifetime;
  for (std::int64_t now = run.gap(mean_gap); now < end; now += run.gap(mean_gap)) {
    run.leave(now);
    run.arrive(now, now < begin ? nullptr : &result);
  }
  return result;
}

}  // namespace ym::sim::placement
