#include "papers/elastic/size_table.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ym::sim::elastic {
namespace {

// Fills in what is left at size `gpus` and the least work of each epoch so far.
void add_size(SizeTable& table, Count gpus, std::vector<double>& least_work) {
  std::vector<double>& tail_s = table.tail_s[gpus];
  tail_s.assign(table.epochs() + 1, 0);
  for (std::size_t e = table.epochs(); e-- > 0;) {
    const double seconds = (table.progress_at[e + 1] - table.progress_at[e]) / table.rate[gpus][e];
    tail_s[e] = tail_s[e + 1] + seconds;
    least_work[e] = std::min(least_work[e], gpus * seconds);
  }
}

}  // namespace

SizeTable size_table(std::vector<Count> sizes, std::span<const double> progress_at,
                     std::vector<std::vector<double>> rate) {
  SizeTable table{.sizes = std::move(sizes),
                  .progress_at = {progress_at.begin(), progress_at.end()},
                  .rate = std::move(rate),
                  .tail_s = {},
                  .work_per_progress = {},
                  .work_from = {}};
  table.tail_s.resize(table.rate.size());
  std::vector<double> least_work(table.epochs(), std::numeric_limits<double>::infinity());
  for (const Count gpus : table.sizes) add_size(table, gpus, least_work);
  table.work_from.assign(table.epochs() + 1, 0);
  for (std::size_t e = table.epochs(); e-- > 0;) table.work_from[e] = table.work_from[e + 1] + least_work[e];
  for (std::size_t e = 0; e < table.epochs(); ++e)
    table.work_per_progress.push_back(least_work[e] / (table.progress_at[e + 1] - table.progress_at[e]));
  return table;
}

std::vector<Count> offered_sizes(Count most, Count all_up_to, Count gpus_per_node) {
  std::vector<Count> sizes;
  for (Count gpus = 1; gpus <= most; ++gpus)
    if (gpus <= all_up_to || gpus % gpus_per_node == 0) sizes.push_back(gpus);
  return sizes;
}

}  // namespace ym::sim::elastic
