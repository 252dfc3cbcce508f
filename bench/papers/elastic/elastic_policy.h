// The elastic policy: in each round the sizes of all jobs anew, from what each GPU is worth to each of them.
//
// It puts what the simulation knows of jobs before the core, which decides: weights (remaining.h), values of sizes
// (size_value.h), sizes (elastic_sizes.h), nodes (few_moves.h). How well it does, and what of it matters: table.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "papers/elastic/beliefs.h"
#include "papers/elastic/elastic_sizes.h"
#include "papers/elastic/few_moves.h"
#include "papers/elastic/simulate.h"

namespace ym::sim::elastic {

struct ElasticOptions {
  std::string name;
  Cluster cluster{};
  Count all_sizes_up_to = 16;  // above it, whole nodes only
  Growth growth = Growth::free;
  NodeSharing sharing = NodeSharing::free;
  EstimateOptions estimate{};
  double rank_sharpness = 0;  // WeightOptions
  ValueOptions value{};
  ErrorOptions errors{};
};

// A: the whole profile of each application is known, and with it what remains of each job.
ElasticOptions known_profile();
// B: as A, but a job gets at most twice the GPUs that it ran on already, as Pollux has it (Qiao et al., OSDI 2021).
// Growing pays later, so it looks further.
ElasticOptions growth_limited();
// C: as A, but nothing is known of what remains of a job.
ElasticOptions remaining_unknown();
// As C, but the jobs that ended show how much jobs of their application need.
ElasticOptions remaining_typical();
// B and C together.
ElasticOptions growth_limited_remaining_unknown();

class ElasticPolicy : public Policy {
 public:
  // The catalog is that of the simulation.
  ElasticPolicy(const Catalog& catalog, ElasticOptions options);

  std::string_view name() const override { return options_.name; }
  BatchMode batch_mode() const override { return BatchMode::goodput; }
  std::vector<Allocation> plan(const Round& round) override;

 private:
  std::vector<ElasticJob> jobs_of(const Round& round) const;
  ElasticJob job_of(std::size_t number, const Round& round,
                    std::optional<double> typical_progress_of_application) const;
  std::vector<Allocation> place(const Round& round, const std::vector<ElasticJob>& jobs,
                                const std::vector<Count>& sizes) const;

  ElasticOptions options_;
  Beliefs beliefs_;
};

}  // namespace ym::sim::elastic
