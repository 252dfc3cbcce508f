#include "executor/slurm/jobs/script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ym::slurm {
namespace {

std::string line_of(std::string_view name, std::string_view value) {
  return fmt::format("export {}={}\n", name, quoted(value));
}

std::string exports(const Part& part, const AgentContact& contact) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) { text += line_of(name, value); };
  add("YM_TASK_URL", contact.task_url);
  add("YM_TASK_TOKEN", contact.token.reveal());
  add("YM_LAUNCH_TOKEN", to_string(contact.launch));
  add("YM_TASK_BASE", std::to_string(part.first_task));
  add("YM_TASK_GPUS_PER_TASK", std::to_string(part.gpus));
  if (contact.kill_wait.ms > 0) add("YM_TASK_GRACE", to_string(contact.kill_wait));
  if (!contact.ca_file.empty()) add("YM_TASK_CA_FILE", contact.ca_file);
  return text;
}

// Usually the server has created the folder, which saves starting a program. The files exist before user code starts,
// because it may set its own umask.
std::string make_logs(const Part& part, const std::string& log_dir, const AttemptKey& attempt) {
  const auto [outer, inner] = log_folders(log_dir, attempt);
  return fmt::format(
      "[ -d {1} ] || mkdir -p -m 0700 -- {0} {1} || exit {2}\n"
      "(umask 077; task=0; while [ $task -lt {3} ]; do true >>{4}$task.log || exit 1; task=$((task+1)); done) || exit "
      "{2}\n",
      quoted(outer), quoted(inner), kNoLogFolder, part.tasks(), quoted(fmt::format("{}/{}+", inner, part.first_task)));
}

// Log file of a part with one task.
std::string log_file(const Part& part, const std::string& logs) {
  return fmt::format("{}/{}+0.log", logs, part.first_task);
}

std::string run_alone(const Part& part, const std::string& logs, const std::string& agent) {
  if (logs.empty()) return fmt::format("exec {} </dev/null >/dev/null 2>&1\n", quoted(agent));
  return fmt::format("exec {} </dev/null >>{} 2>&1\n", quoted(agent), quoted(log_file(part, logs)));
}

// Saves starting a shell: the agent itself is the interpreter of the script and reads its settings. Only for an agent
// with the standard name, since another may not read them. The kernel cuts the first line at blanks and at 127 bytes.
bool reads_scripts(const std::string& agent) {
  const auto name = agent.substr(agent.rfind('/') + 1);
  return name == "ym-task" && agent.starts_with('/') && agent.size() <= 120 &&
         agent.find_first_of(" \t\n") == std::string::npos;
}

// Names the nodes again, in task order: Slurm sorts the nodes of a job, and ranks follow the order of the step.
std::string run_step(const Part& part, const std::string& logs, const std::string& agent, bool placed) {
  auto words = fmt::format(
      "--export=ALL --nodes={} --ntasks={} --cpus-per-task={} --input=none --open-mode=append "
      "--kill-on-bad-exit=0 --wait=0 --mpi=none --quiet",
      part.nodes.size(), part.tasks(), part.cpus);
  if (placed) {
    std::vector<std::string> by_task;
    for (const auto& node : part.nodes)
      by_task.insert(by_task.end(), static_cast<std::size_t>(part.tasks_per_node), node);
    words += fmt::format(" --distribution=arbitrary --nodelist={}", fmt::join(by_task, ","));
  } else {
    words += fmt::format(" --distribution=block --ntasks-per-node={}", part.tasks_per_node);
  }
  words += logs.empty() ? " --output=none" : " --output=" + quoted(fmt::format("{}/{}+%t.log", logs, part.first_task));
  return fmt::format("exec srun {} {}\n", words, quoted(agent));
}

}  // namespace

std::string quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word)
    if (c == '\'') text += "'\\''";
    else text += c;
  return text + "'";
}

std::string log_folder(const std::string& log_dir, const AttemptKey& attempt) {
  return log_folders(log_dir, attempt).back();
}

std::array<std::string, 2> log_folders(const std::string& log_dir, const AttemptKey& attempt) {
  const auto outer = fmt::format("{}/{}", log_dir, to_string(attempt.job));
  return {outer, fmt::format("{}/{}", outer, attempt.number)};
}

std::string make_script(const Part& part, const AgentContact& contact, const SlurmOptions& options, bool step,
                        bool placed) {
  const auto logs = options.log_dir.empty() ? "" : log_folder(options.log_dir, contact.launch.key());
  const auto settings = exports(part, contact);
  const bool alone = part.tasks() == 1 && !step;
  if (alone && reads_scripts(options.wrapper)) {
    const auto log = logs.empty() ? "/dev/null" : log_file(part, logs);
    return "#!" + options.wrapper + "\n" + settings + line_of("YM_TASK_OUTPUT", log);
  }
  auto text = "#!/bin/sh\n" + settings;
  if (!logs.empty()) text += make_logs(part, options.log_dir, contact.launch.key());
  return text + (alone ? run_alone(part, logs, options.wrapper) : run_step(part, logs, options.wrapper, placed));
}

}  // namespace ym::slurm
