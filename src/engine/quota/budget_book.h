// BudgetBook: what counts against the budgets (model/budget.h) of each queue, by the day of the admission.
//
// While an attempt lives, its highest possible cost counts: that of its time limit, at the prices of its admission.
// The same holds, at current prices, for nominated placements and for admissions of a cycle. An attempt without a time
// limit counts only after its end.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/state/names.h"
#include "model/queue.h"

namespace ym::engine {

// The day of what is not admitted yet: the current day at each question.
inline constexpr std::int64_t kToday = std::numeric_limits<std::int64_t>::max();

// The budget in the way.
struct BudgetHit {
  QueueIndex queue = kNone;
  Budget budget;
  std::int64_t used = 0, needed = 0;  // in the budget's unit
  bool operator==(const BudgetHit&) const = default;
};

class BudgetBook {
 public:
  // Drops all amounts.
  void rebuild(const std::map<std::string, Queue>& rows, const Names<QueueIndex>& queue_names);
  // Whether any queue has a budget.
  bool any() const { return any_; }
  // Whether the queue, or one above it, has a budget.
  bool any(QueueIndex queue) const;

  // For an attempt in the queue that was admitted on that day.
  void add(QueueIndex queue, std::int64_t day, const Cost& cost);
  void remove(QueueIndex queue, std::int64_t day, const Cost& cost);
  // The first budget that this additional cost would exceed now: the queue's own before those above it, in the order
  // in which they are listed. Nothing: none.
  std::optional<BudgetHit> hit(QueueIndex queue, const Cost& cost, Instant now) const;
  // What counts in the current window.
  std::int64_t used(QueueIndex queue, const Budget& budget, Instant now) const;

  bool operator==(const BudgetBook&) const = default;

 private:
  struct Node {
    QueueIndex parent = kNone;
    std::vector<Budget> budgets;
    std::map<std::int64_t, Cost> by_day;  // of the queue and those below it; without zero entries
    bool operator==(const Node&) const = default;
  };
  template <class Change>
  void change(QueueIndex queue, std::int64_t day, Change change);
  // From the queue upwards, until `visit` says to stop.
  template <class Nodes, class Visit>
  static void climb(Nodes& nodes, QueueIndex queue, Visit visit);

  bool any_ = false;
  IndexedVector<QueueIndex, Node> nodes_;
};

}  // namespace ym::engine
