#include "executor/local/attempt/launch_record.h"

#include <charconv>
#include <sstream>
#include <string_view>
#include <utility>

#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/process.h"
#include "executor/local/attempt/record.h"

namespace ym::local {
namespace {

constexpr const char* kLaunchKind = "launch";
constexpr std::int64_t kMaxTasks = 100'000;

std::string task_key(std::int64_t task) { return "env." + std::to_string(task); }

void add_cgroups(Record& record, const CgroupPlan& plan) {
  record.add("cgroup.v2", plan.v2);
  record.add("cgroup.v2_cpu", plan.v2_cpu ? 1 : 0);
  record.add("cgroup.v2_memory", plan.v2_memory ? 1 : 0);
  record.add("cgroup.v1_cpu", plan.v1_cpu);
  record.add("cgroup.v1_memory", plan.v1_memory);
}

CgroupPlan cgroups_in(const Record& record) {
  return {.v2 = record.text("cgroup.v2").value_or(""),
          .v2_cpu = record.number("cgroup.v2_cpu") == 1,
          .v2_memory = record.number("cgroup.v2_memory") == 1,
          .v1_cpu = record.text("cgroup.v1_cpu").value_or(""),
          .v1_memory = record.text("cgroup.v1_memory").value_or("")};
}

std::string checkpoint_text(const Checkpoint& c) {
  return std::to_string(c.step) + " " + std::to_string(c.durable_at.ms) + " " + std::to_string(c.attempt) + " " + c.uri;
}

std::optional<Checkpoint> parse_checkpoint(const std::string& text) {
  Checkpoint c;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto take = [&](auto& number) {
    const auto [stop, error] = std::from_chars(at, end, number);
    const bool good = error == std::errc{} && stop != end && *stop == ' ';
    if (good) at = stop + 1;
    return good;
  };
  if (!take(c.step) || !take(c.durable_at.ms) || !take(c.attempt)) return std::nullopt;
  c.uri.assign(at, end);
  return c;
}

std::string group_key(std::size_t group, std::string_view name) {
  return "group." + std::to_string(group) + "." + std::string(name);
}

void add_form(Record& record, const std::string& key, Program::Form form) {
  record.add(key, form == Program::Form::shell ? "shell" : "argv");
}

Program::Form form_in(const Record& record, const std::string& key) {
  return record.text(key) == "shell" ? Program::Form::shell : Program::Form::argv;
}

// Older builds did not record this; then the command shows it.
bool torchrun_in(const Record& record, const std::string& key, const std::vector<std::string>& argv) {
  if (const auto said = record.number(key)) return *said == 1;
  return argv.size() > 3 && argv[0] == "python3" && argv[1] == "-m" && argv[2] == "torch.distributed.run";
}

void add_group(Record& record, std::size_t at, const GroupLaunch& group) {
  record.add(group_key(at, "tasks"), group.tasks);
  add_form(record, group_key(at, "form"), group.form);
  for (const auto& word : group.argv) record.add(group_key(at, "arg"), word);
  for (const auto& pair : group.env) record.add(group_key(at, "env"), pair);
  record.add(group_key(at, "cpus"), group.limits.cpus);
  record.add(group_key(at, "memory_bytes"), group.limits.memory_bytes);
  record.add(group_key(at, "data_limit"), group.data_limit);
  record.add(group_key(at, "port"), group.port);
  record.add(group_key(at, "torchrun"), group.torchrun ? 1 : 0);
}

std::vector<GroupLaunch> groups_in(const Record& record) {
  std::vector<GroupLaunch> groups;
  while (const auto tasks = record.number(group_key(groups.size(), "tasks"))) {
    const auto key = [at = groups.size()](std::string_view name) { return group_key(at, name); };
    GroupLaunch group{.tasks = static_cast<std::int32_t>(*tasks),
                      .form = form_in(record, key("form")),
                      .argv = record.all(key("arg")),
                      .env = record.all(key("env"))};
    group.limits = {record.number(key("cpus")).value_or(0), record.number(key("memory_bytes")).value_or(0)};
    group.data_limit = record.number(key("data_limit")).value_or(0);
    group.port = record.number(key("port")).value_or(0);
    group.torchrun = torchrun_in(record, key("torchrun"), group.argv);
    groups.push_back(std::move(group));
  }
  return groups;
}

// "NODE\nDEVICE\nDEVICE"
std::string placement_text(const TaskPlacement& task) {
  std::string text = task.node;
  for (const auto& device : task.devices) text += "\n" + device;
  return text;
}

// Of all tasks, or empty.
std::vector<TaskPlacement> placement_in(const Record& record, std::int32_t tasks) {
  const auto texts = record.all("placed");
  std::vector<TaskPlacement> placement;
  if (std::cmp_not_equal(texts.size(), tasks)) return placement;
  for (const auto& text : texts) {
    std::istringstream lines(text);
    TaskPlacement task{.task = static_cast<std::int32_t>(placement.size()), .node = {}, .devices = {}};
    std::getline(lines, task.node);
    for (std::string device; std::getline(lines, device);) task.devices.push_back(device);
    placement.push_back(std::move(task));
  }
  return placement;
}

// Each group has a program, and together they have all tasks.
bool are_whole(const LaunchRecord& launch) {
  if (launch.groups.empty()) return !launch.argv.empty();
  std::int64_t tasks = 0;
  for (const GroupLaunch& group : launch.groups) {
    if (group.tasks < 1 || group.argv.empty()) return false;
    tasks += group.tasks;
  }
  return tasks == launch.tasks;
}

void read_rest(const Record& record, LaunchRecord& launch) {
  launch.form = form_in(record, "form");
  launch.argv = record.all("arg");
  launch.env = record.all("env");
  for (std::int32_t task = 0; task < launch.tasks; ++task) launch.task_env.push_back(record.all(task_key(task)));
  launch.workdir = record.text("workdir").value_or("/");
  launch.stop_signal = record.text("stop_signal").value_or("SIGTERM");
  launch.stop_grace.ms = record.number("stop_grace_ms").value_or(0);
  if (const auto limit = record.number("time_limit_ms")) launch.time_limit = Duration{*limit};
  launch.start_timeout.ms = record.number("start_timeout_ms").value_or(0);
  launch.log_cap = record.number("log_cap").value_or(0);
  launch.log = record.text("log").value_or("");
  launch.cgroups = cgroups_in(record);
  launch.limits = {record.number("cpus").value_or(0), record.number("memory_bytes").value_or(0)};
  launch.data_limit = record.number("data_limit").value_or(0);
  launch.open_files = record.number("open_files").value_or(0);
  launch.port = record.number("port").value_or(0);
  launch.torchrun = torchrun_in(record, "torchrun", launch.argv);
  for (const auto& text : record.all("gone"))
    if (auto checkpoint = parse_checkpoint(text)) launch.gone.push_back(std::move(*checkpoint));
  launch.groups = groups_in(record);
  launch.placement = placement_in(record, launch.tasks);
}

}  // namespace

LaunchRecord LaunchRecord::of_task(std::int32_t task) const {
  LaunchRecord own = *this;
  for (const GroupLaunch& group : groups) {
    task -= group.tasks;
    if (task >= 0) continue;
    own.form = group.form;
    own.argv = group.argv;
    own.env = group.env;
    own.limits = group.limits;
    own.data_limit = group.data_limit;
    own.port = group.port;
    own.torchrun = group.torchrun;
    break;
  }
  return own;
}

std::vector<std::int64_t> LaunchRecord::ports() const {
  std::vector<std::int64_t> all;
  if (port != 0) all.push_back(port);
  for (const GroupLaunch& group : groups)
    if (group.port != 0) all.push_back(group.port);
  return all;
}

std::vector<std::string> LaunchRecord::devices_of(std::int32_t task) const {
  constexpr std::string_view kName = "CUDA_VISIBLE_DEVICES=";
  const auto at = static_cast<std::size_t>(task);
  if (at >= task_env.size()) return {};
  for (const auto& pair : task_env[at])
    if (pair.starts_with(kName)) return split_devices(pair.substr(kName.size()));
  return {};
}

std::string LaunchRecord::log_path() const { return log.empty() ? kLogFile : log; }

std::string encode(const LaunchRecord& launch) {
  Record record{kLaunchKind};
  record.add("token", to_string(launch.token));
  if (!launch.boot.empty()) record.add("boot", launch.boot);
  record.add("tasks", launch.tasks);
  add_form(record, "form", launch.form);
  for (const auto& word : launch.argv) record.add("arg", word);
  for (const auto& pair : launch.env) record.add("env", pair);
  for (std::size_t task = 0; task < launch.task_env.size(); ++task)
    for (const auto& pair : launch.task_env[task]) record.add(task_key(static_cast<std::int64_t>(task)), pair);
  record.add("workdir", launch.workdir);
  record.add("stop_signal", launch.stop_signal);
  record.add("stop_grace_ms", launch.stop_grace.ms);
  if (launch.time_limit) record.add("time_limit_ms", launch.time_limit->ms);
  record.add("start_timeout_ms", launch.start_timeout.ms);
  record.add("log_cap", launch.log_cap);
  if (!launch.log.empty()) record.add("log", launch.log);
  add_cgroups(record, launch.cgroups);
  record.add("cpus", launch.limits.cpus);
  record.add("memory_bytes", launch.limits.memory_bytes);
  record.add("data_limit", launch.data_limit);
  record.add("open_files", launch.open_files);
  record.add("port", launch.port);
  record.add("torchrun", launch.torchrun ? 1 : 0);
  for (const auto& checkpoint : launch.gone) record.add("gone", checkpoint_text(checkpoint));
  for (std::size_t group = 0; group < launch.groups.size(); ++group) add_group(record, group, launch.groups[group]);
  for (const auto& task : launch.placement) record.add("placed", placement_text(task));
  return record.encode();
}

Result<LaunchRecord> read_launch(int attempt_folder) {
  const auto record = read_record(attempt_folder, kLaunchFile, kLaunchKind);
  if (!record) return std::unexpected(record.error());
  const auto token = record->text("token").and_then(parse_token);
  const auto tasks = record->number("tasks");
  if (!token || !tasks || *tasks < 1 || *tasks > kMaxTasks)
    return fail(ErrorCode::corrupt, "the launch record lacks a field");
  LaunchRecord launch{
      .token = *token, .boot = record->text("boot").value_or(""), .tasks = static_cast<std::int32_t>(*tasks)};
  read_rest(*record, launch);
  if (!are_whole(launch)) return fail(ErrorCode::corrupt, "the launch record lacks a program");
  return launch;
}

std::vector<std::string> split_devices(const std::string& list) {
  std::istringstream ids(list);
  std::vector<std::string> devices;
  for (std::string id; std::getline(ids, id, ',');) devices.push_back(id);
  return devices;
}

bool is_of_earlier_boot(const LaunchRecord& launch) { return !launch.boot.empty() && launch.boot != boot_id(); }

}  // namespace ym::local
