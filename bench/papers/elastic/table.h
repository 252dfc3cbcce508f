// The table of the elastic policies: published, reproduced and ours, beside a lower bound.
//
// Published are the figures of Qiao et al., Pollux, OSDI 2021. Tiresias and Optimus are simulated again, to show that
// the protocol is theirs; Pollux is not, as it is what we want to beat.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/elastic/price_bound.h"
#include "papers/elastic/simulate.h"

namespace ym::sim::elastic {

struct TableRow {
  std::string load;      // jobs in parts of the usual number: "1.0"
  std::string workload;  // its number, or "mean" of all
  std::string policy;
  // Mean completion times in seconds.
  std::optional<double> published_s{};  // of the policy itself; for ours, of Pollux
  std::optional<double> ours_s{};       // ours, or reproduced
  double bound_s = 0;
  std::optional<double> restarts_per_job{};

  // Of what we have, else of what is published.
  double ratio_to_bound() const;
};

enum class TableBound {
  isolated_or_srpt,  // SimpleBounds; takes no time
  price,             // price_bound(); with the options below half a minute for each load
  price_and_pauses,  // pausing_price_bound(); two minutes more
};

struct TableOptions {
  // Of these, loads of which there are no workloads are left out, but for the first, which is wanted and of which each
  // workload gets rows of its own.
  std::vector<std::string> loads{"1.0", "0.5", "1.5", "2.0"};
  Count workloads = 4;  // 1 to so many
  Protocol protocol{};
  TableBound bound = TableBound::isolated_or_srpt;
  PausingBoundOptions price{};  // of both price bounds, but for the protocol
};

// `folder`: as read_catalog() wants it, with published_results/ in it. Two seconds, and what the bounds take.
Result<std::vector<TableRow>> elastic_table(const std::string& folder, const TableOptions& options = {});

// For printing: the titles of the columns, and a row below them. What there is not is "-".
std::vector<std::string> table_titles();
std::vector<std::string> table_cells(const TableRow& row);

struct PolicyOfTable {
  std::string name;
  std::string published_as;                                       // in the names of the files of results
  std::function<std::unique_ptr<Policy>(const Catalog&)> make{};  // none: it is only published
};
std::vector<PolicyOfTable> policies_of_table();

// The requests of all workloads of a load.
Result<std::vector<std::vector<JobRequest>>> read_load(const std::string& folder, const std::string& load,
                                                       Count workloads, const Catalog& catalog);

}  // namespace ym::sim::elastic
