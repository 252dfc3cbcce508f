// The cost of jobs, counted anew for each question, against the budgets of queues.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/tables.h"

namespace ym::reference {

// Over the flavors in which a job could run: when the first budget that it would exceed is renewed, the flavor of that
// budget, and whether it would exceed a budget in each flavor.
struct Over {
  std::optional<Instant> whole;
  std::string flavor;
  bool everywhere = true;
};

class Budgets {
 public:
  Budgets(const Tables& tables, Instant now) : t_(tables), now_(now) {}

  // The job runs in the queue, on this number of nodes. `attempt`: null if it starts now.
  void run(const Job& job, const std::string& queue, const std::string& flavor, std::size_t nodes,
           const Attempt* attempt);
  // When the window of the first budget that the job would exceed in the flavor ends. Nothing: it would exceed none.
  std::optional<Instant> exceeds(const Job& job, const std::string& flavor) const;
  Over over(const Job& job, const std::vector<std::string>& flavors) const;

 private:
  struct Run {
    std::string queue;
    std::int64_t gpu_ms = 0, money = 0;
    Instant admitted;
  };
  std::vector<std::string> way_up(std::string queue) const;
  // `prices`: for each part of the flavor.
  Run costs(const Job& job, const std::string& flavor, std::size_t nodes,
            const std::vector<std::int64_t>& prices) const;
  Instant begin_of(BudgetWindow window, Instant time) const;
  Instant end_of(BudgetWindow window) const;
  std::int64_t used(const std::string& queue, const Budget& budget) const;

  const Tables& t_;
  Instant now_;
  std::vector<Run> runs_;
};

}  // namespace ym::reference
