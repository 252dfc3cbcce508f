// The table of results: what each policy saves of the bill on demand, and how near that is to the bound.
//
// Three parts. Reproduced: the published rules on whole files, as they were published. Single zones: second half of
// each file, the planned policy having learnt from the first. Several zones: the same, where a job may run in any zone
// of a recording. Savings are 1 - bill / (work * price on demand) in %, starts paid, averaged over the markets of a
// set.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/spot/sets.h"
#include "papers/spot/trials.h"

namespace ym::sim::spot {

struct TableOptions {
  std::string folder;          // of the traces (sets.h)
  std::int64_t starts = 300;   // of each file of single zones, drawn at random
  std::size_t every_nth = 31;  // ticks of several zones from which runs start
  EstimatorOptions estimator{};
};

// Hours of work without starts.
struct Hours {
  double on_demand = 0, spot = 0;
};

struct Score {
  double saving_percent = 0;
  Hours work{};
  std::int64_t late = 0;  // runs
};

// Of the best zone of each market for all runs, known afterwards: there is one for each of the two.
struct BestZone {
  Score uniform_progress, planned;
};

struct TableRow {
  std::string set;
  int tenths = 8;  // of the time to the deadline that the work takes: f in the paper
  std::int64_t runs = 0;
  std::array<Score, kRules.size()> scores{};
  double bound_percent = 0;  // saving of who knows the market
  std::optional<BestZone> best_zone{};
  // Hours of work of Greedy, Uniform Progress and the bound: Wu et al., NSDI 2024, table 3.
  std::optional<std::array<Hours, 3>> published{};

  const Score& score(Rule rule) const { return scores[static_cast<std::size_t>(rule)]; }
  // How much of what Uniform Progress leaves to the bound the planned policy saves. Nothing where it leaves nothing.
  std::optional<double> gap_closed_percent() const;
  std::int64_t late() const;  // of the planned policy
};

struct RowOptions {
  int tenths = 8;
  Part part = Part::second;
  Starts starts{};  // the seed of a market is that of the first plus its place in the set
  EstimatorOptions estimator{};
  bool with_best_zone = false;
};

// Precondition: jobs of that set fit into that part of each market.
TableRow row_of(const MarketSet& set, const RowOptions& options);

// Called with each row as it is there; for people.
using EachRow = std::function<void(const TableRow&)>;

// By set, then tenths 7, 8 and 9. With 300 starts a few minutes for single zones, one for several.
Result<std::vector<TableRow>> reproduced_table(const TableOptions& options, const EachRow& each = {});
Result<std::vector<TableRow>> single_zone_table(const TableOptions& options, const EachRow& each = {});
Result<std::vector<TableRow>> several_zones_table(const TableOptions& options, const EachRow& each = {});

// A line, for printing, in columns; and the line above them. "1z": in the best single zone.
std::string table_header();
std::string to_text(const TableRow& row);

}  // namespace ym::sim::spot
