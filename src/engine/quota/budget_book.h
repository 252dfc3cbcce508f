// The book of budgets (model/budget.h): what counts against those of each queue, by the day of the admission.
//
// While an attempt lives all counts that its time limit would let it cost, at the price of its admission; so does, at
// the present price, a place that is kept for a job, and what a cycle admits. What runs without a limit counts only
// when it has ended.
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

// The day of what is not admitted yet: whichever it is when that is asked.
inline constexpr std::int64_t kToday = std::numeric_limits<std::int64_t>::max();

// What is in the way.
struct BudgetHit {
  QueueIndex queue = kNone;
  Budget budget;
  std::int64_t used = 0, needed = 0;  // in the budget's unit
  bool operator==(const BudgetHit&) const = default;
};

class BudgetBook {
 public:
  // Forgets what counted.
  void rebuild(const std::map<std::string, Queue>& rows, const Names<QueueIndex>& queue_names);
  // Whether any queue has one.
  bool any() const { return any_; }
  // Whether the queue, or one above it, has one.
  bool any(QueueIndex queue) const;

  // Of an attempt in the queue, admitted on that day.
  void add(QueueIndex queue, std::int64_t day, const Cost& cost);
  void remove(QueueIndex queue, std::int64_t day, const Cost& cost);
  // The budget that would be exceeded by so much more now: of the queue before those above it, in the order in
  // which they are listed. Nothing: none.
  std::optional<BudgetHit> hit(QueueIndex queue, const Cost& cost, Instant now) const;
  // What counts in the window that it is now.
  std::int64_t used(QueueIndex queue, const Budget& budget, Instant now) const;

  bool operator==(const BudgetBook&) const = default;

 private:
  struct Node {
    QueueIndex parent = kNone;
    std::vector<Budget> budgets;
    std::map<std::int64_t, Cost> by_day;  // of the queue and those below it; none that is nothing
    bool operator==(const Node&) const = default;
  };
  template <class Change>
  void change(QueueIndex queue, std::int64_t day, Change change);
  // From the queue upwards, until `visit` says that it is enough.
  template <class Nodes, class Visit>
  static void climb(Nodes& nodes, QueueIndex queue, Visit visit);

  bool any_ = false;
  IndexedVector<QueueIndex, Node> nodes_;
};

}  // namespace ym::engine
