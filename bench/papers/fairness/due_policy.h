// Our policy: in each round, our order (due_order.h) of what is there.
//
// A job is due at its submission + 1.05 x its fair time: run time x max(1, jobs submitted so far / GPUs), which is what
// can be known of the fair time by trace (rho.h). Later submissions only move it back.
#pragma once

#include "papers/fairness/due_order.h"
#include "papers/fairness/policy.h"

namespace ym::sim::fairness {

struct DuePolicyOptions {
  Count makespan_percent = DueOptions{}.makespan_percent;
  Count rho_percent =
      105;  // so much of its fair time a job may take (kUnfairAbove); less where run times are uncertain
  // A running job whose run time is only guessed counts as if it had so much less left: guesses change with every
  // round, and each change of places costs two starts.
  Count guess_divisor = 2;
};

class DuePolicy : public Policy {
 public:
  explicit DuePolicy(const DuePolicyOptions& options = {}) : options_(options) {}
  Order order(const Round& round) override;

 private:
  DuePolicyOptions options_;
};

}  // namespace ym::sim::fairness
