#include "papers/placement/published.h"

#include "papers/placement/list_name.h"
#include "sim/workload/each_row.h"

namespace ym::sim::placement {
namespace {

// Percents with two decimals, in hundredths.
std::int64_t hundredths(RowView& row, std::string_view column) { return row.duration(column, 100).ms; }

}  // namespace

Result<PublishedResults> read_published(const std::string& path) {
  struct Sum {
    std::int64_t at_100 = 0, at_130 = 0, seeds = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums;
  const auto read = for_each_row(path, [&](RowView& row) {
    Sum& sum = sums[{list_name(row.text("workload")), std::string(row.text("sc_policy"))}];
    sum.at_100 += hundredths(row, "100");
    sum.at_130 += hundredths(row, "130");
    sum.seeds += 1;
  });
  if (!read) return std::unexpected(read.error());
  PublishedResults results;
  for (const auto& [key, sum] : sums) {
    const auto all = static_cast<double>(100 * sum.seeds);
    results[key] = {static_cast<double>(sum.at_100) / all, static_cast<double>(sum.at_130) / all, sum.seeds};
  }
  return results;
}

}  // namespace ym::sim::placement
