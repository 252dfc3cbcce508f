#include "papers/elastic/price_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "papers/elastic/bounds.h"
#include "papers/elastic/cheapest_run.h"
#include "papers/elastic/pausing_run.h"

namespace ym::sim::elastic {
namespace {

// The end of the first round in which it can start.
double release_s(const JobRequest& request, const Protocol& protocol) {
  const double round_s = protocol.round_s;
  return std::max(round_s, std::ceil(request.submit_s / round_s) * round_s);
}

// What jobs would pay that share the GPUs for about twice the time that each takes alone: a guess to begin with.
std::vector<double> first_prices(const Catalog& catalog, const std::vector<JobRequest>& requests,
                                 const PriceBoundOptions& options) {
  constexpr double kSlowdown = 2.2;
  std::vector<double> prices(options.grid.slots(), 0);
  std::map<std::size_t, double> run_s;
  for (const JobRequest& request : requests) {
    const auto [known, is_new] = run_s.try_emplace(request.application, 0);
    if (is_new) known->second = least_needs(catalog[request.application], options.protocol.cluster).run_s();
    const double end_s = request.submit_s + kSlowdown * known->second;
    for (std::size_t slot = options.grid.slot_at(request.submit_s); slot < prices.size(); ++slot) {
      if (static_cast<double>(slot) >= end_s / options.grid.slot_s) break;
      prices[slot] += 1.0 / options.protocol.cluster.gpus();
    }
  }
  return prices;
}

// Up where more GPUs are held than there are, else down, in proportion to the price.
void move_prices(std::vector<double>& prices, const std::vector<double>& held, double gpus, Count step) {
  constexpr double kFirstStep = 0.105, kDecay = 0.05, kLeastPrice = 0.02;
  const double size = kFirstStep / (1 + step * kDecay);
  for (std::size_t slot = 0; slot < prices.size(); ++slot) {
    const double excess = std::clamp((held[slot] - gpus) / gpus, -1.0, 1.0);
    prices[slot] = std::max(0.0, prices[slot] + size * std::max(prices[slot], kLeastPrice) * excess);
  }
}

struct Dual {
  double value_s = 0;  // sum over jobs
  std::vector<double> held;
};

using TimesByApplication = std::map<std::size_t, EpochTimes>;

TimesByApplication times_of(const Catalog& catalog, const std::vector<JobRequest>& requests, const Cluster& cluster,
                            const std::vector<Count>& sizes) {
  TimesByApplication times;
  for (const JobRequest& request : requests)
    if (!times.contains(request.application))
      times[request.application] = epoch_times(catalog[request.application], cluster, sizes);
  return times;
}

// `cheapest_run`: makes one of the times of an application.
template <class MakeRun>
Dual dual_at(const TimesByApplication& times, const std::vector<JobRequest>& requests, const PricePath& prices,
             const Protocol& protocol, MakeRun cheapest_run) {
  Dual dual{.value_s = -static_cast<double>(protocol.cluster.gpus()) * prices.total(),
            .held = std::vector<double>(prices.grid().slots(), 0)};
  for (const auto& [application, epochs] : times) {
    const auto cheapest = cheapest_run(epochs, prices);
    for (const JobRequest& request : requests) {
      if (request.application != application) continue;
      const double start_s = release_s(request, protocol);
      dual.value_s += cheapest.cost_from(start_s) + (start_s - request.submit_s);
      cheapest.add_held(start_s, dual.held);
    }
  }
  return dual;
}

struct Climb {
  const Protocol& protocol;
  const TimeGrid& grid;
  Count steps = 0;
};

template <class MakeRun>
PriceBound climb(const TimesByApplication& times, const std::vector<JobRequest>& requests, std::vector<double> prices,
                 const Climb& how, MakeRun cheapest_run) {
  PriceBound bound{.mean_completion_s = -std::numeric_limits<double>::infinity(), .prices = {}};
  for (Count step = 0; step < how.steps; ++step) {
    const Dual dual = dual_at(times, requests, PricePath(how.grid, prices), how.protocol, cheapest_run);
    const double mean_s = dual.value_s / static_cast<double>(requests.size());
    if (mean_s > bound.mean_completion_s) bound = {.mean_completion_s = mean_s, .prices = prices};
    move_prices(prices, dual.held, how.protocol.cluster.gpus(), step);
  }
  return bound;
}

}  // namespace

PriceBound price_bound(const Catalog& catalog, const std::vector<JobRequest>& requests,
                       const PriceBoundOptions& options) {
  const auto times = times_of(catalog, requests, options.protocol.cluster, options.sizes);
  const Climb how{.protocol = options.protocol, .grid = options.grid, .steps = options.steps};
  PriceBound bound =
      climb(times, requests, first_prices(catalog, requests, options), how,
            [](const EpochTimes& epochs, const PricePath& prices) { return CheapestRun(epochs, prices); });
  bound.mean_completion_s += options.protocol.pause_s;
  return bound;
}

PriceBound pausing_price_bound(const Catalog& catalog, const std::vector<JobRequest>& requests,
                               const PausingBoundOptions& options) {
  const Protocol& protocol = options.without.protocol;
  auto times = times_of(catalog, requests, protocol.cluster, options.sizes);
  for (auto& [application, epochs] : times) epochs = in_pieces(epochs, options.mean_piece_s);
  const Climb how{.protocol = protocol, .grid = options.grid, .steps = options.steps};
  return climb(
      times, requests, price_bound(catalog, requests, options.without).prices, how,
      [&](const EpochTimes& epochs, const PricePath& prices) { return PausingRun(epochs, prices, protocol.pause_s); });
}

}  // namespace ym::sim::elastic
