#include "control/commands/cancel_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "control/attempts/stops.h"
#include "control/commands/command_rights.h"
#include "control/state/messages.h"

namespace ym {
namespace {

Error too_late(const Job& job) {
  return {.code = ErrorCode::conflict,
          .message = fmt::format("job {} is {}; only a job that has not ended can be cancelled", to_string(job.id),
                                 to_string(job.state))};
}

// Jobs that are not live are looked up in one call.
Result<void> refuse_ended(const CommandContext& context, const std::vector<JobId>& ended, CommandReply& reply) {
  if (ended.empty()) return {};
  auto found = context.history.jobs(ended);
  if (!found) return std::unexpected(found.error());
  std::ranges::sort(*found, {}, &Job::id);
  for (const auto id : ended) {
    const auto job = std::ranges::lower_bound(*found, id, {}, &Job::id);
    if (job == found->end() || job->id != id) {
      reply.refused.push_back({id, no_such_job(id)});
      continue;
    }
    if (const auto may = require_on_job(context.access, Permission::jobs_cancel, *job); !may)
      reply.refused.push_back({id, may.error()});
    else if (job->state == JobState::cancelled) reply.jobs.push_back(std::move(*job));
    else reply.refused.push_back({id, too_late(*job)});
  }
  return {};
}

}  // namespace

void stage_cancel(Staging& staging, const std::string& principal, const Job& job) {
  const JobId id = job.id;  // the row changes
  staging.add(principal, CancelRequested{id});
  const Attempt* attempt = staging.tables().live_attempt(id);
  // Without contact the stop is sent anyway, and again when contact is back.
  if (attempt) stage_stop(staging, principal, {attempt->key(), StopCause::cancel});
  else staging.add(principal, JobFinished{id, JobState::cancelled, "cancelled before it started"});
}

Result<CommandReply> stage_cancel_jobs(Staging& staging, const CommandContext& context, const Caller& caller,
                                       const CancelJobs& command) {
  CommandReply reply;
  std::vector<JobId> live, ended;
  const auto& jobs = staging.tables().jobs;
  // Each job once, in order of ids.
  for (const auto id : std::set<JobId>(command.jobs.begin(), command.jobs.end())) {
    const auto job = jobs.find(id);
    (job == jobs.end() || is_terminal(job->second.state) ? ended : live).push_back(id);
  }
  // Staging comes after the read, which may fail.
  if (auto looked = refuse_ended(context, ended, reply); !looked) return std::unexpected(looked.error());
  for (const auto id : live) {
    if (auto may = require_on_job(context.access, Permission::jobs_cancel, jobs.at(id)); !may) {
      reply.refused.push_back({id, std::move(may.error())});
      continue;
    }
    if (const Job& job = jobs.at(id); !job.cancel_requested) stage_cancel(staging, caller.principal, job);
    reply.jobs.push_back(jobs.shared(id));
  }
  return reply;
}

}  // namespace ym
