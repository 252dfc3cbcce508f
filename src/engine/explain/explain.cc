// Why each waiting job waits: one dominant reason, and what else would hold it back.
//
// Reasons are found at the end of the cycle, when all its admissions are taken. So the next cycle finds the same
// reasons if nothing else happens, and reasons do not flicker. They are found once per shape. Jobs of a shape differ
// only where a job that blocks backfill is before some of them.
#include <algorithm>
#include <iterator>
#include <map>

#include "engine/cycle/cycle.h"
#include "engine/explain/advance_reservation_finder.h"
#include "engine/explain/answers.h"
#include "engine/explain/machine_reasons.h"
#include "engine/explain/never.h"
#include "engine/explain/obstacles.h"
#include "engine/explain/quota_keepers.h"
#include "engine/explain/reasons.h"
#include "engine/explain/reservation_finder.h"

namespace ym::engine {
namespace {

// The answer for jobs of a shape up to a rank.
struct Valid {
  Rank up_to{0};
  AnswerRef answer_ref;
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
                            !cycle.tried.reservations.advance_reservations().any()),
        keepers_(cycle),
        finder_(cycle, plan_answers_, keepers_),
        shape_answers_(cycle.known.shape_caches.size()) {}

  void explain(Rank rank) {
    const PendingEntry& job = cycle_.entry(rank);
    AnswerRef found = answer(rank, job);
    if (!cycle_.out.provisioned.empty()) found = scale_up_nodes(job, found);
    // A hold is the user's decision, so it is no deferral.
    if (cycle_.in.policy.explain_phase && job.status != EntryStatus::held && job.pending != found.code)
      cycle_.out.plan.decisions.emplace_back(Deferral{.job = job.id, .code = found.code, .answer = found.answer});
    cycle_.out.plan.verdicts.push_back({.job = job.id, .answer = found.answer});
    if (cycle_.in.now >= job.aged_at) keepers_.pass(rank);
  }

 private:
  AnswerRef pending_evaluation() { return plan_answers_.add_or_reuse({NotEvaluated{}}); }

  AnswerRef not_considered(Rank rank) {
    const JobRow& job = cycle_.job(rank);
    switch (cycle_.entry(rank).status) {
      case EntryStatus::held: return plan_answers_.add_or_reuse(held());
      case EntryStatus::stopped: return plan_answers_.add_or_reuse(queue_held(cycle_.in, cycle_.queue_of(rank)));
      case EntryStatus::misconfigured:
        return plan_answers_.add_or_reuse(misconfigured(cycle_.in, cycle_.queue_of(rank)));
      case EntryStatus::limited: return limited(job.array);
      case EntryStatus::kept:
        return plan_answers_.add_or_reuse(preemption_pending(room_for(cycle_.in, cycle_.tried, cycle_.job(rank).id)));
      default: return plan_answers_.add_or_reuse(backoff(*job.not_before));
    }
  }

  // All members of an array get the same answer.
  AnswerRef limited(ArrayIndex array) {
    const auto known = of_array_.find(array);
    if (known != of_array_.end()) return known->second;
    return of_array_
        .emplace(array,
                 plan_answers_.add(Answer{.dominant = plan_answers_.add(array_limited(cycle_.in, array)), .also = {}}))
        .first->second;
  }

  // That nodes are made for the job comes before what blocks it on existing nodes.
  AnswerRef scale_up_nodes(const PendingEntry& job, const AnswerRef& found) {
    const auto provisioned = cycle_.out.provisioned.find(job.slot);
    if (provisioned == cycle_.out.provisioned.end()) return found;
    return plan_answers_.before(provisioning(cycle_.in, provisioned->second), found, provisioned_);
  }

  AnswerRef answer(Rank rank, const PendingEntry& job) {
    if (!cycle_.in.policy.explain_phase) return pending_evaluation();
    if (job.status != EntryStatus::open) return not_considered(rank);
    ShapeAnswers& shape = answers_to(job);
    if (!shape.found) find_obstacles(rank, shape);
    if (shape.version != keepers_.version()) renew_keepers(rank, shape);
    if (!shape.answer || shape.answer->up_to < rank) shape.answer = combine(rank, shape);
    if (only_shapes_differ_ && cycle_.tried.heads[job.queue] == kNone) return shape.answer->answer_ref;
    return beside_others(rank, *shape.answer);
  }

