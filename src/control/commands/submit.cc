#include "control/commands/submit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "control/access/sight.h"
#include "control/commands/command_rights.h"
#include "control/commands/level_check.h"
#include "control/commands/outlook.h"
#include "control/commands/queue_of_job.h"
#include "control/state/messages.h"

namespace ym {
namespace {

SeesQueue seen_queues(const Access& access) {
  return [sight = Sight(access, {.principal = access.principal})](const std::string& queue) mutable {
    return sight.sees_queue(queue);
  };
}

std::string pointer_of(const std::vector<JobSpec>& specs, std::size_t index, std::string_view key) {
  return specs.size() > 1 ? fmt::format("/{}{}", index, key) : std::string(key);
}

// Checks that the queues and levels of the specs exist. Returns by spec the queue where its jobs will wait.
Result<std::vector<std::string>> check_names(const Tables& tables, const Access& access, const Caller& caller,
                                             const std::vector<JobSpec>& specs) {
  const auto sees = seen_queues(access);
  std::vector<std::string> queues;
  std::vector<FieldError> errors;
  const auto note = [&](std::size_t i, std::string_view key, std::optional<std::string> problem) {
    if (problem) errors.push_back({pointer_of(specs, i, key), std::move(*problem)});
  };
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto queue = queue_of_job(tables, specs[i], caller.principal, sees);
    queues.push_back(queue.value_or(""));
    if (!queue) note(i, "/queue", queue.error().message);
    note(i, "/placement/topology/required", level_problem(tables, specs[i].placement->required_level));
    if (const auto& slice = specs[i].placement->slice)
      note(i, "/placement/topology/slice/level", level_problem(tables, slice->level));
    note(i, "/placement/topology/preferred", level_problem(tables, specs[i].placement->preferred_level));
  }
  if (errors.empty()) return queues;
  std::string message = errors.front().pointer + ": " + errors.front().message;
  if (errors.size() > 1) message += fmt::format("; and {} more", errors.size() - 1);
  return std::unexpected(Error{.code = ErrorCode::invalid, .message = std::move(message), .fields = std::move(errors)});
}

// The number of jobs of the request. Error: more than one request may make.
Result<std::size_t> count_jobs(const std::vector<JobSpec>& specs) {
  std::size_t jobs = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    jobs += static_cast<std::size_t>(specs[i].array.value_or(1));
    if (jobs <= kMaxJobsPerRequest) continue;
    return fail_field(pointer_of(specs, i, specs[i].array ? "/array" : ""),
                      fmt::format("makes it {} jobs in one request; at most {} are allowed: submit the rest apart",
                                  jobs, kMaxJobsPerRequest));
  }
  return jobs;
}

Result<void> check_room(const Staging& staging, const CommandContext& context, const Caller& caller, std::size_t jobs) {
  const auto& state = staging.state();
  const auto all = state.tables.jobs.size();
  if (all + jobs > kMaxLiveJobs) {
    return fail(ErrorCode::rate_limited,
                fmt::format("{} jobs wait or run already; the most is {}: submit again when some of them have ended",
                            all, kMaxLiveJobs));
  }
  const auto owner = state.live_jobs.find(caller.principal);
  const auto own = owner == state.live_jobs.end() ? 0 : owner->second;
  if (std::cmp_less_equal(own + jobs, context.limits.unfinished_jobs)) return {};
  return fail(ErrorCode::rate_limited,
              fmt::format("{} jobs of user '{}' wait or run already, and {} more would be over the most, which is {}: "
                          "submit again when some of them have ended",
                          own, caller.principal, jobs, context.limits.unfinished_jobs));
}

Result<void> check_memory(const Staging& staging, const CommandContext& context, const Caller& caller,
                          const std::vector<JobSpec>& specs) {
  constexpr std::size_t kMebi = std::size_t{1} << 20;
  std::size_t wanted = staging.state().specs.bytes(caller.principal);
  for (const auto& spec : specs) wanted += bytes_of(spec);
  if (std::cmp_less_equal(wanted, context.limits.spec_bytes)) return {};
  return fail(
      ErrorCode::rate_limited,
      fmt::format("the specs of the jobs of user '{}' that wait or run would take {} MiB of memory; the most is "
                  "{} MiB: submit again when some of them have ended, or keep large texts in files",
                  caller.principal, (wanted + kMebi - 1) / kMebi,
                  static_cast<std::size_t>(context.limits.spec_bytes) / kMebi));
}

