// Tiresias: least attained service first, in two queues, for jobs of fixed size.
//
// Gu et al., "Tiresias: A GPU Cluster Manager for Distributed Deep Learning", NSDI 2019, as the artifact of Pollux
// (Qiao et al., OSDI 2021) has it: a job falls into the second queue when the GPU time that it held reaches the limit.
// Queues are first come, first served, and what does not fit is passed over.
#pragma once

#include <map>
#include <vector>

#include "papers/elastic/simulate.h"

namespace ym::sim::elastic {

struct TiresiasOptions {
  Cluster cluster{};
  std::int64_t limit_gpu_s = 16 * 3600;
};

class Tiresias : public Policy {
 public:
  explicit Tiresias(const TiresiasOptions& options = {}) : options_(options) {}

  std::string_view name() const override { return "Tiresias"; }
  BatchMode batch_mode() const override { return BatchMode::fixed; }
  std::vector<Allocation> plan(const Round& round) override;

 private:
  using JobNumber = std::size_t;
  struct Service {
    bool runs = false;
    std::int32_t seen_s = 0;  // last
    std::int64_t held_s = 0;
  };

  void update_queues(const Round& round);
  void account(JobNumber number, const Round& round);
  // Those that are to run, in the order of the queues.
  std::vector<JobNumber> choose(const Round& round);

  TiresiasOptions options_;
  std::vector<JobNumber> first_, second_;
  std::map<JobNumber, Service> services_;  // of active jobs
};

}  // namespace ym::sim::elastic
