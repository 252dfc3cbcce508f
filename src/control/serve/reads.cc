#include "control/serve/reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "control/state/job_tokens.h"

namespace ym {

Reads::Reads(const ReadModel& model, const AccessBook& access, EventListeners& listeners, const Clock& clock,
             Sources sources)
    : model_(model),
      access_(access),
      access_reads_(*this, access, clock),
      listeners_(listeners),
      clock_(clock),
      sources_(std::move(sources)) {}

Result<Caller> Reads::authenticate(const Secret& token) const {
  if (!JobTokens::is_one(token.reveal())) return access_.authenticate(token, clock_.now());
  const auto attempt = sources_.check_job_token(token);
  if (!attempt) return std::unexpected(attempt.error());
  return Caller::job(*attempt);
}

std::vector<QueueView> Reads::queues(const Caller&) const {
  const Usage usage = sources_.usage();
  auto views = model_.queues(usage.queues);
  for (QueueView& view : views)
    if (const auto used = usage.budgets.find(view.queue.name); used != usage.budgets.end())
      view.budgets_used = used->second;
  return views;
}

std::vector<NodeView> Reads::nodes(const Caller&) const {
  auto views = model_.nodes();
  if (!sources_.enforcement) return views;
  auto by_cluster = sources_.enforcement();
  for (auto& view : views) view.enforcement = by_cluster[view.node.cluster];
  return views;
}

std::vector<AdvanceReservation> Reads::reservations(const Caller&) const { return model_.reservations(); }

PolicyView Reads::policy(const Caller&) const { return model_.policy(); }

Counters Reads::counters(const Caller&) const {
  Counters counters = model_.counters(clock_.now());
  if (sources_.add_counts) sources_.add_counts(counters);
  return counters;
}

std::unexpected<Error> no_such_attempt(AttemptKey key) {
  return fail(ErrorCode::not_found, fmt::format("job {} has no attempt {}", to_string(key.job), key.number));
}

Result<std::optional<Notice>> notice_of(const Result<JobView>& job, AttemptKey key) {
  if (!job) return std::unexpected(job.error());
  const Attempt* attempt = job->attempt(key.number);
  if (!attempt) return no_such_attempt(key);
  if (!attempt->stop_cause || !attempt->stop_by) return std::optional<Notice>();
  return Notice{.cause = *attempt->stop_cause, .deadline = *attempt->stop_by, .grace = job->job->spec->stop.grace};
}

}  // namespace ym
