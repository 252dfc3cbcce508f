// Backlog: what executors reported and could not be stored yet.
//
// A disk may be full for days. Of what an attempt says again and again only the last is kept,
// so that what this takes is bounded by what lives and by what really happened. One thread.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <vector>

#include "executor/executor.h"

namespace ym {

class Backlog {
 public:
  // A report of progress alone is merged into the attempt's next one; whether there is contact,
  // only the last word says. All else is kept as it came, and in order.
  void add(Observation observation);

  bool empty() const { return kept_.empty(); }
  std::size_t size() const { return kept_.size(); }
  // All of it, in order; it is empty then.
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
