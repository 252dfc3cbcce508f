#include "papers/elastic/cheapest_run.h"

#include <algorithm>
#include <limits>

namespace ym::sim::elastic {
namespace {

// What waiting has to win at least, so that rounding makes nobody wait.
constexpr double kLeastGain_s = 1e-9;

}  // namespace

EpochTimes epoch_times(const Application& application, const Cluster& cluster, std::span<const Count> sizes) {
  EpochTimes times{.sizes = {}, .seconds = std::vector<std::vector<double>>(application.epochs())};
  const auto progress_at = application.progress_at();
  for (const Count gpus : sizes) {
    if (gpus > application.most_gpus(cluster)) break;
    times.sizes.push_back(gpus);
    const Curve& curve = application.curve(packed_layout(gpus, cluster.gpus_per_node));
    for (std::size_t e = 0; e < application.epochs(); ++e)
      times.seconds[e].push_back((progress_at[e + 1] - progress_at[e]) / curve.goodput[e]);
  }
  return times;
}

EpochTimes in_pieces(const EpochTimes& times, double mean_s) {
  double all_s = 0;
  for (const std::vector<double>& epoch : times.seconds) all_s += std::ranges::min(epoch);
  std::size_t parts = 1;
  while (all_s > mean_s * static_cast<double>(parts * times.seconds.size())) parts *= 2;
  EpochTimes pieces{.sizes = times.sizes, .seconds = {}};
  for (std::vector<double> piece : times.seconds) {
    for (double& seconds : piece) seconds /= static_cast<double>(parts);
    pieces.seconds.insert(pieces.seconds.end(), parts, piece);
  }
  return pieces;
}

CheapestRun::CheapestRun(const EpochTimes& times, const PricePath& prices)
    : times_(times),
      prices_(prices),
      last_(prices.paid().size() - 1),
      cost_(times.seconds.size() + 1, std::vector<float>(last_ + 1, 0)),
      choice_(times.seconds.size(), std::vector<std::uint8_t>(last_ + 1, kWait)) {
  for (std::size_t epoch = times.seconds.size(); epoch-- > 0;) compute_epoch(epoch);
}

void CheapestRun::compute_epoch(std::size_t epoch) {
  const std::vector<double>& paid = prices_.paid();
  const double step_s = prices_.grid().step_s;
  const std::vector<float>& after = cost_[epoch + 1];
  std::vector<double> best(last_ + 1, std::numeric_limits<double>::infinity());
  for (std::size_t option = 0; option < times_.sizes.size(); ++option) {
    const double seconds = times_.seconds[epoch][option], gpus = times_.sizes[option];
    const GridPlace end = grid_place(seconds / step_s);
    for (std::size_t point = 0; point <= last_; ++point) {
      const double price = value_between(paid, point + end.point, end.part) - paid[point];
      const double cost = seconds + gpus * price + value_between(after, point + end.point, end.part);
      if (cost >= best[point]) continue;
      best[point] = cost;
      choice_[epoch][point] = static_cast<std::uint8_t>(option);
    }
  }
  cost_[epoch][last_] = static_cast<float>(best[last_]);
  for (std::size_t point = last_; point-- > 0;) {
    const double wait = step_s + cost_[epoch][point + 1];
    if (wait < best[point] - kLeastGain_s) choice_[epoch][point] = kWait;
    cost_[epoch][point] = static_cast<float>(choice_[epoch][point] == kWait ? wait : best[point]);
  }
}

double CheapestRun::cost_from(double start_s) const {
  const GridPlace start = grid_place(start_s / prices_.grid().step_s);
  return value_between(cost_[0], start.point, start.part);
}

void CheapestRun::add_held(double start_s, std::vector<double>& held) const {
  double now_s = start_s;
  for (std::size_t epoch = 0; epoch < times_.seconds.size();) {
    const std::size_t point = std::min(last_, prices_.grid().nearest_point(now_s));
    const std::uint8_t choice = choice_[epoch][point];
    if (choice == kWait) {
      now_s = static_cast<double>(point + 1) * prices_.grid().step_s;
      continue;
    }
    const std::size_t option = choice;
    const double end_s = now_s + times_.seconds[epoch][option];
    prices_.grid().add_held(now_s, end_s, times_.sizes[option], held);
    now_s = end_s;
    epoch += 1;
  }
}

}  // namespace ym::sim::elastic
