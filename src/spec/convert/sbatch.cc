#include "spec/convert/sbatch.h"

#include <algorithm>

#include "model/resources.h"
#include "spec/convert/document.h"
#include "spec/convert/sbatch_options.h"
#include "spec/convert/script_body.h"
#include "spec/documents.h"

namespace ym::convert {
namespace {

// A task of Slurm's is a process, here it is a node: what the tasks of a node ask for is what the node does.
void divide(Asked& asked) {
  auto& part = asked.part;
  const auto nodes = std::max<std::int64_t>(part.nodes, 1);
  const auto up = [&](std::int64_t all) { return (all + nodes - 1) / nodes; };
  const auto per_node = asked.tasks_per_node > 0 ? asked.tasks_per_node : std::max<std::int64_t>(up(asked.tasks), 1);
  asked.tasks_per_node = per_node;
  if (asked.cpus_per_task > 0 || per_node > 1)
    part.amounts.cpus = std::max<std::int64_t>(asked.cpus_per_task, 1) * per_node * kMilli;
  if (asked.gpus_per_node > 0) part.amounts.gpus = asked.gpus_per_node;
  else if (asked.gpus_per_task > 0) part.amounts.gpus = asked.gpus_per_task * per_node;
  else part.amounts.gpus = up(asked.gpus);
  const auto cpus = part.amounts.cpus ? *part.amounts.cpus / kMilli : per_node;
  if (part.amounts.memory == 0)
    part.amounts.memory = std::max(asked.memory_per_cpu * cpus, asked.memory_per_gpu * part.amounts.gpus);
}

}  // namespace

Result<Conversion> convert_script(std::string_view text, std::string_view name) {
  const auto script = read_script(text);
  const Value body{.kind = Value::Kind::string, .text = script.body, .line = script.body_line};
  Reading reading{.asked = {.draft = {}, .part = {.at = {&body, "script", nullptr}}}, .remarks = {}, .problems = {}};
  reading.asked.part.at.problems = &reading.problems;
  for (const auto& option : script.options) take(reading, option);
  if (reading.asked.draft.name.empty() && spec::is_name(name)) reading.asked.draft.name = name;
  divide(reading.asked);
  if (reading.asked.nodes == 0 && std::max(reading.asked.tasks, reading.asked.gpus) > 1)
    reading.remarks.note(reading.asked.part.at,
                         "does not say how many nodes; one is written, with all that is asked for");
  take_body(script, reading.asked.tasks_per_node, reading.asked.part, reading.remarks);
  if (!reading.problems.empty()) return std::unexpected(reading.problems.error());
  reading.asked.draft.parts.push_back(reading.asked.part);
  auto job = document_of(reading.asked.draft, reading.remarks);
  const auto parsed = parse_job_yaml(to_yaml({job}), {.workdir = "/"});
  if (!parsed) return fail(ErrorCode::invalid, "cannot be said in a job file: " + parsed.error().message);
  return Conversion{.jobs = {std::move(job)}, .remarks = reading.remarks.take()};
}

}  // namespace ym::convert
