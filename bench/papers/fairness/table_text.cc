#include <fmt/format.h>

#include "papers/fairness/table.h"

namespace ym::sim::fairness {
namespace {

std::string text_of(const Figures& figures) {
  return fmt::format("{:>10.0f}{:>8.0f}{:>7.2f}{:>8.1f}", figures.makespan_s, figures.mean_completion_s,
                     figures.worst_rho, 100 * figures.unfair_share);
}

}  // namespace

std::string table_header() {
  constexpr std::string_view kFigures = "{:>10}{:>8}{:>7}{:>8}";
  const auto titles = [&](std::string_view makespan) {
    return fmt::format(fmt::runtime(kFigures), makespan, "mean s", "rho", "unfair%");
  };
  return fmt::format("{:<9}{:>4}  {:<23}{} |{} |{:>10}{:>8}{:>7} |{:>7}{:>7} |{:>7}{:>9}{:>7}", "trace", "GPUs",
                     "policy", titles("published"), titles("here, s"), "bound, s", "mean s", "rho", "x span", "x mean",
                     "rho'", "unfair%'", "moves");
}

std::string to_text(const TableRow& row) {
  const std::string published = row.published ? text_of(*row.published) : fmt::format("{:>33}", "-");
  const service::LowerBounds& bounds = row.bounds.service;
  return fmt::format("{:<9}{:>4}  {:<23}{} |{} |{:>10.0f}{:>8.0f}{:>7.2f} |{:>7.3f}{:>7.3f} |{:>7.2f}{:>9.1f}{:>7.1f}",
                     row.trace, row.gpus, row.policy, published, text_of(row.figures), bounds.makespan_s,
                     bounds.mean_completion_s, row.bounds.worst_rho, row.figures.makespan_s / bounds.makespan_s,
                     row.figures.mean_completion_s / bounds.mean_completion_s, row.by_presence.worst,
                     100 * row.by_presence.unfair_share, row.moves);
}

std::string to_text(const Likeness& likeness) {
  const Figures& tau = likeness.tau;
  return fmt::format(
      "Order of {} policies, published and here, Kendall's tau: makespan {:.2f}, mean {:.2f}, worst rho "
      "{:.2f}, unfair share {:.2f}",
      likeness.policies, tau.makespan_s, tau.mean_completion_s, tau.worst_rho, tau.unfair_share);
}

}  // namespace ym::sim::fairness
