// RandomHistory: random events that a real server could have written.
//
// Servers start, machines and queues come and go, jobs (also arrays) are submitted, held, cancelled, admitted, started,
// stopped, lost, retried and finished. The fold (model/tables.h) accepts all of these events. The same seed gives the
// same history.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "model/tables.h"

namespace ym::testing {

class RandomHistory {
 public:
  explicit RandomHistory(std::uint64_t seed);

  struct Batch {
    std::vector<Event> events;
    Touched touched;
  };

  // At least `count` more events, folded into tables() already.
  Batch next(std::size_t count);

  // Everything so far, finished jobs included.
  const Tables& tables() const { return tables_; }
  const std::vector<Event>& events() const { return events_; }

 private:
  void step();
  void add(EventPayload payload, std::string reason = {});
  void change_configuration();
  void want_nodes();
  void change_access();
  template <class Row>
  void set_or_remove(Row row);
  void submit();
  void disturb_waiting(const Job& job);
  void admit(const Job& job);
  void disturb_nomination(const Job& job);
  void report_progress(AttemptKey key);
  void advance(const Attempt& attempt);
  void run_tasks(const Attempt& attempt);
  void open_barrier(const Attempt& attempt);
  void settle(const Attempt& attempt);
  void stop(AttemptKey key);
  void conclude(const Job& job);
  bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }

  Random random_;
  Tables tables_;
  std::vector<Event> events_;
  Batch batch_;
  Instant now_;
};

// What a store loads from `tables`: all except jobs that have ended.
Tables unfinished(Tables tables);

}  // namespace ym::testing
