#include "spec/convert/sbatch/sbatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/resources.h"
#include "spec/convert/document.h"
#include "spec/convert/sbatch/sbatch_options.h"
#include "spec/convert/sbatch/script_body.h"
#include "spec/documents.h"

namespace ym::convert {
namespace {

// A task of Slurm is a process; here a task is a node. The requests of a node's processes are added up.
void divide(Asked& asked) {
  auto& part = asked.part;
  const auto nodes = std::max<std::int64_t>(part.nodes, 1);
  const auto up = [&](std::int64_t all) { return (all + nodes - 1) / nodes; };
  const auto per_node = asked.tasks_per_node > 0 ? asked.tasks_per_node : std::max<std::int64_t>(up(asked.tasks), 1);
  asked.tasks_per_node = per_node;
  if (asked.gpus_per_node > 0) part.amounts.gpus = asked.gpus_per_node;
  else if (asked.gpus_per_task > 0) part.amounts.gpus = asked.gpus_per_task * per_node;
  else part.amounts.gpus = up(asked.gpus);
  if (asked.cpus_per_task > 0 || per_node > 1)
    part.amounts.cpus = std::max<std::int64_t>(asked.cpus_per_task, 1) * per_node * kMilli;
  else if (asked.cpus_per_gpu > 0 && part.amounts.gpus > 0)
    part.amounts.cpus = asked.cpus_per_gpu * part.amounts.gpus * kMilli;
  const auto cpus = part.amounts.cpus ? *part.amounts.cpus / kMilli : per_node;
  if (part.amounts.memory == 0)
    part.amounts.memory = std::max(asked.memory_per_cpu * cpus, asked.memory_per_gpu * part.amounts.gpus);
}

// Removes the line ends of DOS. sbatch refuses such scripts, and a shell would read the \r as a part of the last
// word.
std::string without_dos_ends(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || (i + 1 < text.size() && text[i + 1] != '\n')) plain += text[i];
  return plain;
}

// Options after "hetjob" belong to another part of the job.
void take_options(const Script& script, Reading& reading) {
  for (const auto& option : script.options) {
    if (option.name.empty() && (option.value == "hetjob" || option.value == "packjob")) {
      const Value value{.kind = Value::Kind::string, .text = option.value, .line = option.line};
      return reading.remarks.warn({&value, "#SBATCH", &reading.problems},
                                  "begins another part of the job, which is left out with its options; "
                                  "write groups");
    }
    take(reading, option);
  }
}

// Slurm ignores such lines too, but the user may have meant an option.
void remark_on_unread(const Script& script, Reading& reading) {
  for (const auto& option : script.unread) {
    const Value value{.kind = Value::Kind::string, .text = option.value, .line = option.line};
    const Field field{&value, pointer_of(option), &reading.problems};
    if (script.command_line > 0 && option.line > script.command_line)
      reading.remarks.warn(field, fmt::format("is left out: it is below the first command (line {}), and sbatch does "
                                              "not look there; to use it, move it above",
                                              script.command_line));
    else
      reading.remarks.note(field, "is left out: it is a comment to sbatch, which needs #SBATCH at the start of a line");
  }
}

BodyOptions body_options_of(const Asked& asked) {
  BodyOptions options{.tasks_per_node = asked.tasks_per_node, .array = asked.array};
  const auto add = [&](const char* name, std::int64_t number) {
    if (number > 0) options.numbers.emplace_back(name, std::to_string(number));
  };
  add("SLURM_CPUS_PER_TASK", asked.cpus_per_task);
  add("SLURM_NTASKS_PER_NODE", asked.tasks_per_node);
  add("SLURM_CPUS_ON_NODE", asked.part.amounts.cpus.value_or(0) / kMilli);
  // With one process on each node, the number of processes follows the number of nodes, which the user may change.
  const auto tasks = asked.tasks > 0 ? asked.tasks : asked.tasks_per_node * asked.part.nodes;
  if (asked.draft.min_nodes == 0 && tasks != asked.part.nodes)
    for (const auto* name : {"SLURM_NTASKS", "SLURM_NPROCS"}) add(name, tasks);
  return options;
}

// A script has no JSON pointers, so the messages name the options.
Error of_script(Error error) {
  for (auto& [pointer, message] : error.fields) message = std::exchange(pointer, {}) + ": " + message;
  return error;
}

}  // namespace

Result<Conversion> convert_script(std::string_view text, std::string_view name) {
  const auto plain = without_dos_ends(text);
  const auto script = read_script(plain);
  const Value body{.kind = Value::Kind::string,
                   .text = script.body,
                   .line = script.command_line > 0 ? script.command_line : script.body_line};
  Reading reading{.asked = {.draft = {}, .part = {.at = {&body, "script", nullptr}}}, .remarks = {}, .problems = {}};
  auto& [asked, remarks, problems] = reading;
  asked.part.at.problems = &problems;
  if (plain.size() != text.size())
    remarks.note(asked.part.at, "has the line ends of DOS, which sbatch refuses; they are removed");
  take_options(script, reading);
  remark_on_unread(script, reading);
  if (asked.draft.name.empty()) asked.draft.name = name_like(name);
  divide(asked);
  if (asked.nodes == 0 && std::max(asked.tasks, asked.gpus) > 1)
    remarks.note(asked.part.at, "does not set the number of nodes; one node is written, with all of the request");
  take_body(script, body_options_of(asked), asked.part, remarks);
  if (!problems.empty()) return std::unexpected(of_script(problems.error()));
  asked.draft.parts.push_back(asked.part);
  auto job = document_of(asked.draft, remarks);
  const auto parsed = parse_job_yaml(to_yaml({job}), {.workdir = "/"});
  if (!parsed) return fail(ErrorCode::invalid, "cannot be written as a job file: " + parsed.error().message);
  return Conversion{.jobs = {std::move(job)}, .remarks = remarks.take()};
}

}  // namespace ym::convert