  ShapeAnswers& answers_to(const PendingEntry& job) {
    ShapeAnswers& first = shape_answers_[job.shape];
    if (!first.by_priority || first.priority == job.priority) return first;
    return of_priority_[{job.shape, job.priority}];
  }

  // What holds back this job, in addition to what holds back its shape.
  AnswerRef beside_others(Rank rank, const Valid& others) {
    AnswerRef own = others.answer_ref;
    if (const Slot head = cycle_.head_before(rank); head != kNone)
      own = plan_answers_.beside(behind_head(cycle_.in, head), own, line_);
    if (const auto hit = limit_hit(cycle_.in, cycle_.pending, rank))
      own = plan_answers_.beside(limit_reached(cycle_.in, cycle_.pending, rank, *hit), own, limited_);
    if (cycle_.in.state.budgets.any())
      if (const auto over = over_budget(cycle_.in, cycle_.pending, cycle_.known, rank); over.first)
        own = plan_answers_.beside(budget_exhausted(cycle_.in, cycle_.pending, rank, over), own, spent_);
    if (own.answer != others.answer_ref.answer || !cycle_.tried.reservations.advance_reservations().any()) return own;
    if (auto closed = advance_reservations_.find(rank, others.roomy))
      own = plan_answers_.beside(std::move(*closed), own, closed_);
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
      answers.never.push_back(plan_answers_.add(std::move(reason)));
  }

  Valid combine(Rank rank, const ShapeAnswers& shape) {
    std::vector<ReasonIndex> reasons = shape.never;
    reasons.reserve(4);
    Rank up_to = kNone;
    std::vector<FlavorIndex> roomy;
    for (const Obstacles& option : shape.obstacles) {
      if (option.quota) plan_answers_.insert_by_precedence(reasons, *option.quota);
      const Rank keeper = option.keeper();
      if (keeper < rank)
        plan_answers_.insert_by_precedence(
            reasons, plan_answers_.add(behind(cycle_.in, cycle_.pending, option.flavors, keeper)));
      // The keeper and the jobs before it are not affected.
      else up_to = std::min(up_to, keeper);
      if (option.capacity) plan_answers_.insert_by_precedence(reasons, *option.capacity);
      if (option.quota || option.capacity || keeper < rank) continue;
      for (const PartIndex part : indices<PartIndex>(cycle_.shape(rank).parts(option.flavors)))
        roomy.push_back(option.flavors.of(part));
      up_to = std::min(up_to, reservations_.next_holder(rank));
      if (const auto* booking = reservations_.first_before(rank, option.flavors))
        plan_answers_.insert_by_precedence(
            reasons, plan_answers_.add(reserved(cycle_.in, cycle_.tried, option.flavors, *booking)));
    }
    if (reasons.empty()) reasons.push_back(plan_answers_.add({NotEvaluated{}}));
    return {.up_to = up_to,
            .answer_ref =
                plan_answers_.add(Answer{.dominant = reasons.front(), .also = {reasons.begin() + 1, reasons.end()}}),
            .roomy = std::move(roomy)};
  }

  Cycle& cycle_;
  bool only_shapes_differ_;  // except behind the head of a strict queue: no rule is about single jobs
  Answers plan_answers_{cycle_.out.plan};
  QuotaKeepers keepers_;
  ObstacleFinder finder_;
  IndexedVector<ShapeIndex, ShapeAnswers> shape_answers_;
  std::map<std::pair<ShapeIndex, std::int32_t>, ShapeAnswers> of_priority_;  // for priorities with other reasons
  std::map<ArrayIndex, AnswerRef> of_array_;
  std::optional<Answers::Own> line_, limited_, spent_, closed_, provisioned_;  // the last of each kind
  AdvanceReservationFinder advance_reservations_{cycle_.in, cycle_.pending, cycle_.tried};
  ReservationFinder reservations_{cycle_.in, cycle_.pending, cycle_.tried};
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
