// Answers: what jobs are told, as a plan has it. What several are told stands there once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/plan.h"

namespace ym::engine {

// Into Plan::reasons.
using ReasonIndex = std::uint32_t;

// An answer of the plan, and its code.
struct Told {
  std::uint32_t answer = 0;
  ReasonCode code = ReasonCode::pending_evaluation;
};

class Answers {
 public:
  // The plan must outlive it.
  explicit Answers(Plan& plan) : plan_(plan) {}

  ReasonIndex add(Reason reason);
  const Reason& at(ReasonIndex reason) const { return plan_.reasons[reason]; }
  Told add(Answer answer);
  // One reason for one job. The last answer serves again if it is the same.
  Told add_or_reuse(Reason reason);
  // Equal codes stay in the order in which they come, and what several options lack stands there once.
  void insert_by_precedence(std::vector<ReasonIndex>& reasons, ReasonIndex reason) const;

  // What holds back a job, beside what holds back all that are alike. Mostly many that come one after the other are
  // held back alike: the last of a kind serves again.
  struct Own {
    std::uint32_t beside = 0;  // the answer to the others
    ReasonIndex reason = 0;
    Told told;
  };
  // By precedence.
  Told beside(Reason reason, const Told& others, std::optional<Own>& last);
  // Before all that they are told.
  Told before(Reason reason, const Told& others, std::optional<Own>& last);

 private:
  bool is_same(const std::optional<Own>& last, const Told& others, const Reason& reason) const;
  std::vector<ReasonIndex> reasons_of(const Told& told) const;
  Told add(const std::vector<ReasonIndex>& reasons);

  Plan& plan_;
  std::optional<Told> last_single_;  // the last that is one reason for one job
};

}  // namespace ym::engine
