#include "executor/remote/agent/task_config.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/whole_number.h"
#include "executor/remote/agent/memory_folder.h"
#include "executor/remote/agent/own_output.h"

namespace ym::remote {

std::string text_of(const Environment& env, const std::string& name) {
  const auto it = env.find(name);
  return it == env.end() ? std::string() : it->second;
}

namespace {

// The value of the first variable that is set.
std::string first_of(const Environment& env, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (auto text = text_of(env, name); !text.empty()) return text;
  return {};
}

std::unexpected<Error> wrong(std::string_view name, std::string_view why) {
  return fail(ErrorCode::invalid, std::string(name).append(" ").append(why));
}

Result<std::int32_t> task_number(const Environment& env) {
  const auto number = [&env](const char* name) { return whole_number<std::int32_t>(text_of(env, name)); };
  std::optional<std::int32_t> task;
  if (!text_of(env, "YM_TASK_RANK").empty()) task = number("YM_TASK_RANK");
  else if (const auto rank = number("SLURM_PROCID"))
    task = *rank + std::clamp(number("YM_TASK_BASE").value_or(0), 0, 100'000);
  else task = number("JOB_COMPLETION_INDEX");
  if (!task || *task < 0)
    return wrong("YM_TASK_RANK", "is not a number from 0, and no other variable says which task this is");
  return *task;
}

Result<void> read_url(const Environment& env, TaskConfig& config) {
  const auto url = text_of(env, "YM_TASK_URL");
  const auto scheme = url.find("://");
  const auto path = scheme == std::string::npos ? scheme : url.find('/', scheme + 3);
  if (path == std::string::npos || !url.starts_with("http")) return wrong("YM_TASK_URL", "is not a URL with a path");
  config.origin = url.substr(0, path);
  config.target = url.substr(path);
  while (config.target.ends_with('/')) config.target.pop_back();
  config.target += "/" + std::to_string(config.task);
  return {};
}

Result<void> read_time(const Environment& env, const char* name, Duration& out) {
  const auto text = text_of(env, name);
  if (text.empty()) return {};
  const auto time = parse_duration(text);
  if (!time) return wrong(name, "is not a duration such as 30s");
  out = *time;
  return {};
}

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Splits GPUs that several tasks of a node share. Otherwise the cluster has given each task its own.
void give_gpus(Environment& user_env, const Environment& env) {
  const auto count = whole_number<std::int32_t>(text_of(env, "YM_TASK_GPUS_PER_TASK"));
  const auto local = whole_number<std::int32_t>(text_of(env, "SLURM_LOCALID"));
  const auto gpus = first_of(env, {"CUDA_VISIBLE_DEVICES", "SLURM_STEP_GPUS", "SLURM_JOB_GPUS"});
  if (count && *count > 0 && local && *local >= 0 && !gpus.empty())
    user_env["CUDA_VISIBLE_DEVICES"] = part_of(gpus, *count, *local);
}

Environment user_environment(const Environment& env) {
  Environment user = env;
  std::erase_if(user, [](const auto& entry) { return entry.first.starts_with("YM_TASK_"); });
  user.try_emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  give_gpus(user, env);
  return user;
}

}  // namespace

Environment own_environment() {
  Environment env;
  for (char** entry = ::environ; entry && *entry; ++entry) {
    const std::string_view pair = *entry;
    const auto equals = pair.find('=', 1);
    if (equals != std::string_view::npos) env.emplace(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return env;
}

std::string part_of(const std::string& gpus, std::int64_t count, std::int64_t local) {
  std::vector<std::string> all;
  std::istringstream list(gpus);
  for (std::string id; std::getline(list, id, ',');) all.push_back(id);
  if (std::cmp_less_equal(all.size(), count)) return gpus;
  std::string part;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = local * count + i;
    if (std::cmp_less(at, all.size())) part += (part.empty() ? "" : ",") + all[static_cast<std::size_t>(at)];
  }
  return part;
}

Result<TaskConfig> read_config(Environment env) {
  TaskConfig config;
  const auto token = parse_token(text_of(env, "YM_LAUNCH_TOKEN"));
  if (!token) return wrong("YM_LAUNCH_TOKEN", "is not a launch token");
  config.token = *token;
  const auto task = task_number(env);
  if (!task) return std::unexpected(task.error());
  config.task = *task;
  if (auto good = read_url(env, config); !good) return std::unexpected(good.error());
  if (auto good = read_time(env, "YM_TASK_GRACE", config.grace); !good) return std::unexpected(good.error());
  if (auto good = read_time(env, "YM_TASK_LINGER", config.linger); !good) return std::unexpected(good.error());
  config.bearer = Secret{text_of(env, "YM_TASK_TOKEN")};
  config.bearer_file = text_of(env, "YM_TASK_TOKEN_FILE");
  config.ca_file = text_of(env, "YM_TASK_CA_FILE");
  config.address = text_of(env, "YM_TASK_ADDRESS");
  config.node = first_of(env, {"YM_TASK_NODE", "SLURMD_NODENAME"});
  if (config.node.empty()) config.node = host_name();
  config.folder = text_of(env, "YM_TASK_DIR");
  config.temp_folder = first_of(env, {"TMPDIR"});
  if (config.temp_folder.empty()) config.temp_folder = "/tmp";
  if (config.folder.empty()) config.memory_folder = own_memory_folder();
  config.log = output_on_this_machine(env);
  config.user_env = user_environment(env);
  return config;
}

}  // namespace ym::remote
