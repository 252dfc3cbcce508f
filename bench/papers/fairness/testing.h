// Jobs and rounds for tests.
#pragma once

#include <string>
#include <vector>

#include "papers/fairness/simulate.h"
#include "papers/service/made_up_jobs.h"
#include "papers/service/named_policies.h"

namespace ym::sim::fairness {

using service::made_up_jobs;

inline Round round_of(std::span<const Present> jobs, Count gpus, std::int64_t now_s = 0) {
  return {.now_us = now_s * kSecond,
          .length_us = 120 * kSecond,
          .gpus = gpus,
          .submitted = static_cast<Count>(jobs.size()),
          .jobs = jobs};
}

inline std::vector<Outcome> run_all(const std::vector<Job>& jobs, Policy& policy, const RoundOptions& options = {}) {
  return run_rounds(jobs, service::declare(jobs), policy, options);
}

// In the order of their numbers.
class InOrder : public Policy {
 public:
  Order order(const Round& round) override {
    Order order;
    for (std::size_t i = 0; i < round.jobs.size(); ++i) order.push_back(i);
    return order;
  }
};

}  // namespace ym::sim::fairness
