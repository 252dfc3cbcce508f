#include "sim/workload/job_of_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ym::sim {
namespace {

constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
constexpr std::int64_t kMostNodes = 100'000;

std::vector<std::string> types_of(std::string_view written) {
  std::vector<std::string> types;
  while (!written.empty()) {
    const auto end = std::min(written.find('|'), written.size());
    std::string type(written.substr(0, end));
    std::erase(type, ' ');
    std::ranges::transform(type, type.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!type.empty()) types.push_back(std::move(type));
    written.remove_prefix(std::min(end + 1, written.size()));
  }
  return types;
}

std::int64_t rounded_up(std::int64_t all, std::int64_t of) { return (all + of - 1) / of; }

TaskResources resources_of(const TraceJob& job, std::int64_t nodes) {
  TaskResources resources;
  resources.gpus = job.gpus == 1 ? job.gpu_milli : rounded_up(job.gpus, nodes) * 1000;
  auto types = types_of(job.gpu_types);
  if (!types.empty()) resources.gpu_type = std::move(types.front());
  if (!types.empty()) resources.other_gpu_types.assign(types.begin() + 1, types.end());
  resources.cpus = rounded_up(job.cpu_milli, nodes);
  resources.memory_bytes = rounded_up(job.memory_mib, nodes) * kMebibyte;
  return resources;
}

std::string in_ms(Duration duration) { return fmt::format("{}ms", duration.ms); }

// Behaviour for a simulated executor, which runs no program.
void set_behaviour(JobSpec& spec, const TraceJob& job, const JobRules& rules) {
  spec.run = {.form = Program::Form::argv, .words = {"simulated"}};
  spec.env = {{"SIMULATED_RUN_TIME", in_ms(job.run_time)}};
  for (auto& group : spec.groups) {
    group.run = spec.run;
    group.env.clear();
  }
  if (rules.start_time.ms > 0) spec.env["SIMULATED_START_TIME"] = in_ms(rules.start_time);
  if (rules.checkpoints)
    spec.env["SIMULATED_CHECKPOINTS"] = rules.checkpoints->ms > 0 ? in_ms(*rules.checkpoints) : "stop";
  if (job.fails) spec.env["SIMULATED_EXIT_CODE"] = "1";
}

// The recorded run time includes failures and retries.
JobSpec as_recorded(const TraceJob& job, const JobRules& rules) {
  JobSpec spec = *job.spec;
  if (!rules.queues.contains(spec.queue)) spec.queue.clear();
  spec.retry.error_max = 0;
  set_behaviour(spec, job, rules);
  return spec;
}

}  // namespace

Result<JobSpec> job_of_trace(const TraceJob& job, const JobRules& rules) {
  if (job.spec) return as_recorded(job, rules);
  const auto nodes =
      std::max<std::int64_t>({1, job.nodes, rounded_up(job.gpus, rules.gpus_per_node) * (job.nodes == 0)});
  if (nodes > kMostNodes)
    return fail(ErrorCode::invalid, fmt::format("line {}: {} GPUs need {} nodes; a job has at most {}", job.line,
                                                job.gpus, nodes, kMostNodes));
  JobSpec spec{.name = "job",
               .queue = rules.queues.contains(job.queue) ? job.queue : "",
               .workdir = "/",
               .nodes = static_cast<std::int32_t>(nodes),
               .resources = resources_of(job, nodes),
               .priority = job.priority.value_or(50),
               .time_limit = job.time_limit,
               .stop = {.grace = rules.grace, .preemptible = rules.preemptible}};
  if (job.deadline) spec.deadline = job.submit_at + *job.deadline;
  set_behaviour(spec, job, rules);
  return spec;
}

}  // namespace ym::sim
