// What `ym forecast` and `ym capacity` were asked to do. The command line fills it in; the program around it (apps/ym)
// acts on it.
#pragma once

#include <optional>
#include <string>

#include "cli/simulate_options.h"

namespace ym {

struct ForecastOptions {
  SimulateOptions simulate;        // only its workload counts
  std::int32_t warm_up_days = 28;  // from the first on, whose forecasts are not judged
};

struct CapacityOptions {
  SimulateOptions simulate;  // with one policy at most
  std::string flavor;        // whose nodes there would be more or fewer of; empty: of the only one
  // What is to be reached, all together; none: only how it is, what a budget buys, and when it is outgrown.
  std::optional<Duration> mean_wait, p90_wait;
  std::optional<double> utilisation;
  double budget = 0;  // for nodes of the flavor, in the currency of its price; 0: none
  Duration budget_for = hours(24 * 30);
  double price = 0;        // of a GPU hour; 0: as the flavor says
  double bearable = 0.85;  // utilisation from which on the cluster counts as outgrown
};

}  // namespace ym
