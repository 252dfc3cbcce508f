// Why each job that waits does so: one dominant reason, and what else would hold it back.
//
// Reasons are found at the end of the cycle, when all that it admits is taken. So the next
// cycle finds the same ones if nothing else happens, and nothing flickers. They are found
// once a shape; of its jobs, only those behind somebody who may not be passed differ.
#include <algorithm>
#include <iterator>

#include "engine/cycle/cycle.h"
#include "engine/cycle/provide.h"
#include "engine/explain/answers.h"
#include "engine/explain/capacity.h"
#include "engine/explain/machine_reasons.h"
#include "engine/explain/never.h"
#include "engine/explain/promised.h"
#include "engine/explain/quota_keepers.h"
#include "engine/explain/reasons.h"
#include "engine/explain/set_aside.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// What an option lacks for a shape.
struct Obstacles {
  Flavors flavors;
  std::optional<ReasonIndex> quota, capacity;
  // First of those who may not be passed here.
  Rank quota_keeper = kNone, node_keeper = kNone;
  Rank keeper() const { return std::min(quota_keeper, node_keeper); }
};

// What jobs of a shape are told up to a rank.
struct Valid {
  Rank up_to = 0;
  Told told;
  std::vector<Index> roomy;  // flavors in which there is room, but for what is reserved
};

struct ShapeAnswers {
  bool found = false;
  std::vector<ReasonIndex> never;    // the shape can never run: why
  std::vector<Obstacles> obstacles;  // else: by option that could suit it
  std::uint32_t version = 0;         // of the keepers of quota
  std::optional<Valid> answer;
};

// What the machines lack, and who keeps some: the same for all that need the same.
struct MachineObstacles {
  std::optional<ReasonIndex> capacity;
  Rank keeper = kNone;
};

class Explainer {
 public:
  explicit Explainer(Cycle& cycle)
      : cycle_(cycle),
        only_shapes_differ_(!cycle.state.limits.any() && !cycle.state.budgets.any() &&
                            !cycle.reservations.windows().any()),
        keepers_(cycle),
        answers_(cycle.cases.size()),
        machines_(cycle.grounds.size()) {
    if (cycle.policy.place_phase) free_.emplace(cycle);
  }

  void explain(Rank rank) {
    const Seat& job = cycle_.seat(rank);
    Told found = answer(rank, job);
    if (!cycle_.provided.empty()) found = beside_new_nodes(job, found);
    // That a job is held is the user's doing, not a deferral of ours.
    if (cycle_.policy.explain_phase && job.standing != Standing::held && job.pending != found.code)
      cycle_.plan.decisions.emplace_back(Deferral{.job = job.id, .code = found.code, .answer = found.answer});
    cycle_.plan.verdicts.push_back({.job = job.id, .answer = found.answer});
    if (cycle_.now >= job.aged_at) keepers_.pass(rank);
  }

 private:
  Told pending_evaluation() {
    return told_.add_or_reuse({.code = ReasonCode::pending_evaluation, .wake = Wake::order});
  }

  Told not_considered(Rank rank) {
    const JobRow& job = cycle_.job(rank);
    switch (cycle_.seat(rank).standing) {
      case Standing::held: return told_.add_or_reuse(held());
      case Standing::stopped: return told_.add_or_reuse(queue_held(cycle_, cycle_.queue_of(rank)));
      case Standing::misconfigured: return told_.add_or_reuse(misconfigured(cycle_, cycle_.queue_of(rank)));
      case Standing::kept: return told_.add_or_reuse(preemption_pending(room_for(cycle_, cycle_.job(rank).id)));
      default: return told_.add_or_reuse(backoff(*job.not_before));
    }
  }

  // That nodes are made for it goes before what keeps it from those that are there.
  Told beside_new_nodes(const Seat& job, const Told& found) {
    const auto provided = cycle_.provided.find(job.slot);
    if (provided == cycle_.provided.end()) return found;
    return told_.before(provisioning(cycle_, provided->second), found, provided_);
  }

