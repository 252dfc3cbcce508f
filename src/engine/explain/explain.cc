// Why each waiting job waits: one dominant reason, and what else would hold it back.
//
// Reasons are found at the end of the cycle, when all its admissions are taken. So the next cycle finds the same
// reasons if nothing else happens, and reasons do not flicker. They are found once per shape. Jobs of a shape differ
// only where a job that blocks backfill is before some of them.
#include <algorithm>
#include <iterator>
#include <map>

#include "engine/cycle/cycle.h"
#include "engine/explain/answers.h"
#include "engine/explain/machine_reasons.h"
#include "engine/explain/never.h"
#include "engine/explain/obstacles.h"
#include "engine/explain/promised.h"
#include "engine/explain/quota_keepers.h"
#include "engine/explain/reasons.h"
#include "engine/explain/set_aside.h"

namespace ym::engine {
namespace {

// The answer for jobs of a shape up to a rank.
struct Valid {
  Rank up_to{0};
  Told told;
  std::vector<FlavorIndex> roomy;  // flavors with room, apart from reservations
};

struct ShapeAnswers {
  bool found = false;
  std::vector<ReasonIndex> never;    // why the shape can never run
  std::vector<Obstacles> obstacles;  // otherwise: by option that could suit it
  bool by_priority = false;          // the answer holds for this priority only
  std::int32_t priority = 0;
  std::uint32_t version = 0;  // of keepers_
  std::optional<Valid> answer;
};

class Explainer {
 public:
  explicit Explainer(Cycle& cycle)
      : cycle_(cycle),
        only_shapes_differ_(!cycle.in.state.limits.any() && !cycle.in.state.budgets.any() &&
                            !cycle.tried.reservations.windows().any()),
        keepers_(cycle),
        finder_(cycle, told_, keepers_),
        answers_(cycle.known.shape_caches.size()) {}

  void explain(Rank rank) {
    const PendingEntry& job = cycle_.entry(rank);
    Told found = answer(rank, job);
    if (!cycle_.out.provisioned.empty()) found = scale_up_nodes(job, found);
    // A hold is the user's decision, so it is no deferral.
    if (cycle_.in.policy.explain_phase && job.status != EntryStatus::held && job.pending != found.code)
      cycle_.out.plan.decisions.emplace_back(Deferral{.job = job.id, .code = found.code, .answer = found.answer});
    cycle_.out.plan.verdicts.push_back({.job = job.id, .answer = found.answer});
    if (cycle_.in.now >= job.aged_at) keepers_.pass(rank);
  }

 private:
  Told pending_evaluation() { return told_.add_or_reuse({NotEvaluated{}}); }

  Told not_considered(Rank rank) {
    const JobRow& job = cycle_.job(rank);
    switch (cycle_.entry(rank).status) {
      case EntryStatus::held: return told_.add_or_reuse(held());
      case EntryStatus::stopped: return told_.add_or_reuse(queue_held(cycle_.in, cycle_.queue_of(rank)));
      case EntryStatus::misconfigured: return told_.add_or_reuse(misconfigured(cycle_.in, cycle_.queue_of(rank)));
      case EntryStatus::limited: return limited(job.array);
      case EntryStatus::kept:
        return told_.add_or_reuse(preemption_pending(room_for(cycle_.in, cycle_.tried, cycle_.job(rank).id)));
      default: return told_.add_or_reuse(backoff(*job.not_before));
    }
  }

  // All members of an array get the same answer.
  Told limited(ArrayIndex array) {
    const auto known = of_array_.find(array);
    if (known != of_array_.end()) return known->second;
    return of_array_
        .emplace(array, told_.add(Answer{.dominant = told_.add(array_limited(cycle_.in, array)), .also = {}}))
        .first->second;
  }

  // That nodes are made for the job comes before what blocks it on existing nodes.
  Told scale_up_nodes(const PendingEntry& job, const Told& found) {
    const auto provisioned = cycle_.out.provisioned.find(job.slot);
    if (provisioned == cycle_.out.provisioned.end()) return found;
    return told_.before(provisioning(cycle_.in, provisioned->second), found, provisioned_);
  }

  Told answer(Rank rank, const PendingEntry& job) {
    if (!cycle_.in.policy.explain_phase) return pending_evaluation();
    if (job.status != EntryStatus::open) return not_considered(rank);
    ShapeAnswers& shape = answers_to(job);
    if (!shape.found) find_obstacles(rank, shape);
    if (shape.version != keepers_.version()) renew_keepers(rank, shape);
    if (!shape.answer || shape.answer->up_to < rank) shape.answer = combine(rank, shape);
    if (only_shapes_differ_ && cycle_.tried.heads[job.queue] == kNone) return shape.answer->told;
    return beside_others(rank, *shape.answer);
  }

  ShapeAnswers& answers_to(const PendingEntry& job) {
    ShapeAnswers& first = answers_[job.shape];
    if (!first.by_priority || first.priority == job.priority) return first;
    return of_priority_[{job.shape, job.priority}];
  }

