// The table of results: what the policies allocate of a cluster that is filled, and what they drop where pods come and
// go.
//
// Each list gets a table of waste of its own, learned from its mix and not from the order of a run. What stands beside
// a figure is its standard deviation over the seeds; differences are of pairs of runs with one seed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/placement/churn.h"
#include "papers/placement/fill.h"
#include "papers/placement/named_policies.h"
#include "papers/placement/published.h"
#include "papers/placement/spread.h"
#include "papers/placement/waste_learner.h"

namespace ym::sim::placement {

// What no policy that places whatever fits allocates at 130 %, over these seeds (../ceiling/ceiling.h).
using CeilingOf =
    std::function<Result<Spread>(const PodList&, const Fleet&, std::uint64_t first_seed, std::int64_t seeds)>;

struct TableOptions {
  std::string folder;              // openb_node_list_gpu_node.csv.gz, openb_pod_list_*.csv.gz, published_results/
  std::vector<std::string> lists;  // "default"; none: all that are there, by name
  std::uint64_t first_seed = 42;
  std::int64_t seeds = 10;
  LearnOptions learn{};
  ChurnOptions churn{};
  bool with_compared = false;  // the policies that FGD was compared with, too
  CeilingOf ceiling{};         // none: it is not told
};

// One policy on one list, in % of all GPUs.
struct FillRow {
  std::string list, policy;
  Spread at_100, at_130;
  std::optional<PublishedResult> published;    // of the same policy
  std::optional<PublishedResult> fgd;          // published FGD
  std::optional<Spread> ceiling;               // of the list
  std::array<double, kPodClasses> accepted{};  // % of the pods of a class (fill.h)
};

struct ChurnRow {
  std::string list, policy;
  Spread dropped;         // % of the GPUs asked for
  Spread more_than_fgd;   // the same less that of published FGD, in pairs
  Spread multi_accepted;  // % of the pods with several GPUs
};

// Called with each row as it is there; for people.
template <class Row>
using Each = std::function<void(const Row&)>;

// By list; fgd as published, engine-fgd, final-waste (named_policies.h).
Result<std::vector<FillRow>> fill_table(const TableOptions& options, const Each<FillRow>& each = {});
Result<std::vector<ChurnRow>> churn_table(const TableOptions& options, const Each<ChurnRow>& each = {});

// A line each, for printing, in columns; and the line above them.
std::string fill_header();
std::string to_text(const FillRow& row);
std::string churn_header();
std::string to_text(const ChurnRow& row);

}  // namespace ym::sim::placement
