// Answers: the reasons that a plan gives to its jobs. Each reason and answer that several jobs share is stored once.
#pragma once

#include <optional>
#include <vector>

#include "engine/plan.h"

namespace ym::engine {

// An answer of the plan, and its code.
struct Told {
  AnswerIndex answer{};
  ReasonCode code = ReasonCode::pending_evaluation;
};

class Answers {
 public:
  // The plan must outlive it.
  explicit Answers(Plan& plan) : plan_(plan) {}

  ReasonIndex add(Reason reason);
  const Reason& at(ReasonIndex reason) const { return plan_.reasons[reason]; }
  Told add(Answer answer);
  // Adds an answer with one reason. Returns the last such answer if it is the same.
  Told add_or_reuse(Reason reason);
  // Inserts by code; equal codes stay in the order in which they come. A reason that is there already is not added
  // again.
  void insert_by_precedence(std::vector<ReasonIndex>& reasons, ReasonIndex reason) const;

  // An answer for one job: what holds back all jobs of its shape, and what holds back this job. Consecutive jobs mostly
  // have the same, so the last one of each kind is kept for reuse.
  struct Own {
    AnswerIndex beside{};  // the answer of the shape
    ReasonIndex reason{};
    Told told;
  };
  // Adds the reason to those of the others, by precedence.
  Told beside(Reason reason, const Told& others, std::optional<Own>& last);
  // Puts the reason before those of the others.
  Told before(Reason reason, const Told& others, std::optional<Own>& last);

 private:
  bool is_same(const std::optional<Own>& last, const Told& others, const Reason& reason) const;
  std::vector<ReasonIndex> reasons_of(const Told& told) const;
  Told add(const std::vector<ReasonIndex>& reasons);

  Plan& plan_;
  std::optional<Told> last_single_;  // the last answer with one reason
};

}  // namespace ym::engine
