// ControlServer: why jobs wait, and the effect of changes. Only the leading server knows these.
#include <algorithm>

#include "control/access/visible_jobs.h"
#include "control/commands/command_rights.h"
#include "control/serve/server.h"
#include "control/serve/why_it_runs.h"
#include "control/site/policy.h"

namespace ym {

// Runs on the caller's thread. So commands about jobs that ended long ago, such as endless reports of one, cost the
// control thread no read of the store.
std::shared_ptr<const JobView> ControlServer::ended_job_of(const Command& command) {
  const auto id = std::visit(
      [](const auto& what) -> std::optional<JobId> {
        if constexpr (requires { JobId{what.job}; }) return what.job;
        else if constexpr (requires { what.attempt.job; }) return what.attempt.job;
        else return std::nullopt;
      },
      command);
  if (!id || read_model_.lives(*id)) return nullptr;
  auto found = reads_.stored_job(Caller::server(), *id);
  if (!found || !is_terminal(found->job->state)) return nullptr;
  return std::make_shared<const JobView>(std::move(*found));
}

void ControlServer::compare(const Caller&, engine::PolicyChange change, CompareReply reply) {
  engine_->compare(std::move(change), std::move(reply));
}

Result<Explanation> ControlServer::why(const Caller& caller, JobId id) {
  const auto view = read_model_.job(id);
  if (!view) {
    const auto ended = reads_.job(caller, id);
    if (!ended) return std::unexpected(ended.error());
    return Explanation{.state = ended->job->state, .message = ended->job->message};
  }
  const auto access = reads_.access_of(caller);
  if (auto may = require_on_job(access, Permission::jobs_get, view->job); !may) return std::unexpected(may.error());
  Explanation explanation{.state = view->job->state, .message = view->job->message};
  if (is_active(view->job->state)) {
    explanation.because = reasons_to_run(*view);
    explanation.deadline = deadline_of_running(*view);
  }
  if (view->job->state != JobState::queued && view->job->state != JobState::held) return explanation;
  if (const auto within = read_model_.promised_wait_of(view->job); within && view->job->state == JobState::queued)
    explanation.promise = {.within = *within, .by = view->job->waits_since + *within};
  const auto report = engine_->report();
  const auto& plan = report->plan;
  explanation.dominant = engine::reason_of(view->job->pending.value_or(ReasonCode::pending_evaluation));
  const auto mine = std::ranges::find(plan.verdicts, id, &engine::Verdict::job);
  if (mine == plan.verdicts.end()) return explanation;
  explanation.dominant = plan.dominant(*mine);
  for (const auto also : plan.answer_to(*mine).also) explanation.also.push_back(plan.reason(also));
  name_blockers(access, explanation);
  const auto reservation = std::ranges::find(plan.reservations, id, &engine::Reservation::job);
  if (reservation != plan.reservations.end()) explanation.reservation = *reservation;
  const auto advised = std::ranges::find(plan.advice, id, &engine::MoveAdvice::job);
  if (advised != plan.advice.end()) explanation.advice = *advised;
  constexpr std::size_t kShown = 20;
  const auto ahead = read_model_.queued({plan.verdicts.begin(), mine}, kShown);
  for (const auto& shown : ahead.first) show_ahead(access, shown.job, explanation);
  explanation.ahead_total = ahead.total;
  if (explanation.dominant->code() != ReasonCode::held) look_ahead(explanation, view->job);
  return explanation;
}

// A job that the caller does not see is only counted.
void ControlServer::show_ahead(const Access& access, const Job& job, Explanation& explanation) {
  switch (sight_of(access, target_of(job), job.owner)) {
    case Visibility::hidden: return;
    case Visibility::outline: return explanation.ahead.push_back(outline_of(job));
    case Visibility::whole: return explanation.ahead.push_back(job);
  }
}

void ControlServer::name_blockers(const Access& access, Explanation& explanation) const {
  const auto name = [&](const engine::Reason& reason) {
    const auto view = read_model_.job(engine::blocker_of(reason));
    if (view && require_on_job(access, Permission::jobs_get, view->job))
      explanation.names.emplace(view->job->id, view->job->name);
  };
  name(*explanation.dominant);
  std::ranges::for_each(explanation.also, name);
}

// The reasons are about the job and its own queue, which a caller that sees the job may know.
std::vector<std::string> ControlServer::reasons_to_run(const JobView& view) {
  const auto all = reads_.queues(Caller::server());
  const auto own = std::ranges::find(all, view.attempts.back()->queue, [](const auto& one) { return one.queue.name; });
  if (own == all.end()) return {};
  const PolicyView settings = reads_.policy(Caller::server());
  return why_it_runs(view, *own, policy_of(over(settings.set, settings.file)).scoring, clock_.now());
}

void ControlServer::look_ahead(Explanation& explanation, const Job& job) {
  const auto outlook = engine_->outlook(job.id);
  if (outlook->forecast.version == 0) return;
  explanation.forecast = {.as_of = outlook->forecast.as_of, .until = outlook->forecast.until};
  if (const auto changes = outlook->sooner.find(job.id); changes != outlook->sooner.end())
    explanation.sooner = changes->second;
  if (const auto verdict = outlook->deadlines.find(job.id); verdict != outlook->deadlines.end())
    explanation.deadline = verdict->second;
  const engine::Forecast& forecast = outlook->forecast;
  if (const auto start = forecast.starts.find(job.id); start != forecast.starts.end()) {
    explanation.predicted_start = engine::adjusted_at(forecast, job.queue, start->second, clock_.now());
  } else {
    // A job that the forecast does not know came after it.
    const auto cause = forecast.without.find(job.id);
    explanation.no_estimate = cause != forecast.without.end() ? cause->second : engine::NoStart::not_looked_at;
  }
}

}  // namespace ym