// Warnings, by spec. Errors: `invalid`: no cluster can run the image.
Result<std::vector<std::vector<std::string>>> look_ahead(const Staging& staging, const std::vector<JobSpec>& specs,
                                                         const std::vector<std::string>& queues) {
  std::vector<std::vector<std::string>> warnings;
  auto outlooks = outlooks_of(staging, specs, queues);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (auto& problem = outlooks[i].image_problem)
      return fail_field(pointer_of(specs, i, "/image"), std::move(*problem));
    warnings.push_back(std::move(outlooks[i].warnings));
  }
  return warnings;
}

// Returns by spec the queue where its jobs will wait.
Result<std::vector<std::string>> check(const Staging& staging, const CommandContext& context, const Caller& caller,
                                       const std::vector<JobSpec>& specs) {
  auto queues = check_names(staging.tables(), context.access, caller, specs);
  if (!queues) return queues;
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (auto may = require_for_new_job(context.access, specs[i].project, (*queues)[i]); !may)
      return std::unexpected(may.error());
  const auto jobs = count_jobs(specs);
  if (!jobs) return std::unexpected(jobs.error());
  if (auto room = check_room(staging, context, caller, *jobs); !room) return std::unexpected(room.error());
  if (auto memory = check_memory(staging, context, caller, specs); !memory) return std::unexpected(memory.error());
  return queues;
}

Result<CommandReply> replay(const Staging& staging, const CommandContext& context, const std::vector<JobId>& made) {
  CommandReply reply{.replayed = true};
  std::vector<JobId> ended;
  for (const auto id : made) {
    const auto it = staging.tables().jobs.find(id);
    if (it != staging.tables().jobs.end()) reply.jobs.push_back(staging.tables().jobs.shared(it));
    else ended.push_back(id);
  }
  if (!ended.empty()) {
    auto found = context.history.jobs(ended);
    if (!found) return std::unexpected(found.error());
    reply.jobs.insert(reply.jobs.end(), std::make_move_iterator(found->begin()), std::make_move_iterator(found->end()));
  }
  std::ranges::sort(reply.jobs, {}, [](const Job& job) { return job.id; });  // in the order of the first reply
  // Rights that the owner has lost since then hide its jobs.
  for (const Job& job : reply.jobs)
    if (sight_of(context.access, target_of(job), job.owner) == Visibility::hidden)
      return std::unexpected(no_such_job(job.id));
  return reply;
}

// The jobs of an earlier request with this key. Nothing: there was none.
Result<std::optional<CommandReply>> earlier(const Staging& staging, const CommandContext& context, const Caller& caller,
                                            const std::optional<std::string>& key, const std::string& request_hash) {
  if (!key) return std::nullopt;
  const auto before = staging.state().idempotency.find(caller.principal, *key, request_hash);
  if (!before) return std::nullopt;
  if (!before->same_request)
    return fail(ErrorCode::conflict, "this Idempotency-Key was used for another request; use a new key for new jobs");
  auto reply = replay(staging, context, before->jobs);
  if (!reply) return std::unexpected(reply.error());
  // The caller may have lost its rights since.
  for (const Job& job : reply->jobs)
    if (sight_of(context.access, target_of(job), job.owner) == Visibility::hidden)
      return std::unexpected(no_such_job(job.id));
  return std::move(*reply);
}

void remember(Staging& staging, const Caller& caller, const std::optional<std::string>& key,
              const std::string& request_hash, const std::vector<Shared<Job>>& jobs) {
  if (!key) return;
  IdempotencyRecord record{
      .principal = caller.principal, .key = *key, .request_hash = request_hash, .at = staging.now()};
  for (const Job& job : jobs) record.jobs.push_back(job.id);
  staging.remember(std::move(record));
}

