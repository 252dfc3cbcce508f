#include "engine/plan.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

constexpr Instant kStart{1'800'000'000'000};

// Every part of a plan is in its text: plans that differ in anything have different bytes.
void expect_all_differ(const Plan& plan, const std::vector<std::function<void(Plan&)>>& changes) {
  std::set<std::string> texts{to_text(plan)};
  for (const auto& change : changes) {
    Plan other = plan;
    change(other);
    EXPECT_TRUE(texts.insert(to_text(other)).second) << to_text(other);
  }
}

TEST(ToText, LeavesNothingOutOfAPreemption) {
  Plan plan;
  plan.decisions.emplace_back(
      Preemption{.job = {3},
                 .cluster = "lab",
                 .flavor = "t4",
                 .placement = {{0, "n2", {"0"}}},
                 .victims = {{.job = {4}, .attempt = 1, .lost_gpu_ms = 5, .goes_on = {{0, "n3", {"1"}}}}},
                 .kept_for = seconds(6)});
  plan.decisions.emplace_back(NominationRelease{.job = {7}, .why = "gone"});
  const auto preemption = [](Plan& p) -> Preemption& { return std::get<Preemption>(p.decisions[0]); };
  const auto release = [](Plan& p) -> NominationRelease& { return std::get<NominationRelease>(p.decisions[1]); };
  expect_all_differ(plan, {
                              [&](Plan& p) { preemption(p).job = {9}; },
                              [&](Plan& p) { preemption(p).cluster = "x"; },
                              [&](Plan& p) { preemption(p).flavor = "x"; },
                              [&](Plan& p) { preemption(p).placement[0].devices = {"9"}; },
                              [&](Plan& p) { preemption(p).victims[0].job = {9}; },
                              [&](Plan& p) { preemption(p).victims[0].attempt = 9; },
                              [&](Plan& p) { preemption(p).victims[0].lost_gpu_ms = 9; },
                              [&](Plan& p) { preemption(p).victims[0].goes_on.clear(); },
                              [&](Plan& p) { preemption(p).victims[0].goes_on[0].node = "x"; },
                              [&](Plan& p) { preemption(p).victims.clear(); },
                              [&](Plan& p) { preemption(p).kept_for = seconds(9); },
                              [&](Plan& p) { preemption(p).cause = Preemption::Cause::reclaim; },
                              [&](Plan& p) { release(p).job = {9}; },
                              [&](Plan& p) { release(p).why = "x"; },
                          });
}

TEST(ToText, LeavesNothingOut) {
  Plan plan;
  plan.decisions.emplace_back(Admission{.job = {1}, .cluster = "lab", .flavor = "t4", .placement = {{0, "n1", {"0"}}}});
  plan.decisions.emplace_back(Deferral{.job = {2}});
  plan.verdicts.push_back({.job = {2}, .answer = AnswerIndex{0}});
  plan.answers.push_back({.dominant = ReasonIndex{0}});
  plan.reasons.push_back({QuotaInUse{.queue = "q",
                                     .flavor = "f",
                                     .of = {},
                                     .needed = {1, Unit::thousandths},
                                     .available = {},
                                     .used = {},
                                     .nominal = {},
                                     .borrow = {}}});
  plan.reasons.back().lent.emplace();
  const auto reason = [](Plan& p) -> QuotaInUse& { return std::get<QuotaInUse>(p.reasons.back().details); };
  const auto admission = [](Plan& p) -> Admission& { return std::get<Admission>(p.decisions[0]); };
  const std::vector<std::function<void(Plan&)>> changes{
      [](Plan& p) { p.version = 9; },
      [&](Plan& p) { admission(p).job = {9}; },
      [&](Plan& p) { admission(p).cluster = "x"; },
      [&](Plan& p) { admission(p).flavor = "x"; },
      [&](Plan& p) { admission(p).placement[0].task = 9; },
      [&](Plan& p) { admission(p).placement[0].node = "x"; },
      [&](Plan& p) { admission(p).placement[0].devices = {"9"}; },
      [](Plan& p) { std::get<Deferral>(p.decisions[1]).job = {9}; },
      [](Plan& p) { std::get<Deferral>(p.decisions[1]).code = ReasonCode::held; },
      [](Plan& p) { p.decisions.pop_back(); },
      [](Plan& p) { p.verdicts[0].job = {9}; },
      [](Plan& p) { p.answers.back().dominant = ReasonIndex{9}; },
      [](Plan& p) { p.answers.back().also = {ReasonIndex{9}}; },
      [](Plan& p) { p.reasons.back().details = JobIsHeld{}; },
      [](Plan& p) { p.reasons.back().details = OnlyCode{ReasonCode::priority}; },
      [](Plan& p) { p.reasons.back().lent.reset(); },
      [](Plan& p) { p.reasons.back().lent->to = "x"; },
      [](Plan& p) { p.reasons.back().lent->no_nodes = 1; },
      [&](Plan& p) { reason(p).of.kind = ResourceKind::cpus; },
      [&](Plan& p) { reason(p).of.as = Counted::As::share; },
      [&](Plan& p) { reason(p).flavor = "x"; },
      [&](Plan& p) { reason(p).queue = "x"; },
      [&](Plan& p) { reason(p).needed.value = 9; },
      [&](Plan& p) { reason(p).needed.unit = Unit::bytes; },
      [&](Plan& p) { reason(p).borrow = Amount{}; },
      [](Plan& p) { p.next_wake = kStart; }};
  expect_all_differ(plan, changes);
}