  Told answer(Rank rank, const Seat& job) {
    if (!cycle_.policy.explain_phase) return pending_evaluation();
    if (job.standing != Standing::open) return not_considered(rank);
    ShapeAnswers& shape = answers_[job.shape];
    if (!shape.found) find_obstacles(rank, shape);
    if (shape.version != keepers_.version()) renew_keepers(rank, shape);
    if (!shape.answer || shape.answer->up_to < rank) shape.answer = combine(rank, shape);
    if (only_shapes_differ_ && cycle_.heads[job.queue] == kNone) return shape.answer->told;
    return beside_others(rank, *shape.answer);
  }

  // What holds back this job of the shape, beside what holds back all of them.
  Told beside_others(Rank rank, const Valid& others) {
    Told own = others.told;
    if (const Index head = cycle_.head_before(rank); head != kNone)
      own = told_.beside(behind_head(cycle_, head), own, line_);
    if (const auto hit = cycle_.limit_hit(rank)) own = told_.beside(limit_reached(cycle_, rank, *hit), own, limited_);
    if (cycle_.state.budgets.any())
      if (const auto over = over_budget(cycle_, rank); over.first)
        own = told_.beside(budget_exhausted(cycle_, rank, over), own, spent_);
    if (own.answer != others.told.answer || !cycle_.reservations.windows().any()) return own;
    if (auto closed = set_aside_.find(rank, others.roomy)) own = told_.beside(std::move(*closed), own, closed_);
    return own;
  }

  MachineObstacles machine_obstacles(const Shape& shape, Index flavor) {
    MachineObstacles found{.capacity = {}, .keeper = node_keeper(cycle_, shape, flavor)};
    const CapacityFinding finding = free_->find(shape, flavor);
    if (finding.lack != Lack::nothing) found.capacity = told_.add(lacking(cycle_, shape, flavor, finding));
    return found;
  }

  Obstacles obstacles_of(const Shape& shape, const Flavors& flavors) {
    Obstacles found{.flavors = flavors, .quota = {}, .capacity = {}};
    if (cycle_.policy.quota_phase) {
      // What is promised comes first: that those who leave still use quota is over soon.
      for (const QuotaTree* quota : {&cycle_.state.quota, &cycle_.state.in_use})
        if (const auto shortage = short_now(*quota, shape, flavors); shortage && !found.quota)
          found.quota = told_.add(waiting_for_quota(cycle_, *quota, *shortage));
      found.quota_keeper = keepers_.first(shape, flavors);
    }
    if (!cycle_.policy.place_phase) return found;
    for (std::size_t i = 0; i < shape.parts(flavors); ++i) {
      const Shape part = shape.part(flavors, i);
      const Index flavor = flavors.of(i);
      auto& machines = machines_[cycle_.ground_index(part, flavor)];
      if (!machines) machines = machine_obstacles(part, flavor);
      if (!found.capacity) found.capacity = machines->capacity;
      found.node_keeper = std::min(found.node_keeper, machines->keeper);
    }
    if (flavors.is_mix() && !found.capacity && !has_room_together(cycle_, shape, flavors))
      found.capacity = told_.add(not_together(cycle_, shape, flavors));
    return found;
  }

  void renew_keepers(Rank rank, ShapeAnswers& answers) {
    answers.version = keepers_.version();
    for (Obstacles& option : answers.obstacles) {
      const Rank first = keepers_.first(cycle_.shape(rank), option.flavors);
      if (first != option.quota_keeper) answers.answer.reset();
      option.quota_keeper = first;
    }
  }