Job make_job(const Staging& staging, const CommandContext& context, const Caller& caller,
             std::shared_ptr<const JobSpec> spec) {
  Job job{.spec = std::move(spec)};
  job.name = job.spec->name;
  job.project = job.spec->project;
  job.owner = caller.principal;
  job.queue = job.spec->queue;
  job.priority = job.spec->priority;
  job.pending = ReasonCode::pending_evaluation;
  job.submitted_at = staging.now();
  job.predicted = context.run_times.predict(job);
  return job;
}

// The jobs of one spec in this queue: one, or the members of an array.
std::vector<Job> make_jobs(const Staging& staging, const CommandContext& context, const Caller& caller,
                           const JobSpec& spec, std::string queue) {
  const auto shared = std::make_shared<JobSpec>(spec);
  shared->queue = std::move(queue);
  const std::int32_t count = spec.array.value_or(1);
  std::uint64_t next = staging.tables().last_id + 1;
  std::optional<GroupId> group;
  if (spec.array) group = GroupId{next++};
  const SpecId spec_id{next};
  const Job model = make_job(staging, context, caller, shared);
  std::vector<Job> jobs;
  jobs.reserve(static_cast<std::size_t>(count));
  for (std::int32_t index = 0; index < count; ++index) {
    Job job = model;
    job.id = JobId{next++};
    job.spec_id = spec_id;
    job.group = group;
    if (spec.array) {
      job.group_index = index;
      job.name = fmt::format("{}-{}", spec.name, index);
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace

Result<CommandReply> stage_submit(Staging& staging, const CommandContext& context, const Caller& caller,
                                  const SubmitJobs& command) {
  if (!command.dry_run) {
    auto before = earlier(staging, context, caller, command.idempotency_key, command.request_hash);
    if (!before) return std::unexpected(before.error());
    if (*before) return std::move(**before);
  }
  auto queues = check(staging, context, caller, command.specs);
  if (!queues) return std::unexpected(queues.error());
  auto warnings = look_ahead(staging, command.specs, *queues);
  if (!warnings) return std::unexpected(warnings.error());
  if (command.dry_run) return CommandReply{.queues = std::move(*queues), .warnings = std::move(*warnings)};
  CommandReply reply{.warnings = std::move(*warnings)};
  for (std::size_t i = 0; i < command.specs.size(); ++i) {
    for (auto& job : make_jobs(staging, context, caller, command.specs[i], std::move((*queues)[i]))) {
      const JobId id = job.id;
      staging.add(caller.principal, JobSubmitted{std::move(job)});
      reply.jobs.push_back(staging.tables().jobs.shared(id));
    }
  }
  remember(staging, caller, command.idempotency_key, command.request_hash, reply.jobs);
  return reply;
}

Result<CommandReply> stage_retry(Staging& staging, const CommandContext& context, const Caller& caller, const Job& job,
                                 const RetryJob& command) {
  auto before = earlier(staging, context, caller, command.idempotency_key, command.request_hash);
  if (!before) return std::unexpected(before.error());
  if (*before) return std::move(**before);
  if (auto may = require_for_new_job(context.access, job.project, job.queue); !may) return std::unexpected(may.error());
  if (auto problem = queue_problem(staging.tables(), job.queue, seen_queues(context.access)))
    return fail(ErrorCode::conflict, std::move(*problem));
  if (const auto room = check_room(staging, context, caller, 1); !room) return std::unexpected(room.error());
  if (const auto memory = check_memory(staging, context, caller, {*job.spec}); !memory)
    return std::unexpected(memory.error());
  Job again = make_job(staging, context, caller, job.spec);
  again.id = JobId{staging.tables().last_id + 1};
  again.spec_id = SpecId{again.id.value};  // its own: the user that retries is charged for it
  again.name = job.name;
  again.group = job.group;
  again.group_index = job.group_index;
  const JobId id = again.id;
  staging.add(caller.principal, JobSubmitted{std::move(again)}, fmt::format("retry of {}", to_string(job.id)));
  CommandReply reply{.jobs = {staging.tables().jobs.shared(id)}};
  remember(staging, caller, command.idempotency_key, command.request_hash, reply.jobs);
  return reply;
}

}  // namespace ym
