// Running jobs, counted anew for each question, against the limits of queues.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/tables.h"

namespace ym::reference {

class Limits {
 public:
  explicit Limits(const Tables& tables) : t_(tables) {}

  // The job runs in the queue, on this number of nodes.
  void run(const Job& job, const std::string& queue, std::size_t nodes);
  // Whether the job would exceed a limit on jobs or GPUs, of its queue or of one above it, or of its user there.
  bool forbid(const Job& job) const;

 private:
  struct Run {
    std::string queue, owner;
    std::int64_t gpus = 0;
  };

  // The queue and the existing queues above it.
  std::set<std::string> way_up(std::string queue) const;
  bool forbid(const RunLimit& limit, const Job& job, const std::string& queue, bool of_user) const;

  const Tables& t_;
  std::vector<Run> runs_;
};

}  // namespace ym::reference
