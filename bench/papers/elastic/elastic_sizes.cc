#include "papers/elastic/elastic_sizes.h"

#include <algorithm>

#include "papers/elastic/size_choice.h"

namespace ym::sim::elastic {
namespace {

using Options = std::vector<SizeOption>;

// A size is worth asking for if it is worth more than all smaller ones, or saves a restart.
Options options_of(const ElasticJob& job, const SizesOptions& options) {
  Options found;
  double most_value = 0;
  for (const Count gpus : job.table->sizes) {
    const bool beyond = gpus > job.most_gpus;
    if (beyond && options.growth == Growth::free) break;
    const double value = beyond ? value_by_doubling(job, gpus, options.value) : value_of_size(job, gpus, options.value);
    if (value <= most_value && gpus != job.gpus) continue;
    found.push_back({.gpus = gpus, .value = value});
    most_value = std::max(most_value, value);
  }
  return found;
}

void raise(Options& options, Count gpus, double value) {
  const auto found = std::ranges::find(options, gpus, &SizeOption::gpus);
  if (found == options.end()) options.push_back({.gpus = gpus, .value = value});
  else found->value = std::max(found->value, value);
}

// The step towards `target` counts as much as the target.
Options options_for_step(const ElasticJob& job, Options options, Count target) {
  if (target > job.most_gpus) {
    const double value = std::ranges::find(options, target, &SizeOption::gpus)->value;
    raise(options, largest_size(*job.table, job.most_gpus), value);
  }
  std::erase_if(options, [&](const SizeOption& option) { return option.gpus > job.most_gpus; });
  return options;
}

}  // namespace

std::vector<Count> elastic_sizes(std::span<const ElasticJob> jobs, const SizesOptions& options) {
  std::vector<Options> choices;
  for (const ElasticJob& job : jobs) choices.push_back(options_of(job, options));
  const std::vector<Count> targets = choose_sizes(choices, options.gpus);
  bool all_allowed = true;
  for (std::size_t i = 0; i < jobs.size(); ++i) all_allowed = all_allowed && targets[i] <= jobs[i].most_gpus;
  if (all_allowed) return targets;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    choices[i] = options_for_step(jobs[i], std::move(choices[i]), targets[i]);
  return choose_sizes(choices, options.gpus);
}

}  // namespace ym::sim::elastic
