#include "executor/local/attempt/launch_record.h"

#include <charconv>

#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/process.h"
#include "executor/local/attempt/record.h"

namespace ym::local {
namespace {

constexpr const char* kKind = "launch";
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

void read_rest(const Record& record, LaunchRecord& launch) {
  launch.form = record.text("form") == "shell" ? Program::Form::shell : Program::Form::argv;
  launch.argv = record.all("arg");
  launch.env = record.all("env");
  for (std::int32_t task = 0; task < launch.tasks; ++task) launch.task_env.push_back(record.all(task_key(task)));
  launch.workdir = record.text("workdir").value_or("/");
  launch.stop_signal = record.text("stop_signal").value_or("SIGTERM");
  launch.stop_grace.ms = record.number("stop_grace_ms").value_or(0);
  if (const auto limit = record.number("time_limit_ms")) launch.time_limit = Duration{*limit};
  launch.start_timeout.ms = record.number("start_timeout_ms").value_or(0);
  launch.log_cap = record.number("log_cap").value_or(0);
  launch.cgroups = cgroups_in(record);
  launch.limits = {record.number("cpus").value_or(0), record.number("memory_bytes").value_or(0)};
  launch.data_limit = record.number("data_limit").value_or(0);
  launch.open_files = record.number("open_files").value_or(0);
  launch.port = record.number("port").value_or(0);
  for (const auto& text : record.all("gone"))
    if (auto checkpoint = parse_checkpoint(text)) launch.gone.push_back(std::move(*checkpoint));
}

}  // namespace

std::string encode(const LaunchRecord& launch) {
  Record record{kKind};
  record.add("token", to_string(launch.token));
  if (!launch.boot.empty()) record.add("boot", launch.boot);
  record.add("tasks", launch.tasks);
  record.add("form", launch.form == Program::Form::shell ? "shell" : "argv");
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
  add_cgroups(record, launch.cgroups);
  record.add("cpus", launch.limits.cpus);
  record.add("memory_bytes", launch.limits.memory_bytes);
  record.add("data_limit", launch.data_limit);
  record.add("open_files", launch.open_files);
  record.add("port", launch.port);
  for (const auto& checkpoint : launch.gone) record.add("gone", checkpoint_text(checkpoint));
  return record.encode();
}

Result<LaunchRecord> read_launch(int attempt_folder) {
  const auto record = read_record(attempt_folder, kLaunchFile, kKind);
  if (!record) return std::unexpected(record.error());
  const auto token = record->text("token").and_then(parse_token);
  const auto tasks = record->number("tasks");
  if (!token || !tasks || *tasks < 1 || *tasks > kMaxTasks)
    return fail(ErrorCode::corrupt, "the launch record lacks a field");
  LaunchRecord launch{
      .token = *token, .boot = record->text("boot").value_or(""), .tasks = static_cast<std::int32_t>(*tasks)};
  read_rest(*record, launch);
  if (launch.argv.empty()) return fail(ErrorCode::corrupt, "the launch record has no program");
  return launch;
}

bool is_of_earlier_boot(const LaunchRecord& launch) { return !launch.boot.empty() && launch.boot != boot_id(); }

}  // namespace ym::local