  // What holds back this job, in addition to what holds back its shape.
  Told beside_others(Rank rank, const Valid& others) {
    Told own = others.told;
    if (const Slot head = cycle_.head_before(rank); head != kNone)
      own = told_.beside(behind_head(cycle_.in, head), own, line_);
    if (const auto hit = limit_hit(cycle_.in, cycle_.pending, rank))
      own = told_.beside(limit_reached(cycle_.in, cycle_.pending, rank, *hit), own, limited_);
    if (cycle_.in.state.budgets.any())
      if (const auto over = over_budget(cycle_.in, cycle_.pending, cycle_.known, rank); over.first)
        own = told_.beside(budget_exhausted(cycle_.in, cycle_.pending, rank, over), own, spent_);
    if (own.answer != others.told.answer || !cycle_.tried.reservations.windows().any()) return own;
    if (auto closed = set_aside_.find(rank, others.roomy)) own = told_.beside(std::move(*closed), own, closed_);
    return own;
  }

  void renew_keepers(Rank rank, ShapeAnswers& answers) {
    answers.version = keepers_.version();
    for (Obstacles& option : answers.obstacles) {
      const Rank first = keepers_.first(cycle_.shape(rank), option.flavors);
      if (first != option.quota_keeper) answers.answer.reset();
      option.quota_keeper = first;
    }
  }

  void find_obstacles(Rank rank, ShapeAnswers& answers) {
    answers.found = true;
    answers.version = keepers_.version();
    answers.priority = cycle_.entry(rank).priority;
    answers.obstacles = finder_.find(rank);
    answers.by_priority = std::ranges::any_of(answers.obstacles, &Obstacles::by_priority);
    if (!answers.obstacles.empty()) return;
    for (Reason& reason : never_reasons(cycle_.in, cycle_.shape(rank), cycle_.shape_cache(rank).options))
      answers.never.push_back(told_.add(std::move(reason)));
  }

  Valid combine(Rank rank, const ShapeAnswers& shape) {
    std::vector<ReasonIndex> reasons = shape.never;
    reasons.reserve(4);
    Rank up_to = kNone;
    std::vector<FlavorIndex> roomy;
    for (const Obstacles& option : shape.obstacles) {
      if (option.quota) told_.insert_by_precedence(reasons, *option.quota);
      const Rank keeper = option.keeper();
      if (keeper < rank)
        told_.insert_by_precedence(reasons, told_.add(behind(cycle_.in, cycle_.pending, option.flavors, keeper)));
      // The keeper and the jobs before it are not affected.
      else up_to = std::min(up_to, keeper);
      if (option.capacity) told_.insert_by_precedence(reasons, *option.capacity);
      if (option.quota || option.capacity || keeper < rank) continue;
      for (const PartIndex part : indices<PartIndex>(cycle_.shape(rank).parts(option.flavors)))
        roomy.push_back(option.flavors.of(part));
      up_to = std::min(up_to, promised_.next_holder(rank));
      if (const auto* booking = promised_.first_before(rank, option.flavors))
        told_.insert_by_precedence(reasons, told_.add(reserved(cycle_.in, cycle_.tried, option.flavors, *booking)));
    }
    if (reasons.empty()) reasons.push_back(told_.add({NotEvaluated{}}));
    return {.up_to = up_to,
            .told = told_.add(Answer{.dominant = reasons.front(), .also = {reasons.begin() + 1, reasons.end()}}),
            .roomy = std::move(roomy)};
  }

  Cycle& cycle_;
  bool only_shapes_differ_;  // except behind the head of a strict queue: no rule is about single jobs
  Answers told_{cycle_.out.plan};
  QuotaKeepers keepers_;
  ObstacleFinder finder_;
  IndexedVector<ShapeIndex, ShapeAnswers> answers_;
  std::map<std::pair<ShapeIndex, std::int32_t>, ShapeAnswers> of_priority_;  // for priorities with other reasons
  std::map<ArrayIndex, Told> of_array_;
  std::optional<Answers::Own> line_, limited_, spent_, closed_, provisioned_;  // the last of each kind
  SetAside set_aside_{cycle_.in, cycle_.pending, cycle_.tried};
  Promised promised_{cycle_.in, cycle_.pending, cycle_.tried};
};

}  // namespace

void explain(Cycle& cycle) {
  Explainer explainer(cycle);
  cycle.out.plan.verdicts.reserve(cycle.pending.order.size());
  // Usually one of each per shape.
  cycle.out.plan.reasons.reserve(cycle.known.shape_caches.size());
  cycle.out.plan.answers.reserve(cycle.known.shape_caches.size());
  for (const Rank rank : cycle.pending.order.indices())
    if (cycle.entry(rank).status != EntryStatus::admitted) explainer.explain(rank);
}

}  // namespace ym::engine
