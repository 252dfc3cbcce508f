#include "control/serve/reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "control/access/sight.h"
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

Result<Caller> Reads::authenticate_service(std::string_view handle) const {
  return access_.authenticate_service(handle, clock_.now());
}

std::vector<QueueView> Reads::queues(const Caller& caller) const {
  const Usage usage = sources_.usage();
  Sight sight(access_of(caller), caller);
  auto views = model_.queues(usage.queues);
  std::erase_if(views, [&](const QueueView& view) { return !sight.sees_queue(view.queue.name); });
  for (QueueView& view : views) {
    if (const auto used = usage.budgets.find(view.queue.name); used != usage.budgets.end())
      view.budgets_used = used->second;
    std::erase_if(view.users, [&](const UserUsage& one) { return !sight.sees_usage_of(view.queue.name, one.user); });
  }
  return views;
}

std::vector<NodeView> Reads::nodes(const Caller& caller) const {
  const Sight sight(access_of(caller), caller);
  auto views = model_.nodes();
  std::erase_if(views, [&](const NodeView& view) { return !sight.sees_nodes_of(view.node.cluster); });
  if (!sees_all(sight.access()))
    for (auto& view : views) hide_jobs(sight.access(), view);
  if (!sources_.enforcement) return views;
  auto by_cluster = sources_.enforcement();
  for (auto& view : views) view.enforcement = by_cluster[view.node.cluster];
  return views;
}

// Leaves the number of the jobs that the caller does not see.
void Reads::hide_jobs(const Access& access, NodeView& view) const {
  for (DeviceUse& use : view.devices)
    use.hidden = static_cast<std::int64_t>(std::erase_if(use.attempts, [&](AttemptKey attempt) {
      return sight_of_job(access, attempt.job).value_or(Visibility::hidden) == Visibility::hidden;
    }));
}

std::vector<AdvanceReservation> Reads::reservations(const Caller& caller) const {
  Sight sight(access_of(caller), caller);
  auto rows = model_.reservations();
  std::erase_if(rows, [&](const AdvanceReservation& row) { return !sight.sees(row); });
  for (AdvanceReservation& row : rows) sight.leave_out_others(row);
  return rows;
}

PolicyView Reads::policy(const Caller& caller) const {
  return allows(access_of(caller), Permission::policies_get, {}) ? model_.policy() : PolicyView{};
}

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