  // There are no nodes for it, but there could be.
  void find_what_could_be_made(const Shape& shape, const std::vector<Option>& options, ShapeAnswers& answers) {
    for (const Option& option : options) {
      if (!cycle_.policy.place_phase || !option.within_max || !could_be_provided(cycle_, shape, option.flavors))
        continue;
      Obstacles found{
          .flavors = option.flavors, .quota = {}, .capacity = told_.add(not_there_yet(cycle_, shape, option.flavors))};
      if (cycle_.policy.quota_phase) {
        if (const auto shortage = short_now(cycle_.state.quota, shape, option.flavors))
          found.quota = told_.add(waiting_for_quota(cycle_, cycle_.state.quota, *shortage));
        found.quota_keeper = keepers_.first(shape, option.flavors);
      }
      answers.obstacles.push_back(found);
    }
  }

  void find_obstacles(Rank rank, ShapeAnswers& answers) {
    const Shape& shape = cycle_.shape(rank);
    const auto& options = cycle_.case_of(rank).options;
    answers.found = true;
    answers.version = keepers_.version();
    for (const Option& option : options) {
      const bool possible = cycle_.policy.place_phase ? feasible(cycle_, shape, option) : option.within_max;
      if (possible) answers.obstacles.push_back(obstacles_of(shape, option.flavors));
    }
    if (answers.obstacles.empty()) find_what_could_be_made(shape, options, answers);
    if (!answers.obstacles.empty()) return;
    for (Reason& reason : never_reasons(cycle_, shape, options)) answers.never.push_back(told_.add(std::move(reason)));
  }

  Valid combine(Rank rank, const ShapeAnswers& shape) {
    std::vector<ReasonIndex> reasons = shape.never;
    reasons.reserve(4);
    Rank up_to = kNone;
    std::vector<Index> roomy;
    for (const Obstacles& option : shape.obstacles) {
      if (option.quota) told_.insert_by_precedence(reasons, *option.quota);
      const Rank keeper = option.keeper();
      if (keeper < rank) told_.insert_by_precedence(reasons, told_.add(behind(cycle_, option.flavors, keeper)));
      // The keeper himself and those before him see nothing of it.
      else up_to = std::min(up_to, keeper);
      if (option.capacity) told_.insert_by_precedence(reasons, *option.capacity);
      if (option.quota || option.capacity || keeper < rank) continue;
      for (std::size_t part = 0; part < cycle_.shape(rank).parts(option.flavors); ++part)
        roomy.push_back(option.flavors.of(part));
      up_to = std::min(up_to, promised_.next_holder(rank));
      if (const auto* booking = promised_.first_before(rank, option.flavors))
        told_.insert_by_precedence(reasons, told_.add(reserved(cycle_, option.flavors, *booking)));
    }
    if (reasons.empty()) reasons.push_back(told_.add({.code = ReasonCode::pending_evaluation, .wake = Wake::order}));
    return {.up_to = up_to,
            .told = told_.add(Answer{.dominant = reasons.front(), .also = {reasons.begin() + 1, reasons.end()}}),
            .roomy = std::move(roomy)};
  }

  Cycle& cycle_;
  bool only_shapes_differ_;  // and who is behind the head of his queue: no rule is about single jobs
  Answers told_{cycle_.plan};
  QuotaKeepers keepers_;
  std::optional<FreeMachines> free_;
  std::vector<ShapeAnswers> answers_;                                       // by shape
  std::optional<Answers::Own> line_, limited_, spent_, closed_, provided_;  // the last of each kind
  SetAside set_aside_{cycle_};
  Promised promised_{cycle_};
  std::vector<std::optional<MachineObstacles>> machines_;  // by need and flavor
};

}  // namespace

void explain(Cycle& cycle) {
  Explainer explainer(cycle);
  cycle.plan.verdicts.reserve(cycle.order.size());
  // Mostly one of each a shape.
  cycle.plan.reasons.reserve(cycle.cases.size());
  cycle.plan.answers.reserve(cycle.cases.size());
  for (Rank rank = 0; rank < cycle.order.size(); ++rank)
    if (cycle.seat(rank).standing != Standing::admitted) explainer.explain(rank);
}

}  // namespace ym::engine
