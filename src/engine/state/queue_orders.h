// The order of jobs within each queue.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/state/job_table.h"
#include "engine/state/names.h"
#include "model/queue.h"

namespace ym::engine {

// A job's position within its queue: less goes first. Between queues only the urgency counts, then the effective queue
// time (cycle/order/effective_queue_time.h).
struct DequeueKey {
  std::int64_t urgency = 0;  // the negative priority, with its boost
  std::int64_t rule = 0;     // what the queue's order compares
  Instant submitted_at;
  JobId id;
  auto operator<=>(const DequeueKey&) const = default;
};

class QueueOrders {
 public:
  QueueOrders() = default;
  QueueOrders(const std::map<std::string, Queue>& rows, const Names<QueueIndex>& queue_names);

  // Whether the users of the queue, or of any queue, are compared by their decayed usage.
  bool shares_among_users(QueueIndex queue) const { return rules_.has(queue) && rules_[queue].fair_users; }
  bool any_shares_among_users() const { return any_fair_users_; }
  // Whether jobs of any queue have another order than by priority and submit time.
  bool any() const { return any_; }
  bool has(QueueIndex queue) const { return rules_.has(queue) && rules_[queue].own; }
  bool by_deadline(QueueIndex queue) const { return rules_.has(queue) && rules_[queue].order == JobOrder::deadline; }
  DequeueKey dequeue_key(const JobRow& job, QueueIndex queue, Instant now) const;

 private:
  struct Rule {
    bool own = false;
    bool fair_users = false;
    JobOrder order = JobOrder::fifo;
    AgeBoost boost;
    std::vector<Duration> levels;
  };
  static std::int64_t boosted(const Rule& rule, const JobRow& job, Instant now);
  static std::int64_t by_rule(const Rule& rule, const JobRow& job, Instant now);

  IndexedVector<QueueIndex, Rule> rules_;
  bool any_ = false, any_fair_users_ = false;
};

}  // namespace ym::engine
