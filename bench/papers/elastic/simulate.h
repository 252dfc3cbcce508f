// The rounds in which the artifact of Pollux (Qiao et al., OSDI 2021) simulates a cluster, under any policy.
//
// In each round the jobs go on for round_s, then the policy says where those that were submitted and have not ended are
// to lie. A job whose allocation changed (its first one counts) makes no progress for the next pause_s.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "papers/elastic/catalog.h"
#include "papers/elastic/job.h"

namespace ym::sim::elastic {

struct Protocol {
  Cluster cluster{};
  std::int32_t round_s = 60;
  std::int32_t pause_s = 30;
  std::int32_t longest_s = 4'000'000;  // of the clock; a workload that takes longer is an error
};

// What a policy decides from. Of `jobs` it may look at those which are active or have ended, and not at others.
struct Round {
  std::int32_t now_s = 0;
  const Catalog& catalog;
  std::span<const Job> jobs;        // by number
  std::vector<std::size_t> active;  // rising numbers, at least one
};

class Policy {
 public:
  virtual ~Policy() = default;

  virtual std::string_view name() const = 0;
  virtual BatchMode batch_mode() const = 0;
  // Of each of round.active; a job whose allocation is as it was goes on undisturbed. Called once a round.
  virtual std::vector<Allocation> plan(const Round& round) = 0;
};

struct Outcome {
  std::vector<Job> jobs;  // all ended; figures need at least one

  double mean_completion_s() const;  // from submission
  double restarts_per_job() const;   // starts but for the first
};

// `internal` where the policy gives what is not there, puts a job where it was never measured, or does not come to an
// end in longest_s.
Result<Outcome> simulate(const Catalog& catalog, const std::vector<JobRequest>& requests, Policy& policy,
                         const Protocol& protocol = {});

}  // namespace ym::sim::elastic
