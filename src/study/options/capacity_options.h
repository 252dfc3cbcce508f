// Options of `ym forecast` and `ym capacity`. The command line fills them in; src/study acts on them.
#pragma once

#include <optional>
#include <string>

#include "study/options/simulate_options.h"

namespace ym {

struct ForecastOptions {
  SimulateOptions simulate;        // only its workload is used
  std::int32_t warm_up_days = 28;  // forecasts of the first days are not judged
};

struct CapacityOptions {
  SimulateOptions simulate;  // at most one policy
  std::string flavor;        // flavor whose number of nodes varies; empty: the only one
  // Targets that must all be met. None: shows today's figures, what a budget buys, and when the cluster is outgrown.
  std::optional<Duration> mean_wait, p90_wait;
  std::optional<double> utilisation;
  double budget = 0;  // for nodes of the flavor, in the currency of its price; 0: none
  Duration budget_for = hours(24 * 30);
  double price = 0;        // of a GPU-hour; 0: the flavor's price
  double bearable = 0.85;  // the cluster counts as outgrown above this utilisation
};

}  // namespace ym
