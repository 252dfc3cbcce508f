#include "cli/verbs/simulate_arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/history.h"

namespace ym::cli {
namespace {

Result<SimulateOptions> options_of(const SimulateArguments& arguments) {
  SimulateOptions options = arguments.options;
  const auto read = [](std::string_view name, const std::string& text, auto& into) -> Result<void> {
    if (text.empty()) return {};
    const auto duration = parse_duration(text);
    if (!duration) return fail(ErrorCode::invalid, fmt::format("{}: {}", name, duration.error().message));
    into = *duration;
    return {};
  };
  if (arguments.checkpoints == "stop") options.checkpoints = Duration{};
  else if (auto done = read("--checkpoints", arguments.checkpoints, options.checkpoints); !done)
    return std::unexpected(done.error());
  if (auto done = read("--start-time", arguments.start_time, options.start_time); !done)
    return std::unexpected(done.error());
  if (auto done = read("--grace", arguments.grace, options.grace); !done) return std::unexpected(done.error());
  if (auto done = read("--forecasts", arguments.forecasts, options.forecasts_every); !done)
    return std::unexpected(done.error());
  if (options.forecasts_every.ms > 0 && options.seeds > 1)
    return fail(ErrorCode::invalid, "--forecasts needs the workload as it is; leave out --seeds");
  if (arguments.until.empty()) return options;
  const auto until = parse_rfc3339(arguments.until);
  if (!until) return fail(ErrorCode::invalid, "--until: " + until.error().message);
  options.until = *until;
  return options;
}

// Jobs of the server that runs now.
Result<void> add_history(Session& session, const std::string& since, SimulateOptions& options) {
  if (since.empty() == options.workload.empty())
    return fail(ErrorCode::invalid,
                "write what to simulate: --workload TRACE, or --since 30d for jobs that the server has recorded");
  if (since.empty()) return {};
  const auto duration = parse_duration(since);
  if (!duration) return fail(ErrorCode::invalid, "--since: " + duration.error().message);
  options.since = session.now() - *duration;
  if (!options.state.empty()) {
    options.workload = fmt::format("{}, the last {}", options.state, since);
    return {};
  }
  auto api = session.connect();
  if (!api) return std::unexpected(api.error());
  auto jobs = recorded_jobs(*api, options.since);
  if (!jobs) return std::unexpected(jobs.error());
  if (jobs->empty())
    return fail(ErrorCode::invalid,
                fmt::format("--since {}: no job was submitted since then, started and ended", since));
  options.history = std::move(*jobs);
  options.workload = "the last " + since;
  return {};
}

}  // namespace

void add_history_options(CLI::App& verb, SimulateArguments& arguments) {
  auto& options = arguments.options;
  verb.add_option("--workload", options.workload,
                  "Trace of jobs: Yardmaster's CSV, sacct -P, or a published format; plain or .gz");
  verb.add_option("--since", arguments.since,
                  "Simulate the server's recorded jobs of this time, 30d; instead of a trace");
  verb.add_option("--state", options.state, "With --since: read this state directory, not a server")
      ->check(CLI::ExistingDirectory);
  verb.add_option("--format", options.format, "Format of the trace; default: recognised by its columns");
}

void add_workload_options(CLI::App& verb, SimulateArguments& arguments) {
  auto& options = arguments.options;
  verb.add_option("--cluster", options.cluster, "Configuration file: clusters with their nodes, flavors, queues")
      ->required();
  add_history_options(verb, arguments);
  verb.add_option("--seeds", options.seeds,
                  "Simulate this number of workloads made of days of the given one, and show confidence intervals")
      ->check(CLI::Range(1, 1000));
  verb.add_option("--until", arguments.until, "Stop at this simulated time (RFC 3339)");
  verb.add_option("--checkpoints", arguments.checkpoints,
                  "stop: each job saves when it is stopped; 10m: also after each 10m of work");
  verb.add_option("--start-time", arguments.start_time, "Time from each start until the job's work goes on");
  verb.add_option("--grace", arguments.grace, "Grace of each job (30s)");
}

Result<SimulateOptions> simulate_options(Session& session, const SimulateArguments& arguments) {
  auto options = options_of(arguments);
  if (!options) return options;
  if (auto added = add_history(session, arguments.since, *options); !added) return std::unexpected(added.error());
  return options;
}

void ProgressLine::show(const SimulateProgress& progress) {
  if (policy_ != progress.policy || seed_ != progress.seed) {
    policy_ = progress.policy;
    seed_ = progress.seed;
    begin_ = session_.now();
    first_ = progress.now;
  }
  const double wall_ms = static_cast<double>(std::max<std::int64_t>(1, (session_.now() - begin_).ms));
  const double left_s = progress.share > 0 ? wall_ms / 1000 * (1 - progress.share) / progress.share : 0;
  const auto seed = seeds_ > 1 ? fmt::format(" (seed {})", progress.seed) : "";
  line_.show(fmt::format("{}{}  {}  {} submitted, {} ended, {} live  {:.0f}x real time  {:.0f} %, {} left",
                         progress.policy, seed, to_rfc3339(progress.now), progress.submitted, progress.ended,
                         progress.live, static_cast<double>((progress.now - first_).ms) / wall_ms, 100 * progress.share,
                         to_string(seconds(static_cast<std::int64_t>(left_s)))));
}

int show_report(Session& session, Result<boost::json::object> done, ShowReport show) {
  if (!done) return report(session, done.error());
  const boost::json::value value(std::move(*done));
  if (session.is_table()) show(session, value);
  else session.print(value);
  return 0;
}

}  // namespace ym::cli
