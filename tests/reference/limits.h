// Who runs, counted anew for each question, against the limits of queues.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/tables.h"

namespace ym::reference {

class Limits {
 public:
  explicit Limits(const Tables& tables) : t_(tables) {}

  // The job runs in the queue, on so many nodes.
  void run(const Job& job, const std::string& queue, std::size_t nodes);
  // Whether it would be one too many of its queue or one above it, or of its user there, or on too many GPUs.
  bool forbid(const Job& job) const;

 private:
  struct Run {
    std::string queue, owner;
    std::int64_t gpus = 0;
  };

  // The queue and those above it, as far as they exist.
  std::set<std::string> way_up(std::string queue) const;
  bool forbid(const RunLimit& limit, const Job& job, const std::string& queue, bool of_user) const;

  const Tables& t_;
  std::vector<Run> runs_;
};

}  // namespace ym::reference
