#include "executor/launcher/launcher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "executor/launcher/torchrun.h"
#include "model/own_torchrun.h"

namespace ym {
namespace {

void add_all(Environment& env, const Environment& more) {
  for (const auto& [name, value] : more) env[name] = value;
}

std::vector<std::string> addresses(const LaunchContext& context) {
  std::vector<std::string> list;
  for (const auto& site : context.sites) list.push_back(site.address);
  return list;
}

// "90", "0.25"
std::string seconds_text(Duration d) { return fmt::format("{}", static_cast<double>(d.ms) / 1000); }

// Share of a device for the task: the program must keep to it, and NVIDIA's Multi-Process Service enforces it if it
// runs.
Environment share_env(const TaskResources& resources) {
  if (!resources.shares_gpu()) return {};
  constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
  const auto mebibytes = resources.gpu_memory_bytes / kMebibyte + (resources.gpu_memory_bytes % kMebibyte > 0 ? 1 : 0);
  return {{"YM_GPU_SHARE", format_thousandths(resources.gpus)},
          {"YM_GPU_MEMORY", std::to_string(resources.gpu_memory_bytes)},
          {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", format_thousandths(resources.gpus * 100)},
          {"CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", fmt::format("0={}M", mebibytes)}};
}

Environment our_env(const LaunchContext& context) {
  Environment env{{"YM_JOB_ID", to_string(context.token.job)},
                  {"YM_JOB_NAME", context.job_name},
                  {"YM_ATTEMPT", std::to_string(context.token.attempt)},
                  {"YM_NODES", std::to_string(context.sites.size())},
                  {"YM_NODE_IPS", fmt::format("{}", fmt::join(addresses(context), ","))},
                  {"YM_GPUS_PER_NODE", std::to_string(context.spec.resources.devices())},
                  {"YM_LAUNCH_TOKEN", to_string(context.token)}};
  if (context.resumes_from) {
    env["YM_RESUME_FROM"] = context.resumes_from->uri;
    env["YM_RESUME_STEP"] = std::to_string(context.resumes_from->step);
  }
  const auto& checkpoint = *context.spec.checkpoint;
  if (!checkpoint.dir.empty()) env["YM_CHECKPOINT_DIR"] = checkpoint.dir;
  if (checkpoint.every) env["YM_CHECKPOINT_EVERY"] = seconds_text(*checkpoint.every);
  add_all(env, share_env(context.spec.resources));
  add_all(env, context.executor_env);
  if (context.group_index) env["YM_ARRAY_INDEX"] = std::to_string(*context.group_index);
  add_all(env, context.gang_env);
  return env;
}

Environment our_task_env(const LaunchContext& context, std::size_t task) {
  Environment env{{"YM_NODE_RANK", std::to_string(task)},
                  {"CUDA_VISIBLE_DEVICES", fmt::format("{}", fmt::join(context.sites[task].devices, ","))}};
  add_all(env, context.sites[task].executor_env);
  return env;
}

// For a program that starts torchrun itself, or uses env://. Without the address at which several nodes meet: a
// torchrun without settings runs on its own node only.
Environment meeting_defaults(const LaunchContext& context) {
  const auto port = std::to_string(context.port);
  return {{"MASTER_ADDR", context.sites.front().address}, {"MASTER_PORT", port}, {"PET_MASTER_PORT", port}};
}

std::vector<std::string> plain_argv(const Program& program) {
  if (program.form == Program::Form::argv) return program.words;
  return {"/bin/sh", "-c", program.words.front()};
}

}  // namespace

bool needs_port(Launcher launcher) { return launcher == Launcher::torchrun; }

bool may_use_port(const JobSpec& spec) {
  return needs_port(spec.launcher) || spec.resources.gpus > 0 ||
         (!spec.run.words.empty() && own_torchrun(spec.run).has_value());
}

Result<LaunchCommand> make_launch_command(const LaunchContext& context) {
  const auto& spec = context.spec;
  if (spec.run.words.empty()) return fail_field("/run", "is empty; give a program or a command line");
  const auto tasks = std::ranges::ssize(context.sites);
  if (tasks < std::max(spec.smallest(), 1) || tasks > spec.nodes)
    return fail(ErrorCode::invalid, "the placement does not have as many tasks as the job has nodes");
  const bool torchrun = spec.launcher == Launcher::torchrun;
  LaunchCommand command;
  command.env = context.base_env;
  // NVML and nvidia-smi number devices in this order, and so does Yardmaster.
  command.env["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID";
  if (torchrun) add_all(command.env, torchrun_defaults(context));
  else if (context.port != 0) add_all(command.env, meeting_defaults(context));
  add_all(command.env, spec.env);
  add_all(command.env, our_env(context));
  if (torchrun) add_all(command.env, torchrun_env(context));
  for (std::size_t task = 0; task < context.sites.size(); ++task) {
    command.task_env.push_back(our_task_env(context, task));
    if (torchrun) add_all(command.task_env.back(), torchrun_task_env(context, task));
  }
  command.argv = torchrun ? torchrun_argv(spec.run, command.env) : plain_argv(spec.run);
  return command;
}

}  // namespace ym
