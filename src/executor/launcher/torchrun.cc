#include "executor/launcher/torchrun.h"

#include <algorithm>

#include "executor/launcher/words.h"

namespace ym {
namespace {

bool on_loopback(const TaskSite& site) { return site.address.starts_with("127.") || site.address == "::1"; }

// Rounded up: torchrun kills at once if the value is 0.
std::int64_t whole_seconds(Duration d) { return d.ms / 1000 + (d.ms % 1000 > 0 ? 1 : 0); }

// CUDA shows a process at most one slice.
std::int64_t workers(const JobSpec& spec) {
  return spec.resources.profile.empty() ? std::max<std::int64_t>(spec.resources.devices(), 1) : 1;
}

std::vector<std::string> program_words(const Program& program, const Environment& env) {
  if (program.form == Program::Form::argv) return program.words;
  const auto lookup = [&env](const std::string& name) {
    const auto it = env.find(name);
    return it == env.end() ? std::string() : it->second;
  };
  if (auto words = split_words(program.words.front(), lookup)) return std::move(*words);
  return {"/bin/sh", "-c", program.words.front()};
}

}  // namespace

Environment torchrun_defaults(const LaunchContext& context) {
  Environment env{{"OMP_NUM_THREADS", "1"},
                  {"PET_NPROC_PER_NODE", std::to_string(workers(context.spec))},
                  {"PET_MAX_RESTARTS", "0"},
                  // Older releases check only every 5 s. Then the agent of a failed worker often notices it later than
                  // other agents notice the loss of their peer. Newer releases use 0.1 s by default.
                  {"PET_MONITOR_INTERVAL", "0.1"},
                  // All values except these two fail in PyTorch 1.13 under Python 3.11. They copy each worker's
                  // standard error, with its rank as a prefix.
                  {"PET_REDIRECTS", "2"},
                  {"PET_TEE", "2"},
                  // Otherwise workers get 30 s to stop, whatever the grace. Only newer releases read this.
                  {"TORCH_ELASTIC_SHUTDOWN_TIMEOUT", std::to_string(whole_seconds(context.spec.stop.grace))}};
  // The host name may resolve to an address on which nothing listens.
  if (std::ranges::all_of(context.sites, on_loopback)) env["GLOO_SOCKET_IFNAME"] = "lo";
  return env;
}

Environment torchrun_env(const LaunchContext& context) {
  const auto& address = context.sites.front().address;
  const auto port = std::to_string(context.port);
  return {{"PET_NNODES", std::to_string(context.sites.size())},
          {"PET_RDZV_BACKEND", "static"},
          {"PET_RDZV_ENDPOINT", address + ":" + port},
          {"PET_RDZV_ID", to_string(context.token.job) + "." + std::to_string(context.token.attempt)},
          {"PET_MASTER_ADDR", address},
          {"PET_MASTER_PORT", port},
          {"MASTER_ADDR", address},
          {"MASTER_PORT", port}};
}

Environment torchrun_task_env(const LaunchContext&, std::size_t task) {
  return {{"PET_NODE_RANK", std::to_string(task)}};
}

std::vector<std::string> torchrun_argv(const Program& program, const Environment& env) {
  std::vector<std::string> argv{"python3", "-m", "torch.distributed.run"};
  const auto words = program_words(program, env);
  const auto& first = words.front();
  if (!first.ends_with(".py") && !first.starts_with("-")) argv.emplace_back("--no_python");
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

}  // namespace ym
