#include "engine/explain/answers.h"

#include <algorithm>
#include <utility>

namespace ym::engine {

ReasonIndex Answers::add(Reason reason) { return plan_.reasons.push_back(std::move(reason)); }

Told Answers::add(Answer answer) {
  const ReasonCode code = plan_.reasons[answer.dominant].code();
  return {.answer = plan_.answers.push_back(std::move(answer)), .code = code};
}

Told Answers::add(const std::vector<ReasonIndex>& reasons) {
  return add(Answer{.dominant = reasons.front(), .also = {reasons.begin() + 1, reasons.end()}});
}

Told Answers::add_or_reuse(Reason reason) {
  if (last_single_ && plan_.reasons[plan_.answers[last_single_->answer].dominant] == reason) return *last_single_;
  last_single_ = add(Answer{.dominant = add(std::move(reason)), .also = {}});
  return *last_single_;
}

void Answers::insert_by_precedence(std::vector<ReasonIndex>& reasons, ReasonIndex reason) const {
  const auto& all = plan_.reasons;
  if (std::ranges::any_of(reasons, [&](ReasonIndex known) { return all[known] == all[reason]; })) return;
  const auto code = [&](ReasonIndex index) { return all[index].code(); };
  reasons.insert(std::ranges::upper_bound(reasons, code(reason), {}, code), reason);
}

bool Answers::is_same(const std::optional<Own>& last, const Told& others, const Reason& reason) const {
  return last && last->beside == others.answer && plan_.reasons[last->reason] == reason;
}

std::vector<ReasonIndex> Answers::reasons_of(const Told& told) const {
  const Answer& answer = plan_.answers[told.answer];
  std::vector<ReasonIndex> reasons{answer.dominant};
  reasons.insert(reasons.end(), answer.also.begin(), answer.also.end());
  return reasons;
}

Told Answers::beside(Reason reason, const Told& others, std::optional<Own>& last) {
  if (is_same(last, others, reason)) return last->told;
  last = {.beside = others.answer, .reason = add(std::move(reason)), .told = {}};
  auto reasons = reasons_of(others);
  // Without this reason it might have room, so these reasons do not apply to it.
  std::erase_if(reasons, [&](ReasonIndex index) {
    const ReasonCode code = plan_.reasons[index].code();
    return code == ReasonCode::pending_evaluation || code == ReasonCode::reserved;
  });
  insert_by_precedence(reasons, last->reason);
  return last->told = add(reasons);
}

Told Answers::before(Reason reason, const Told& others, std::optional<Own>& last) {
  if (is_same(last, others, reason)) return last->told;
  last = {.beside = others.answer, .reason = add(std::move(reason)), .told = {}};
  auto reasons = reasons_of(others);
  reasons.insert(reasons.begin(), last->reason);
  return last->told = add(reasons);
}

}  // namespace ym::engine
