#include "papers/fairness/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "papers/fairness/due_policy.h"
#include "papers/fairness/published_policies.h"
#include "papers/fairness/rank_correlation.h"
#include "papers/fairness/simulate.h"
#include "papers/only_named.h"
#include "papers/service/named_policies.h"
#include "papers/service/summary.h"

namespace ym::sim::fairness {
namespace {

struct Entry {
  std::string policy;
  std::string published;  // its name there, or empty
  service::DeclareOptions declare{};
  std::function<std::unique_ptr<Policy>()> make;
};

Entry ours(const std::string& name, const DuePolicyOptions& options, const service::DeclareOptions& declare = {}) {
  return {name, "", declare, [options] { return std::make_unique<DuePolicy>(options); }};
}

std::vector<Entry> all_entries() {
  std::vector<Entry> entries;
  for (const PublishedPolicy& policy : published_policies())
    entries.push_back({std::string(policy.name), std::string(policy.published), {}, policy.make});
  entries.push_back(ours("ours", {}));
  entries.push_back(ours("ours, makespan 160 %", {.makespan_percent = 160}));
  entries.push_back(ours("ours, any makespan", {.makespan_percent = 0}));
  entries.push_back(ours("ours, undeclared", {}, {.share = 0}));
  entries.push_back(ours("ours, error-0.5", {}, {.error_sigma = 0.5}));
  entries.push_back(ours("ours, error-0.5, 85 %", {.rho_percent = 85}, {.error_sigma = 0.5}));
  return entries;
}

struct TraceName {
  std::string_view name;
  Count gpus = 0;
  std::string_view published;  // set of results, or empty
};

constexpr TraceName kTraces[] = {
    {"120jobs", 32, "tacc_32gpus"}, {"220jobs", 64, ""}, {"460jobs", 128, ""}, {"900jobs", 256, ""}};

struct Trace {
  TraceName name;
  std::vector<Job> jobs;
  Bounds bounds;
  PublishedTable published;
};

Result<std::vector<TraceName>> wanted_traces(const std::vector<std::string>& wanted) {
  std::vector<TraceName> traces(std::begin(kTraces), std::end(kTraces));
  for (const std::string& name : wanted)
    if (std::ranges::find(traces, name, &TraceName::name) == traces.end())
      return fail(ErrorCode::not_found, fmt::format("no trace is called {}", name));
  const auto unwanted = [&](const TraceName& trace) { return std::ranges::find(wanted, trace.name) == wanted.end(); };
  if (!wanted.empty()) std::erase_if(traces, unwanted);
  return traces;
}

Result<std::string> trace_path(const std::string& folder, std::string_view name) {
  for (const std::string_view suffix : {".tsv", ".tsv.gz"})
    if (auto path = fmt::format("{}/{}{}", folder, name, suffix); std::filesystem::exists(path)) return path;
  return fail(ErrorCode::not_found, fmt::format("there is no {}.tsv or {}.tsv.gz in {}", name, name, folder));
}

Result<Trace> read_trace(const std::string& folder, const TraceName& name) {
  Trace trace{.name = name, .jobs = {}, .bounds = {}, .published = {}};
  const auto path = trace_path(folder, name.name);
  if (!path) return std::unexpected(path.error());
  auto jobs = read_jobs(*path, name.gpus);
  if (!jobs) return std::unexpected(jobs.error());
  if (!name.published.empty()) {
    auto published = read_published(folder + "/published_results_32gpu.csv", std::string(name.published));
    if (!published) return std::unexpected(published.error());
    trace.published = std::move(*published);
  }
  trace.jobs = std::move(*jobs);
  trace.bounds = {service::lower_bounds(trace.jobs, name.gpus), least_worst_rho(trace.jobs, name.gpus)};
  return trace;
}

TableRow row_of(const Trace& trace, const Entry& entry) {
  const Count gpus = trace.name.gpus;
  const auto policy = entry.make();
  const auto outcomes = run_rounds(trace.jobs, service::declare(trace.jobs, entry.declare), *policy, {.gpus = gpus});
  const service::Summary summary = service::summarise(trace.jobs, outcomes);
  const Rhos rhos = rhos_by_trace(trace.jobs, outcomes, gpus);
  TableRow row{.trace = std::string(trace.name.name),
               .gpus = gpus,
               .policy = entry.policy,
               .published = {},
               .figures = {summary.makespan_s, summary.mean_completion_s, rhos.worst, rhos.unfair_share},
               .by_presence = rhos_by_presence(trace.jobs, outcomes, gpus),
               .moves = summary.moves_per_job,
               .bounds = trace.bounds};
  const auto same = trace.published.find(entry.published);
  if (same != trace.published.end()) row.published = same->second;
  return row;
}

}  // namespace

Result<std::vector<TableRow>> fairness_table(const TableOptions& options,
                                             const std::function<void(const TableRow&)>& each) {
  const auto traces = wanted_traces(options.traces);
  if (!traces) return std::unexpected(traces.error());
  const auto entries = only_named(all_entries(), options.policies, &Entry::policy);
  if (!entries) return std::unexpected(entries.error());
  std::vector<TableRow> rows;
  for (const TraceName& name : *traces) {
    const auto trace = read_trace(options.folder, name);
    if (!trace) return std::unexpected(trace.error());
    for (const Entry& entry : *entries) {
      rows.push_back(row_of(*trace, entry));
      if (each) each(rows.back());
    }
  }
  return rows;
}

Likeness likeness(const std::vector<TableRow>& rows) {
  Likeness likeness;
  likeness.policies = static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const TableRow& row) { return row.published.has_value(); }));
  for (const auto figure :
       {&Figures::makespan_s, &Figures::mean_completion_s, &Figures::worst_rho, &Figures::unfair_share}) {
    std::vector<double> published, here;
    for (const TableRow& row : rows) {
      if (!row.published) continue;
      published.push_back((*row.published).*figure);
      here.push_back(row.figures.*figure);
    }
    likeness.tau.*figure = kendall_tau(published, here);
  }
  return likeness;
}

}  // namespace ym::sim::fairness
