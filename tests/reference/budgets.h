// What jobs cost, counted anew for each question, against the budgets of queues.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/tables.h"

namespace ym::reference {

// In the flavors in which a job could run: when the first budget is whole again that it would exceed, and in which of
// them; and whether it would exceed one in each.
struct Over {
  std::optional<Instant> whole;
  std::string flavor;
  bool everywhere = true;
};

class Budgets {
 public:
  Budgets(const Tables& tables, Instant now) : t_(tables), now_(now) {}

  // The job runs in the queue, on so many nodes. `attempt`: null if it starts now.
  void run(const Job& job, const std::string& queue, const std::string& flavor, std::size_t nodes,
           const Attempt* attempt);
  // When the window ends of the first budget that the job would exceed in the flavor; nothing: it would exceed none.
  std::optional<Instant> exceeds(const Job& job, const std::string& flavor) const;
  Over over(const Job& job, const std::vector<std::string>& flavors) const;

 private:
  struct Run {
    std::string queue;
    std::int64_t gpu_ms = 0, money = 0;
    Instant admitted;
  };
  std::vector<std::string> way_up(std::string queue) const;
  // `prices`: by part of the flavor.
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
