#include "executor/remote/agent/user_code.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/process.h"
#include "executor/remote/agent/memory_folder.h"

namespace ym::remote {
namespace {

constexpr std::string_view kLogEnding = ".log";

// Replaces the placeholders of node variables; true if there was one.
bool resolve(std::string& text, const Environment& env) {
  const auto mark = node_value("").front();
  bool any = false;
  for (auto begin = text.find(mark); begin != std::string::npos; begin = text.find(mark, begin)) {
    const auto end = text.find(mark, begin + 1);
    if (end == std::string::npos) break;
    const auto value = env.find(text.substr(begin + 1, end - begin - 1));
    const auto& known = value == env.end() ? std::string() : value->second;
    text.replace(begin, end - begin + 1, known);
    begin += known.size();
    any = true;
  }
  return any;
}

Environment user_env(const TaskLaunch& launch, const NodeSide& side) {
  Environment env = side.config.user_env;
  for (const auto& [name, value] : launch.env) env[name] = value;
  const auto user = side.folder.task_path() + "/" + local::kUserFolder + "/";
  env["YM_PROGRESS_FILE"] = user + local::kProgressFile;
  env["YM_NOTICE_FILE"] = user + local::kNoticeFile;
  if (side.has_token) env["YM_TOKEN_FILE"] = side.folder.token_path();
  if (!side.config.ca_file.empty()) env["YM_JOB_CA_FILE"] = side.config.ca_file;
  if (side.resumes_from) {
    env["YM_RESUME_FROM"] = side.resumes_from->uri;
    env["YM_RESUME_STEP"] = std::to_string(side.resumes_from->step);
  }
  for (const auto& [name, value] : launch.env)
    if (value.contains(node_value("").front())) resolve(env[name], env);
  return env;
}

std::vector<std::string> pairs(const Environment& env) {
  std::vector<std::string> list;
  for (const auto& [name, value] : env) list.push_back(std::string(name).append("=").append(value));
  return list;
}

std::vector<std::string> words(const TaskLaunch& launch, const Environment& env) {
  std::vector<std::string> argv;
  for (auto report : launch.argv)
    if (!resolve(report, env) || !report.empty()) argv.push_back(std::move(report));
  return argv;
}

Result<std::string> new_folder(const std::string& where) {
  auto name = where + "/" + kTaskFolderName + "XXXXXX";
  if (!::mkdtemp(name.data())) return std::unexpected(local::os_error("make a folder in " + where));
  return name;
}

// Empty: the file cannot be created.
std::string new_log(const std::string& where) {
  auto name = where + "/" + kTaskFolderName + "XXXXXX" + std::string(kLogEnding);
  const Fd file{::mkostemps(name.data(), static_cast<int>(kLogEnding.size()), O_CLOEXEC)};
  return file ? name : std::string();
}

// A dozen small files that live as long as the task go into memory, where creating one costs no disk access. The log
// may be large.
bool make_in_memory(const TaskConfig& config, TaskFolder& folder) {
  if (config.memory_folder.empty()) return false;
  remove_abandoned(config.memory_folder);
  auto made = new_folder(config.memory_folder);
  if (!made) return false;
  if (folder.log.empty()) {
    folder.log = new_log(config.temp_folder);
    if (folder.log.empty()) return ::rmdir(made->c_str()), false;
    folder.log_is_own = true;
  }
  folder.path = std::move(*made);
  return true;
}

Result<void> make_own_folder(const TaskConfig& config, TaskFolder& folder) {
  if (make_in_memory(config, folder)) return {};
  auto made = new_folder(config.temp_folder);
  if (!made) return std::unexpected(made.error());
  folder.path = std::move(*made);
  return {};
}

}  // namespace

bool is_name_of_own_log(std::string_view name) {
  const std::string_view start = kTaskFolderName;
  return name.starts_with(start) && name.ends_with(kLogEnding) && name.size() == start.size() + 6 + kLogEnding.size();
}

std::string TaskFolder::task_path() const { return path + "/" + kOnlyTask; }
std::string TaskFolder::token_path() const { return path + "/" + local::kTokenFile; }

void TaskFolder::remove() const {
  std::error_code ignored;
  if (!is_own) return;
  std::filesystem::remove_all(path, ignored);
  if (log_is_own) std::filesystem::remove(log, ignored);
}

Result<TaskFolder> make_task_folder(const TaskConfig& config) {
  TaskFolder folder{.path = config.folder, .is_own = config.folder.empty(), .log = config.log};
  if (folder.is_own) {
    if (auto made = make_own_folder(config, folder); !made) return std::unexpected(made.error());
  }
  std::error_code error;
  folder.path = std::filesystem::absolute(folder.path, error);
  if (folder.log.empty()) folder.log = folder.task_path() + "/" + local::kLogFile;
  folder.log = std::filesystem::absolute(folder.log, error);
  auto attempt = local::make_folder(AT_FDCWD, folder.path);
  if (!attempt) return std::unexpected(attempt.error());
  if (auto ours = local::check_ours(attempt->get(), folder.path); !ours) return std::unexpected(ours.error());
  if (local::exists(attempt->get(), local::kLaunchFile))
    return fail(ErrorCode::conflict, "a task was run in " + folder.path + " before");
  auto task = local::make_folder(attempt->get(), kOnlyTask);
  if (!task) return std::unexpected(task.error());
  folder.attempt = std::move(*attempt);
  folder.task = std::move(*task);
  return folder;
}

std::string work_folder(const TaskLaunch& launch) {
  if (!launch.workdir.empty()) return launch.workdir;
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  return error ? "/" : here.string();
}

local::LaunchRecord make_record(const TaskLaunch& launch, const NodeSide& side) {
  const auto env = user_env(launch, side);
  return {.token = side.config.token,
          .boot = local::boot_id(),
          .form = launch.shell ? Program::Form::shell : Program::Form::argv,
          .argv = words(launch, env),
          .env = pairs(env),
          .task_env = {{}},
          .workdir = work_folder(launch),
          .stop_signal = launch.stop_signal,
          .stop_grace = launch.stop_grace,
          .time_limit = launch.time_limit,
          .start_timeout = launch.start_timeout,
          .log_cap = launch.log_cap,
          .log = side.folder.log,
          .cgroups = {},
          .limits = {},
          .data_limit = side.limits_memory ? 0 : launch.memory_bytes,
          .port = launch.port,
          .torchrun = launch.port != 0};
}

}  // namespace ym::remote
