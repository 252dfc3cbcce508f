#include <fmt/format.h>

#include "papers/placement/table.h"

namespace ym::sim::placement {
namespace {

std::string with_deviation(const Spread& spread) {
  return fmt::format("{:.2f} ({:.2f})", spread.mean, spread.deviation);
}

std::string published_text(const std::optional<PublishedResult>& published) {
  return published ? fmt::format("{:.2f}/{:.2f}", published->at_100, published->at_130) : "-";
}

}  // namespace

std::string fill_header() {
  return fmt::format("{:<12}{:<16}{:>15}{:>15}{:>14}{:>10}{:>10}{:>8}   {}", "list", "policy", "@100 (sd)", "@130 (sd)",
                     "published", "- [FGD]", "ceiling", "of it",
                     "accepted %: CPU / share <.8 / share / one GPU / several");
}

std::string to_text(const FillRow& row) {
  std::string text = fmt::format("{:<12}{:<16}{:>15}{:>15}{:>14}{:>10}{:>10}{:>8}  ", row.list, row.policy,
                                 with_deviation(row.at_100), with_deviation(row.at_130), published_text(row.published),
                                 row.fgd ? fmt::format("{:+.2f}", row.at_130.mean - row.fgd->at_130) : "-",
                                 row.ceiling ? fmt::format("{:.2f}", row.ceiling->mean) : "-",
                                 row.ceiling ? fmt::format("{:.4f}", row.at_130.mean / row.ceiling->mean) : "-");
  for (const double accepted : row.accepted) text += fmt::format(" {:5.1f}", accepted);
  return text;
}

std::string churn_header() {
  return fmt::format("{:<12}{:<16}{:>15}{:>17}{:>17}", "list", "policy", "dropped % (sd)", "- FGD (sd)",
                     "several GPUs, %");
}

std::string to_text(const ChurnRow& row) {
  return fmt::format("{:<12}{:<16}{:>15}{:>17}{:>17}", row.list, row.policy, with_deviation(row.dropped),
                     fmt::format("{:+.2f} ({:.2f})", row.more_than_fgd.mean, row.more_than_fgd.deviation),
                     with_deviation(row.multi_accepted));
}

}  // namespace ym::sim::placement
