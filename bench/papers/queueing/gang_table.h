// The table of gangs: Kalos (acme-kalos-2023), 302 nodes of eight GPUs and gangs of up to 1,024. What is there of the
// trace loads the cluster little, so it is also run with submissions 2, 4 and 8 times as close. Nobody has published
// figures for that.
//
// Run times of the trace hold what jobs had waited there, which was short.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "papers/queueing/figures.h"

namespace ym::sim::queueing {

struct GangClass {
  std::string_view title;
  SizeClass sizes{};
};

inline constexpr std::array<GangClass, 5> kGangClasses{
    {{"<= 8", {1, 8}}, {"9..64", {9, 64}}, {"65..511", {65, 511}}, {"512", {512, 512}}, {"> 512", {513, kNever}}}};

struct GangTableOptions {
  std::string folder;  // kalos_completed_train_jobs.csv
  ClusterShape shape{.nodes = 302, .gpus_per_node = 8};
  std::vector<Count> faster{1, 2, 4, 8};
  std::vector<std::string> policies;  // as in named_policies.h; none: all
};

struct GangTableRow {
  Count faster = 1;
  std::string policy;
  Figures all;
  std::array<Figures, kGangClasses.size()> by_class;
  double load = 0;     // GPU time, of what the cluster has from the first submission to the last
  double bound_s = 0;  // of the mean completion (service/bounds.h)

  double times_bound() const { return all.mean_completion_s / bound_s; }
};

// `not_found` where the file or a policy is missing, `invalid` where the file is wrong, or a job larger than the
// cluster. Calls `each` with each row as it is there. Seconds.
Result<std::vector<GangTableRow>> gang_table(const GangTableOptions& options,
                                             const std::function<void(const GangTableRow&)>& each = {});

// A line each, for printing, in columns; and the line above them. Of a class: mean queueing and its p99.
std::string gang_header();
std::string to_text(const GangTableRow& row);

}  // namespace ym::sim::queueing
