// The table of results on the traces of Shockwave: what was published, what the policies come to here with fixed run
// times, what ours comes to, and what nobody can beat. Not the digits are to be met but the order of the policies: how
// far it is, is a figure too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/fairness/rho.h"
#include "papers/fairness/traces.h"
#include "papers/service/bounds.h"

namespace ym::sim::fairness {

struct TableOptions {
  std::string folder;                 // 120jobs.tsv or 120jobs.tsv.gz and so on, published_results_32gpu.csv
  std::vector<std::string> traces;    // "120jobs"; none: the four that are meant for 32, 64, 128, 256 GPUs
  std::vector<std::string> policies;  // as in TableRow; none: all
};

// What nobody can beat. Of unfair jobs there may always be none, as far as is known.
struct Bounds {
  service::LowerBounds service;
  double worst_rho = 0;
};

// One policy on one trace.
struct TableRow {
  std::string trace;
  Count gpus = 0;
  std::string policy;  // "OSSP" (published_policies.h), "ours" and so on
  std::optional<Figures> published;
  Figures figures;   // rho by trace, as published
  Rhos by_presence;  // the same runs by the other measure (rho.h)
  double moves = 0;  // starts per job but for the first
  Bounds bounds;
};

// `not_found` where a file, trace or policy is missing, `invalid` where a file is wrong.
// By trace; the published policies, then ours. Calls `each` with each row as it is there; for people. Half a minute.
Result<std::vector<TableRow>> fairness_table(const TableOptions& options,
                                             const std::function<void(const TableRow&)>& each = {});

// How alike the published order of the policies and that here are (Kendall's tau-b), figure by figure.
struct Likeness {
  std::size_t policies = 0;  // that were published
  Figures tau;
};
Likeness likeness(const std::vector<TableRow>& rows);

// A line each, for printing, in columns; and the line above them. Makespan, mean completion time, worst rho and share
// of unfair jobs as published and here; then the bounds of three of them; the first two here in times the bound; rho
// and unfair jobs by presence.
std::string table_header();
std::string to_text(const TableRow& row);
std::string to_text(const Likeness& likeness);

}  // namespace ym::sim::fairness
