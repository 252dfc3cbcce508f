#include "papers/service/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "papers/only_named.h"
#include "papers/service/named_policies.h"
#include "papers/service/schedulers.h"

namespace ym::sim::service {
namespace {

struct Inputs {
  Overheads overheads;
  PublishedTable published;
};

struct Entry {
  std::string policy;
  std::string published;  // its name there, or empty
  std::function<std::vector<Outcome>(std::span<const Job>)> run;
};

std::vector<Entry> scheduler_entries() {
  std::vector<Entry> entries;
  for (const Scheduler scheduler : {Scheduler::srtf, Scheduler::srsf, Scheduler::tiresias}) {
    const std::string name(published_name(scheduler));
    for (const Protocol protocol : {Protocol::published, Protocol::clean}) {
      const std::string suffix = protocol == Protocol::published ? " published" : " clean";
      entries.push_back({name + suffix, name, [scheduler, protocol](std::span<const Job> jobs) {
                           return run_scheduler(jobs, scheduler, protocol);
                         }});
    }
  }
  return entries;
}

std::vector<Entry> all_entries() {
  std::vector<Entry> entries = scheduler_entries();
  for (const NamedPolicy& policy : named_policies()) {
    entries.push_back({policy.name, "", [policy](std::span<const Job> jobs) {
                         return run_service(jobs, declare(jobs, policy.declare), policy.options);
                       }});
  }
  return entries;
}

Result<std::string> required_path(const std::string& folder, const std::string& name) {
  auto path = table_path(folder, name);
  if (!path)
    return fail(ErrorCode::not_found, fmt::format("there is no {}.csv or {}.csv.gz in {}", name, name, folder));
  return *path;
}

Result<Inputs> read_inputs(const std::string& folder) {
  const auto overheads_path = required_path(folder, "restart_overhead");
  const auto published_path = required_path(folder, "published_results");
  if (!overheads_path || !published_path)
    return std::unexpected(overheads_path ? published_path.error() : overheads_path.error());
  auto overheads = read_overheads(*overheads_path);
  if (!overheads) return std::unexpected(overheads.error());
  auto published = read_published(*published_path);
  if (!published) return std::unexpected(published.error());
  return Inputs{.overheads = std::move(*overheads), .published = std::move(*published)};
}

std::vector<std::string> present_traces(const std::string& folder, const PublishedTable& published) {
  std::set<std::string> present;
  for (const auto& [key, figures] : published)
    if (table_path(folder, key.second)) present.insert(key.second);
  return {present.begin(), present.end()};
}

struct Trace {
  std::string name;
  std::vector<Job> jobs;
  LowerBounds bounds;
};

Result<Trace> read_trace(const std::string& folder, const std::string& name, const Overheads& overheads) {
  const Count gpus = ClusterShape{}.gpus();
  const auto path = required_path(folder, name);
  if (!path) return std::unexpected(path.error());
  auto jobs = read_jobs(*path, overheads, gpus);
  if (!jobs) return std::unexpected(jobs.error());
  const LowerBounds bounds = lower_bounds(*jobs, gpus);
  return Trace{.name = name, .jobs = std::move(*jobs), .bounds = bounds};
}

TableRow row_of(const Trace& trace, const Entry& entry, const PublishedTable& published) {
  TableRow row{.trace = trace.name, .policy = entry.policy, .published = {}, .bounds = trace.bounds, .summary = {}};
  const auto same = published.find({entry.published, trace.name});
  if (same != published.end()) row.published = same->second;
  row.summary = summarise(trace.jobs, entry.run(trace.jobs));
  return row;
}

}  // namespace

Result<std::vector<TableRow>> service_table(const TableOptions& options,
                                            const std::function<void(const TableRow&)>& each) {
  const auto inputs = read_inputs(options.folder);
  if (!inputs) return std::unexpected(inputs.error());
  const auto traces = options.traces.empty() ? present_traces(options.folder, inputs->published) : options.traces;
  const auto entries = only_named(all_entries(), options.policies, &Entry::policy);
  if (!entries) return std::unexpected(entries.error());
  std::vector<TableRow> rows;
  for (const std::string& name : traces) {
    const auto trace = read_trace(options.folder, name, inputs->overheads);
    if (!trace) return std::unexpected(trace.error());
    for (const Entry& entry : *entries) {
      rows.push_back(row_of(*trace, entry, inputs->published));
      if (each) each(rows.back());
    }
  }
  return rows;
}

std::string table_header() {
  return fmt::format("{:<11}{:<22}{:>11}{:>11}{:>12}{:>11}{:>8}{:>11}{:>11}{:>7}{:>6}{:>12}{:>12}", "trace", "policy",
                     "published", "mean, s", "- publ.", "bound, s", "x bound", "p99, s", "makespan", "moves", "most",
                     "p99 wait", "longest");
}

std::string to_text(const TableRow& row) {
  const Summary& summary = row.summary;
  std::string published = "-", difference = "-";
  if (row.published) {
    published = fmt::format("{:.0f}", row.published->mean_completion_s);
    difference = fmt::format("{:+.3f}", summary.mean_completion_s - row.published->mean_completion_s);
  }
  return fmt::format(
      "{:<11}{:<22}{:>11}{:>11.0f}{:>12}{:>11.0f}{:>8.3f}{:>11.0f}{:>11.0f}{:>7.2f}{:>6}{:>12.0f}{:>12.0f}", row.trace,
      row.policy, published, summary.mean_completion_s, difference, row.bounds.mean_completion_s, row.times_bound(),
      summary.p99_completion_s, summary.makespan_s, summary.moves_per_job, summary.most_moves, summary.p99_wait_s,
      summary.longest_wait_s);
}

}  // namespace ym::sim::service
