#include "control/submit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ym {
namespace {

bool has_children(const Tables& tables, const std::string& queue) {
  return std::ranges::any_of(tables.queues, [&](const auto& entry) { return entry.second.parent == queue; });
}

std::string known_queues(const Tables& tables) {
  std::string names;
  for (const auto& [name, queue] : tables.queues) {
    if (!queue.accepts_jobs || has_children(tables, name)) continue;
    if (names.size() > 200) return names + ", ...";
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

// What is wrong with the queue a job names, if anything.
std::optional<std::string> queue_problem(const Tables& tables, const std::string& name) {
  const auto it = tables.queues.find(name);
  if (it == tables.queues.end()) {
    return fmt::format("there is no queue '{}'; there are: {}", name, known_queues(tables));
  }
  if (!it->second.accepts_jobs) return fmt::format("queue '{}' is being removed and takes no new jobs", name);
  if (has_children(tables, name)) {
    return fmt::format("queue '{}' is a cohort; submit to one of its children: {}", name, known_queues(tables));
  }
  return std::nullopt;
}

Result<void> check(const Tables& tables, const std::vector<JobSpec>& specs) {
  std::vector<FieldError> errors;
  std::size_t jobs = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    jobs += static_cast<std::size_t>(specs[i].array.value_or(1));
    if (auto problem = queue_problem(tables, specs[i].queue)) {
      const std::string prefix = specs.size() > 1 ? fmt::format("/{}", i) : "";
      errors.push_back({prefix + "/queue", std::move(*problem)});
    }
  }
  if (!errors.empty()) {
    std::string message = errors.front().message;
    return std::unexpected(
        Error{.code = ErrorCode::invalid, .message = std::move(message), .fields = std::move(errors)});
  }
  if (tables.jobs.size() + jobs > kMaxLiveJobs) {
    return fail(ErrorCode::rate_limited, fmt::format("{} jobs wait or run already; the most is {}: submit again when "
                                                     "some of them have ended",
                                                     tables.jobs.size(), kMaxLiveJobs));
  }
  return {};
}

Result<CommandReply> replay(const Staging& staging, const CommandContext& context, const IdempotencyRecord& record) {
  CommandReply reply{.replayed = true};
  for (const auto id : record.jobs) {
    if (const auto it = staging.tables().jobs.find(id); it != staging.tables().jobs.end()) {
      reply.jobs.push_back(it->second);
      continue;
    }
    auto ended = context.history.job(id);
    if (!ended) return std::unexpected(ended.error());
    if (*ended) reply.jobs.push_back(std::move(**ended));
  }
  return reply;
}

// The jobs of one spec: one, or the members of an array.
std::vector<Job> make_jobs(const Staging& staging, const CommandContext& context, const Caller& caller,
                           const JobSpec& spec) {
  const auto shared = std::make_shared<const JobSpec>(spec);
  const std::int32_t count = spec.array.value_or(1);
  std::uint64_t next = staging.tables().last_id + 1;
  std::optional<GroupId> group;
  if (spec.array) group = GroupId{next++};
  const SpecId spec_id{next};
  std::vector<Job> jobs;
  jobs.reserve(static_cast<std::size_t>(count));
  for (std::int32_t index = 0; index < count; ++index) {
    Job job{.id = JobId{next++}, .spec_id = spec_id, .spec = shared, .group = group};
    if (spec.array) job.group_index = index;
    job.name = spec.array ? fmt::format("{}-{}", spec.name, index) : spec.name;
    job.project = spec.project;
    job.owner = caller.principal;
    job.run_as = context.run_as;
    job.queue = spec.queue;
    job.priority = spec.priority;
    job.pending = ReasonCode::pending_evaluation;
    job.submitted_at = staging.now();
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace

Result<CommandReply> stage_submit(Staging& staging, const CommandContext& context, const Caller& caller,
                                  const SubmitJobs& command) {
  if (command.idempotency_key) {
    const auto it = staging.world().idempotency.find({caller.principal, *command.idempotency_key});
    if (it != staging.world().idempotency.end()) {
      if (it->second.request_hash == command.request_hash) return replay(staging, context, it->second);
      return fail(ErrorCode::conflict, "this Idempotency-Key was used for another request; use a new key for new jobs");
    }
  }
  if (const auto checked = check(staging.tables(), command.specs); !checked) return std::unexpected(checked.error());
  CommandReply reply;
  for (const auto& spec : command.specs) {
    for (auto& job : make_jobs(staging, context, caller, spec)) {
      reply.jobs.push_back(job);
      staging.add(caller.principal, JobSubmitted{std::move(job)});
    }
  }
  if (command.idempotency_key) {
    IdempotencyRecord record{.principal = caller.principal,
                             .key = *command.idempotency_key,
                             .request_hash = command.request_hash,
                             .at = staging.now()};
    for (const auto& job : reply.jobs) record.jobs.push_back(job.id);
    staging.remember(std::move(record));
  }
  return reply;
}

}  // namespace ym
