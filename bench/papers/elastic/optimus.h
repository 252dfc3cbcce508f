// Optimus: one GPU for each job, then one after another to the job whose predicted remaining time falls most.
//
// Peng et al., "Optimus: An Efficient Dynamic Resource Scheduler for Deep Learning Clusters", EuroSys 2018, as the
// artifact of Pollux (Qiao et al., OSDI 2021) has it: batches are fixed, and what remains is known.
#pragma once

#include <vector>

#include "papers/elastic/simulate.h"

namespace ym::sim::elastic {

class Optimus : public Policy {
 public:
  explicit Optimus(const Cluster& cluster = {}) : cluster_(cluster) {}

  std::string_view name() const override { return "Optimus"; }
  BatchMode batch_mode() const override { return BatchMode::fixed; }
  std::vector<Allocation> plan(const Round& round) override;

 private:
  Cluster cluster_;
};

}  // namespace ym::sim::elastic
