// The table of queueing policies on Philly (philly-passed-2017), each virtual cluster apart and scaled down: Helios'
// policies, EASY, ours and the production engine, beside the lower bound. Nobody has published figures for these data.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/queueing/figures.h"

namespace ym::sim::queueing {

struct TableOptions {
  std::string folder;                 // philly.csv.gz or philly.csv
  Count scale = 4;                    // nodes of each virtual cluster are divided by it (traces.h)
  std::vector<std::string> clusters;  // none: all eleven
  std::vector<std::string> policies;  // as in named_policies.h; none: all
  // Where the engine is run; none: wherever the others are, which takes much longer. These take two minutes.
  std::vector<std::string> engine_clusters{"2869ce", "7f04ca", "e13805", "ed69ec"};
};

// One policy in one virtual cluster; or in "all", or "those" in which the engine is run, together.
struct TableRow {
  std::string cluster;
  std::string policy;
  Count gpus = 0;  // of the cluster
  Figures figures;
  Figures large;       // of the jobs of 16 GPUs or more; 0 jobs: there are none
  double bound_s = 0;  // of the mean completion (service/bounds.h)

  double times_bound() const { return figures.mean_completion_s / bound_s; }
};

// `not_found` where the file or a policy is missing, `invalid` where the file is wrong. By virtual cluster, then what
// they come to together. Calls `each` with each row as it is there.
Result<std::vector<TableRow>> queueing_table(const TableOptions& options,
                                             const std::function<void(const TableRow&)>& each = {});

// A line each, for printing, in columns; and the line above them.
std::string table_header();
std::string to_text(const TableRow& row);

}  // namespace ym::sim::queueing
