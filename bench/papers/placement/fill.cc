#include "papers/placement/fill.h"

namespace ym::sim::placement {
namespace {

constexpr std::int32_t kLargeShare = 800;

// What is allocated while so many percent of the capacity have arrived.
class AtPercent {
 public:
  explicit AtPercent(std::int64_t percent) : percent_(percent) {}

  void see(std::int64_t arrived_milli, std::int64_t allocated_milli, std::int64_t capacity_milli) {
    if ((arrived_milli * 200 + capacity_milli) / (2 * capacity_milli) != percent_) return;
    sum_ += allocated_milli;
    count_ += 1;
  }
  double mean(std::int64_t capacity_milli) const {
    if (count_ == 0) return 0;
    return 100 * static_cast<double>(sum_) / static_cast<double>(count_) / static_cast<double>(capacity_milli);
  }

 private:
  std::int64_t percent_;
  std::int64_t sum_ = 0, count_ = 0;
};

}  // namespace

PodClass class_of(const Shape& shape) {
  if (shape.gpus == 0) return PodClass::cpu_only;
  if (shape.gpus > 1) return PodClass::several_gpus;
  if (!shape.shares()) return PodClass::one_gpu;
  return shape.gpu_milli < kLargeShare ? PodClass::small_share : PodClass::large_share;
}

FillResult fill(Cluster& cluster, const PodList& list, std::span<const ShapeId> arrivals, std::int64_t capacity_milli,
                const std::function<void(const Place&)>& each) {
  FillResult result;
  AtPercent at_100(100), at_130(130);
  std::int64_t arrived = 0;
  for (const ShapeId pod : arrivals) {
    const auto place = cluster.place(pod);
    if (place && each) each(*place);
    arrived += list.shapes[pod].total_milli();
    Served& served = result.served[static_cast<std::size_t>(class_of(list.shapes[pod]))];
    served.arrived += 1;
    served.placed += place.has_value();
    at_100.see(arrived, cluster.allocated_milli(), capacity_milli);
    at_130.see(arrived, cluster.allocated_milli(), capacity_milli);
  }
  result.allocated_at_100 = at_100.mean(capacity_milli);
  result.allocated_at_130 = at_130.mean(capacity_milli);
  return result;
}

}  // namespace ym::sim::placement
