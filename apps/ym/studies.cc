#include "studies.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "logging.h"
#include "store/sqlite/sqlite_store.h"
#include "study/capacity.h"
#include "study/forecast.h"
#include "study/history.h"
#include "study/replay.h"
#include "study/simulate.h"
#include "study/tune.h"

namespace ym {
namespace {

void warn(const std::string& path, const std::vector<std::string>& warnings) {
  for (const auto& warning : warnings) fmt::print(stderr, "ym: warning: {}: {}\n", path, warning);
}

// The options with the history of the state directory that they name.
Result<SimulateOptions> ready(SimulateOptions options) {
  set_up_logging("error", "text");
  if (options.state.empty()) return options;
  auto reader = open_sqlite_history(options.state);
  if (!reader) return fail(ErrorCode::invalid, reader.error().message);
  auto jobs = study::history_of(**reader, options.state, options.since);
  if (!jobs) return fail(ErrorCode::invalid, jobs.error().message);
  options.history = std::move(*jobs);
  return options;
}

// The same for options that have those of a simulation in them.
template <class Options>
Result<Options> ready(Options options) {
  auto simulate = ready(std::move(options.simulate));
  if (!simulate) return std::unexpected(simulate.error());
  options.simulate = std::move(*simulate);
  return options;
}

}  // namespace

Result<boost::json::object> simulate(const SimulateOptions& options, const OnSimulateProgress& on_progress) {
  const auto with = ready(options);
  if (!with) return std::unexpected(with.error());
  return study::simulate(*with, {.progress = on_progress, .warnings = warn});
}

Result<boost::json::object> tune(const TuneOptions& options, const OnSimulateProgress& on_progress) {
  const auto with = ready(options);
  if (!with) return std::unexpected(with.error());
  return study::tune(*with, {.progress = on_progress, .warnings = warn});
}

Result<boost::json::object> forecast(const ForecastOptions& options) {
  const auto with = ready(options);
  if (!with) return std::unexpected(with.error());
  return study::forecast(*with);
}

Result<boost::json::object> capacity(const CapacityOptions& options, const OnSimulateProgress& on_progress) {
  const auto with = ready(options);
  if (!with) return std::unexpected(with.error());
  return study::capacity(*with, {.progress = on_progress, .warnings = warn});
}

Result<boost::json::object> replay_recordings(const ReplayArguments& arguments) {
  return study::replay_recordings(arguments, warn);
}

}  // namespace ym
