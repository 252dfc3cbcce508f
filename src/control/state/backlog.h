// Backlog: observations of executors that could not be stored yet.
//
// A disk may be full for days. Of repeated reports of an attempt, only the last is kept. So the size is bounded by the
// number of live attempts and of real changes. One thread.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <vector>

#include "executor/executor.h"

namespace ym {

class Backlog {
 public:
  // A report with progress alone is merged into the attempt's next one. Of reports about contact, only the last one is
  // kept. All other observations are kept unchanged and in order.
  void add(Observation observation);

  bool empty() const { return kept_.empty(); }
  std::size_t size() const { return kept_.size(); }
  // Returns all observations in order. The backlog is empty afterwards.
  std::vector<Observation> take();

 private:
  using Place = std::optional<std::list<Observation>::iterator>;
  struct Last {
    Place progress, contact;
  };
  Place* place_of(const Observation& observation);

  std::list<Observation> kept_;
  std::map<Token, Last> last_;
};

}  // namespace ym