TEST(ToText, LeavesNothingOutOfWhoStopsForNobody) {
  Plan plan;
  plan.decisions.emplace_back(Eviction{
      .job = {3}, .attempt = 1, .lost_gpu_ms = 5, .queue = "a", .goes_on = {{0, "n1", {"0"}}}, .kept_for = seconds(6)});
  plan.decisions.emplace_back(Resize{.job = {4},
                                     .attempt = 1,
                                     .cluster = "lab",
                                     .flavor = "t4",
                                     .placement = {{0, "n2", {"0"}}},
                                     .lost_gpu_ms = 5,
                                     .kept_for = seconds(6)});
  const auto eviction = [](Plan& p) -> Eviction& { return std::get<Eviction>(p.decisions[0]); };
  const auto resize = [](Plan& p) -> Resize& { return std::get<Resize>(p.decisions[1]); };
  expect_all_differ(plan, {
                              [&](Plan& p) { eviction(p).job = {9}; },
                              [&](Plan& p) { eviction(p).attempt = 9; },
                              [&](Plan& p) { eviction(p).lost_gpu_ms = 9; },
                              [&](Plan& p) { eviction(p).queue = "x"; },
                              [&](Plan& p) { eviction(p).cause = Eviction::Cause::shrink; },
                              [&](Plan& p) { eviction(p).goes_on[0].node = "x"; },
                              [&](Plan& p) { eviction(p).goes_on.clear(); },
                              [&](Plan& p) { eviction(p).kept_for = seconds(9); },
                              [&](Plan& p) { resize(p).job = {9}; },
                              [&](Plan& p) { resize(p).attempt = 9; },
                              [&](Plan& p) { resize(p).cluster = "x"; },
                              [&](Plan& p) { resize(p).flavor = "x"; },
                              [&](Plan& p) { resize(p).placement[0].node = "x"; },
                              [&](Plan& p) { resize(p).lost_gpu_ms = 9; },
                              [&](Plan& p) { resize(p).kept_for = seconds(9); },
                          });
}

TEST(ToText, LeavesNothingOutOfWhatIsPromisedAndAdvised) {
  Plan plan;
  plan.reservations.push_back(
      {.job = {1}, .cluster = "lab", .flavor = "t4", .from = kStart, .until = kStart + hours(1), .nodes = {"n1"}});
  plan.advice.push_back({.job = {2}, .moves = {{.job = {3}, .attempt = 1, .lost_gpu_ms = 5}}, .saves = minutes(9)});
  const auto reservation = [](Plan& p) -> Reservation& { return p.reservations[0]; };
  const auto advice = [](Plan& p) -> MoveAdvice& { return p.advice[0]; };
  expect_all_differ(plan, {
                              [&](Plan& p) { reservation(p).job = {9}; },
                              [&](Plan& p) { reservation(p).cluster = "x"; },
                              [&](Plan& p) { reservation(p).flavor = "x"; },
                              [&](Plan& p) { reservation(p).from = kStart + hours(2); },
                              [&](Plan& p) { reservation(p).until = kStart + hours(2); },
                              [&](Plan& p) { reservation(p).until.reset(); },
                              [&](Plan& p) { reservation(p).nodes = {"x"}; },
                              [&](Plan& p) { advice(p).job = {9}; },
                              [&](Plan& p) { advice(p).moves[0].job = {9}; },
                              [&](Plan& p) { advice(p).moves[0].attempt = 9; },
                              [&](Plan& p) { advice(p).moves[0].lost_gpu_ms = 9; },
                              [&](Plan& p) { advice(p).saves = minutes(8); },
                          });
}

}  // namespace
}  // namespace ym::engine
