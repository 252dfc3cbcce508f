// What the elastic policy believes of the speed of applications: tables with errors, and how these are corrected.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "papers/elastic/catalog.h"
#include "papers/elastic/size_table.h"

namespace ym::sim::elastic {

enum class Correction {
  never,
  per_application,  // a size on which a job ran is known for all jobs of its application
  per_job,          // for that job alone
};

struct ErrorOptions {
  double sigma = 0;  // speeds are wrong by a factor exp(sigma * N(0, 1)), for each application and size
  // How many sigma less of it is believed of sizes that were not measured. Without it, jobs that learn alone go on from
  // one size that promises too much to the next.
  double discount = 0;
  Correction correction = Correction::never;
  std::uint64_t seed = 1;
};

class Beliefs {
 public:
  // Sizes offered: all up to `all_up_to`, then whole nodes.
  Beliefs(const Catalog& catalog, const Cluster& cluster, Count all_up_to, const ErrorOptions& options);

  // Takes from a job of that number what it shows of its size; to be told of every active job, round by round.
  void observe(std::size_t number, const Job& job, const Application& application);
  // Stays where it is; changes with observe().
  const SizeTable& table(std::size_t number, const Job& job) const;

 private:
  struct Belief {
    std::vector<double> factor;  // believed speed in parts of the true one, by GPUs
    SizeTable table;
  };
  static SizeTable table_of(const Application& application, const Cluster& cluster, const std::vector<Count>& sizes,
                            const std::vector<double>& factor);

  Cluster cluster_;
  Correction correction_;
  std::vector<Belief> by_application_;
  std::map<std::size_t, Belief> by_job_;  // where jobs learn alone
};

}  // namespace ym::sim::elastic
