#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>

#include "cli/history.h"
#include "cli/simulate_view.h"
#include "cli/verbs/verb.h"

namespace ym::cli {
namespace {

struct Arguments {
  SimulateOptions options;
  std::string until, since, checkpoints, start_time, grace;
};

Result<SimulateOptions> options_of(const Arguments& arguments) {
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
  if (arguments.until.empty()) return options;
  const auto until = parse_rfc3339(arguments.until);
  if (!until) return fail(ErrorCode::invalid, "--until: " + until.error().message);
  options.until = *until;
  return options;
}

// The jobs of the server that is there now.
Result<void> add_history(Session& session, const std::string& since, SimulateOptions& options) {
  if (since.empty() == options.workload.empty())
    return fail(ErrorCode::invalid,
                "say what to simulate: --workload TRACE, or --since 30d for what the server has recorded");
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
                fmt::format("--since {}: no job was submitted since then, began and has ended", since));
  options.history = std::move(*jobs);
  options.workload = "the last " + since;
  return {};
}

int simulate(Session& session, const Arguments& arguments) {
  auto options = options_of(arguments);
  if (!options) return report(session, options.error());
  if (auto added = add_history(session, arguments.since, *options); !added) return report(session, added.error());
  if (!session.program.simulate)
    return report(session, Error{ErrorCode::invalid, "this program has no simulator in it"});
  StatusLine line(session.err, session.terminal);
  const Instant begin = session.now();
  std::optional<Instant> first;
  const auto done = session.program.simulate(*options, [&](const SimulateProgress& progress) {
    if (!first) first = progress.now;
    const double wall = static_cast<double>(std::max<std::int64_t>(1, (session.now() - begin).ms));
    const auto seed = options->seeds > 1 ? fmt::format(" (seed {})", progress.seed) : "";
    const double left = progress.share > 0 ? wall / 1000 * (1 - progress.share) / progress.share : 0;
    line.show(fmt::format("{}{}  {}  {} submitted, {} ended, {} live  {:.0f}x real time  {:.0f} %, {} left",
                          progress.policy, seed, to_rfc3339(progress.now), progress.submitted, progress.ended,
                          progress.live, static_cast<double>((progress.now - *first).ms) / wall, 100 * progress.share,
                          to_string(seconds(static_cast<std::int64_t>(left)))));
  });
  line.clear();
  if (!done) return report(session, done.error());
  const boost::json::value value(*done);
  if (!session.is_table()) return session.print(value), 0;
  show_simulation(session, value);
  return 0;
}

}  // namespace

void add_simulate(Verbs& verbs) {
  auto arguments = std::make_shared<Arguments>();
  auto& options = arguments->options;
  auto* verb = verbs.add("simulate", "Run a recorded workload through the scheduler under a virtual clock");
  verb->add_option("--cluster", options.cluster, "Configuration file: clusters with their nodes, flavors, queues")
      ->required();
  verb->add_option("--workload", options.workload,
                   "Trace of jobs: CSV of ours, sacct -P, or a published one; plain or .gz");
  verb->add_option("--since", arguments->since, "Instead of a trace: what the server has recorded so far back, 30d");
  verb->add_option("--state", options.state, "With --since: read it from this state directory, not from a server")
      ->check(CLI::ExistingDirectory);
  verb->add_option("--policy", options.policies, "File with queues and settings to try; several are compared")
      ->allow_extra_args(false);
  verb->add_option("--seeds", options.seeds,
                   "Try so many workloads made of days of this one, and say how sure the figures are")
      ->check(CLI::Range(1, 1000));
  verb->add_option("--format", options.format, "Of the trace; left out: recognised by its columns");
  verb->add_option("--jobs", options.jobs_csv, "Write a row of CSV for each job here (of the first policy)");
  verb->add_option("--html", options.page, "Write the report here as one page with charts");
  verb->add_option("--until", arguments->until, "Simulated time at which to stop (RFC 3339)");
  verb->add_option("--checkpoints", arguments->checkpoints,
                   "stop: jobs save their work when they are stopped; 10m: and after so much work each");
  verb->add_option("--start-time", arguments->start_time, "What each start takes before a job goes on with its work");
  verb->add_option("--grace", arguments->grace, "What jobs are given to stop in (30s)");
  verbs.on(verb, arguments, simulate);
}

}  // namespace ym::cli
