// The campaign: many fault-injection runs, one after another, and a count of what went wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <fstream>

#include "fault_injection/fault_run.h"

namespace ym::sim {
namespace {

struct Arguments {
  std::uint64_t from = 1, seeds = 0;
  std::uint64_t seed = 0;  // a single run, shown in full
  std::string report;
};

struct Totals {
  std::int64_t seeds = 0, servers = 0, commits = 0, events = 0, jobs = 0, runs = 0;
  FaultCounts faults;
  std::vector<std::uint64_t> failing;

  void add(std::uint64_t seed, const FaultRunReport& report) {
    seeds += 1;
    servers += report.servers;
    commits += report.commits;
    events += report.events;
    jobs += report.jobs;
    runs += report.runs;
    for (const auto& [fault, count] : report.faults) faults[fault] += count;
    if (!report.violations.empty()) failing.push_back(seed);
  }
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

bool show(std::uint64_t seed, const FaultRunReport& report, const char* program) {
  for (const auto& violation : report.violations)
    fmt::print("seed {}: {}: {}\n", seed, name_of(violation.promise), violation.what);
  if (report.violations.empty()) return true;
  fmt::print("seed {}: again, with all that happened: {} --seed {}\n", seed, program, seed);
  return false;
}

void write(const std::string& file, const Arguments& arguments, const Totals& totals) {
  std::ofstream out(file);
  out << fmt::format(
      "# The last campaign of fault-injection runs\n\nSeeds {} to {}: {} runs, {} of them broke a promise.\n\n",
      arguments.from, arguments.from + arguments.seeds - 1, totals.seeds, totals.failing.size());
  out << fmt::format(
      "{} servers, {} commits, {} events, {} jobs, {} attempts that ran.\n\n| fault | times |\n| --- | ---: |\n",
      totals.servers, totals.commits, totals.events, totals.jobs, totals.runs);
  for (const auto& [fault, count] : totals.faults) out << fmt::format("| {} | {} |\n", fault, count);
  if (!totals.failing.empty()) out << fmt::format("\nSeeds that broke one: {}\n", fmt::join(totals.failing, ", "));
}

int campaign(const Arguments& arguments, const char* program) {
  Totals totals;
  const double begin = cpu_seconds();
  for (std::uint64_t seed = arguments.from; seed < arguments.from + arguments.seeds; ++seed) {
    const auto report = run_with_faults({.seed = seed});
    show(seed, report, program);
    totals.add(seed, report);
  }
  const double spent = cpu_seconds() - begin;
  std::int64_t faults = 0;
  for (const auto& [fault, count] : totals.faults) faults += count;
  fmt::print("{} runs, {} servers, {} commits, {} faults; {:.0f} runs in a CPU minute; {} broke a promise\n",
             totals.seeds, totals.servers, totals.commits, faults, 60 * static_cast<double>(totals.seeds) / spent,
             totals.failing.size());
  if (!arguments.report.empty()) write(arguments.report, arguments, totals);
  return totals.failing.empty() ? 0 : 1;
}

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Simulated runs in which servers, disks, networks and machines fail");
  auto* seeds = app.add_option("--seeds", arguments.seeds, "Number of runs");
  app.add_option("--from", arguments.from, "The first seed");
  auto* seed = app.add_option("--seed", arguments.seed, "One run, and all that happens in it")->excludes(seeds);
  app.add_option("--report", arguments.report, "Write the counts here, as Markdown")->needs(seeds);
  app.require_option(1, 3);
  CLI11_PARSE(app, argc, argv);
  spdlog::set_level(seed->count() > 0 ? spdlog::level::info : spdlog::level::off);
  if (seed->count() == 0) return campaign(arguments, argv[0]);
  const auto report =
      run_with_faults({.seed = arguments.seed, .tell = [](std::string_view what) { fmt::print("{}\n", what); }});
  return show(arguments.seed, report, argv[0]) ? 0 : 1;
}

}  // namespace
}  // namespace ym::sim

int main(int argc, char** argv) { return ym::sim::main(argc, argv); }
