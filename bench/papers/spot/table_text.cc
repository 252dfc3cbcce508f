#include <fmt/format.h>

#include "papers/spot/table.h"

namespace ym::sim::spot {
namespace {

std::string to_text(const Hours& hours) { return fmt::format("{:.1f}/{:.1f}", hours.on_demand, hours.spot); }

// Of hours on demand and on spot: those published, and those of the row where it has them.
std::string published_text(const TableRow& row) {
  if (!row.published) return "-";
  const auto& [greedy, paced, bound] = *row.published;
  return fmt::format("greedy {} ({}), uniform progress {} ({}), bound {}", to_text(greedy),
                     to_text(row.score(Rule::greedy).work), to_text(paced),
                     to_text(row.score(Rule::uniform_progress).work), to_text(bound));
}

std::string best_zone_text(const TableRow& row) {
  if (!row.best_zone) return fmt::format("{:>9}{:>9}", "-", "-");
  return fmt::format("{:>9.2f}{:>9.2f}", row.best_zone->uniform_progress.saving_percent,
                     row.best_zone->planned.saving_percent);
}

}  // namespace

std::string table_header() {
  return fmt::format("{:<18}{:>4}{:>6}{:>9}{:>9}{:>9}{:>9}{:>9}{:>6}{:>9}{:>9}  {}", "set", "f", "runs", "greedy",
                     "uniform", "planned", "bound", "closed", "late", "uni. 1z", "plan. 1z",
                     "published hours on demand/spot (here)");
}

std::string to_text(const TableRow& row) {
  const auto closed = row.gap_closed_percent();
  std::string text = fmt::format("{:<18}{:>4}{:>6}", row.set, fmt::format(".{}", row.tenths), row.runs);
  for (const Score& score : row.scores) text += fmt::format("{:>9.2f}", score.saving_percent);
  text +=
      fmt::format("{:>9.2f}{:>9}{:>6}", row.bound_percent, closed ? fmt::format("{:.1f}%", *closed) : "-", row.late());
  return text + best_zone_text(row) + "  " + published_text(row);
}

}  // namespace ym::sim::spot
