// The table of results on the traces of Muri: what was published, what its schedulers come to under its protocol and
// under a clean one, and what our policy comes to, each beside the lower bound.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/service/bounds.h"
#include "papers/service/summary.h"
#include "papers/service/traces.h"

namespace ym::sim::service {

struct TableOptions {
  std::string folder;                 // trace1.csv.gz and so on, restart_overhead.csv, published_results.csv
  std::vector<std::string> traces;    // "trace1"; none: all that are there and were published, by name
  std::vector<std::string> policies;  // as in TableRow; none: all
};

// One policy on one trace.
struct TableRow {
  std::string trace;
  std::string policy;  // "SRTF published" (its protocol), "SRTF clean", "declared" (named_policies.h) and so on
  std::optional<PublishedFigures> published;  // of the same policy
  LowerBounds bounds;
  Summary summary;

  double times_bound() const { return summary.mean_completion_s / bounds.mean_completion_s; }
};

// `not_found` where a file or a policy is missing, `invalid` where a file is wrong.
// By trace; the schedulers (schedulers.h), then our policy. Calls `each` with each row as it is there; for people.
// Seconds for a trace; a minute for trace2_pr.
Result<std::vector<TableRow>> service_table(const TableOptions& options,
                                            const std::function<void(const TableRow&)>& each = {});

// A line each, for printing, in columns; and the line above them. Moves of the schedulers are starts after waiting
// alone: at each event they put running jobs elsewhere for nothing.
std::string table_header();
std::string to_text(const TableRow& row);

}  // namespace ym::sim::service
