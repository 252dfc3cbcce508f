#include "executor/slurm/client/rest_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json.hpp>

#include "executor/slurm/client/hostlist.h"
#include "executor/slurm/client/job_text.h"
#include "executor/slurm/jobs/sbatch_words.h"

namespace ym::slurm {
namespace {

namespace json = boost::json;

constexpr std::string_view kPath = "/usr/local/bin:/usr/bin:/bin";

std::optional<json::object> parse(std::string_view text) {
  boost::system::error_code error;
  auto value = json::parse(text, error, {}, {.max_depth = 32});
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

const json::value* at(const json::object& from, std::string_view name) { return from.if_contains(name); }

// Empty: the value is not a number. A missing or unset value is 0.
std::optional<std::int64_t> whole(const json::value* value) {
  if (value == nullptr || value->is_null()) return 0;
  if (const auto* object = value->if_object()) {
    const auto* set = at(*object, "set");
    return set != nullptr && set->is_bool() && !set->get_bool() ? 0 : whole(at(*object, "number"));
  }
  if (value->is_int64()) return value->get_int64();
  if (!value->is_uint64() || value->get_uint64() > INT64_MAX) return std::nullopt;
  return static_cast<std::int64_t>(value->get_uint64());
}

std::int64_t number(const json::value* value) { return whole(value).value_or(0); }

// Sets `good` to false if it is not an amount.
std::int64_t amount(const json::object& from, std::string_view name, bool& good) {
  const auto read = whole(at(from, name));
  good = good && read && *read >= 0;
  return read.value_or(0);
}

std::string word(const json::value* value) {
  if (value == nullptr) return {};
  if (value->is_array()) return value->get_array().empty() ? "" : word(&value->get_array().front());
  return value->is_string() ? std::string(value->get_string()) : "";
}

std::vector<std::string> words(const json::value* value) {
  std::vector<std::string> list;
  if (value == nullptr) return list;
  if (const auto* array = value->if_array()) {
    for (const auto& one : *array)
      if (one.is_string()) list.emplace_back(one.get_string());
  } else {
    for (const auto one : split(word(value), ','))
      if (!one.empty()) list.emplace_back(one);
  }
  return list;
}

std::optional<Instant> time(const json::value* value) {
  const auto seconds_since = number(value);
  if (seconds_since <= 0 || seconds_since > 32'000'000'000) return std::nullopt;
  return Instant{seconds_since * 1000};
}

// "3:0", from a number as from wait(2) or from {"return_code", "signal": {"id"}}. Empty: not an exit.
std::string exit_of(const json::value* value) {
  const auto* object = value == nullptr ? nullptr : value->if_object();
  if (object == nullptr || at(*object, "return_code") == nullptr) {
    const auto read = whole(value);
    return read ? std::to_string(*read) : "";
  }
  const auto* signal = at(*object, "signal");
  const auto* about = signal == nullptr ? nullptr : signal->if_object();
  const auto* id = about == nullptr ? nullptr : at(*about, about->contains("id") ? "id" : "signal_id");
  const auto code = whole(at(*object, "return_code"));
  return code ? fmt::format("{}:{}", *code, number(id)) : "";
}

std::optional<JobRow> job_of(const json::object& from) {
  auto nodes = expand_hosts(word(at(from, "nodes")));
  JobRow row{.id = number(at(from, "job_id")),
             .name = word(at(from, "name")),
             .state = word(at(from, "job_state")),
             .reason = word(at(from, "state_reason")),
             .comment = word(at(from, "comment")),
             .exit = exit_of(at(from, "exit_code")),
             .submitted = time(at(from, "submit_time")),
             .started = time(at(from, "start_time")),
             .ended = time(at(from, "end_time")),
             .preempted = time(at(from, "preempt_time")),
             .restarts = number(at(from, "restart_cnt"))};
  if (row.id <= 0 || row.state.empty() || !nodes) return std::nullopt;
  row.nodes = std::move(*nodes);
  return row;
}

std::vector<std::string> upper(std::vector<std::string> list) {
  for (auto& one : list)
    for (auto& c : one) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return list;
}

std::optional<NodeRow> node_of(const json::object& from) {
  bool good = true;
  NodeRow row{.name = word(at(from, "name")),
              .cpus = amount(from, from.contains("effective_cpus") ? "effective_cpus" : "cpus", good),
              .cpus_used = amount(from, "alloc_cpus", good),
              .memory_mib = amount(from, "real_memory", good),
              .memory_mib_used = amount(from, "alloc_memory", good),
              .gres = word(at(from, "gres")),
              .gres_used = word(at(from, "gres_used")),
              .features = words(at(from, "active_features")),
              .partitions = words(at(from, "partitions")),
              .states = upper(words(at(from, "state"))),
              .reason = word(at(from, "reason")),
              .booted = time(at(from, "boot_time")),
              .registered = time(at(from, "slurmd_start_time"))};
  for (const auto& flag : upper(words(at(from, "state_flags")))) row.states.push_back(flag);
  if (!good || !is_plain_host(row.name) || row.states.empty()) return std::nullopt;
  return row;
}

std::string errors_of(const json::object& answer) {
  std::vector<std::string> said;
  const auto* errors = at(answer, "errors");
  if (errors == nullptr || !errors->is_array()) return {};
  for (const auto& one : errors->get_array())
    if (const auto* object = one.if_object())
      said.push_back(fmt::format("{} {}", word(at(*object, "error")), word(at(*object, "description"))));
  return fmt::format("{}", fmt::join(said, "; ")).substr(0, 1000);
}

// The objects of a list. An answer with errors is not trusted.
Result<const json::array*> list_of(const std::optional<json::object>& answer, std::string_view name) {
  if (!answer) return fail(ErrorCode::corrupt, "slurmrestd's answer is not JSON");
  if (auto errors = errors_of(*answer); !errors.empty()) return fail(ErrorCode::unavailable, "slurmrestd: " + errors);
  const auto* list = at(*answer, name);
  if (list == nullptr || !list->is_array())
    return fail(ErrorCode::corrupt, fmt::format("slurmrestd's answer has no {}", name));
  return &list->get_array();
}

}  // namespace

Result<std::vector<JobRow>> parse_rest_jobs(std::string_view text, std::string_view user) {
  const auto answer = parse(text);
  const auto list = list_of(answer, "jobs");
  if (!list) return std::unexpected(list.error());
  std::vector<JobRow> rows;
  for (const auto& one : **list) {
    const auto* object = one.if_object();
    if (object == nullptr) return fail(ErrorCode::corrupt, "slurmrestd lists an invalid job");
    if (!word(at(*object, "name")).starts_with(kNamePrefix)) continue;
    if (!user.empty() && word(at(*object, "user_name")) != user) continue;
    auto row = job_of(*object);
    if (!row) return fail(ErrorCode::corrupt, "slurmrestd lists an invalid job");
    rows.push_back(std::move(*row));
  }
  return rows;
}

Result<std::vector<NodeRow>> parse_rest_nodes(std::string_view text) {
  const auto answer = parse(text);
  const auto list = list_of(answer, "nodes");
  if (!list) return std::unexpected(list.error());
  std::vector<NodeRow> rows;
  for (const auto& one : **list) {
    auto row = one.is_object() ? node_of(one.get_object()) : std::nullopt;
    if (!row) return fail(ErrorCode::corrupt, "slurmrestd lists an invalid node");
    rows.push_back(std::move(*row));
  }
  return rows;
}

std::string rest_submission(const Submission& submission, const SlurmOptions& options) {
  json::object job{{"name", submission.name},
                   {"comment", submission.comment},
                   {"dependency", "singleton"},
                   {"requeue", false},
                   {"nodes", submission.nodes},  // a number: slurmrestd turns a list of two into one node
                   {"tasks", submission.nodes * submission.tasks_per_node},
                   {"tasks_per_node", submission.tasks_per_node},
                   {"cpus_per_task", submission.cpus_per_task},
                   {"current_working_directory", "/"},
                   {"standard_input", "/dev/null"},
                   {"standard_output", "/dev/null"},
                   {"standard_error", "/dev/null"}};
  const bool is_old = options.rest.version <= "v0.0.38";
  if (is_old) job["environment"] = json::object{{"PATH", kPath}, {"LANG", "C.UTF-8"}};
  else job["environment"] = json::array{fmt::format("PATH={}", kPath), "LANG=C.UTF-8"};
  if (submission.minutes) job["time_limit"] = *submission.minutes;
  if (submission.memory_mib > 0) job["memory_per_node"] = submission.memory_mib;
  const auto gpus = submission.gpu_type.empty()
                        ? fmt::format("gpu:{}", submission.gpus_per_node)
                        : fmt::format("gpu:{}:{}", submission.gpu_type, submission.gpus_per_node);
  if (submission.gpus_per_node > 0) job[is_old ? "gres" : "tres_per_node"] = is_old ? gpus : "gres/" + gpus;
  const auto nodes = fmt::format("{}", fmt::join(submission.node_list, ","));
  if (!nodes.empty()) job[is_old ? "nodelist" : "required_nodes"] = nodes;
  if (submission.warn_seconds) job["signal"] = fmt::format("TERM@{}", *submission.warn_seconds);
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) job[name] = value;
  };
  add("partition", options.partition);
  add("account", options.account);
  add("qos", options.qos);
  add("reservation", options.reservation);
  return json::serialize(json::object{{"script", submission.script}, {"job", std::move(job)}});
}

std::expected<std::int64_t, SubmitError> parse_rest_submitted(int status, std::string_view text) {
  using Kind = SubmitError::Kind;
  const auto answer = parse(text);
  if (!answer) return std::unexpected(SubmitError{Kind::unclear, fmt::format("slurmrestd answers {}", status)});
  if (const auto id = number(at(*answer, "job_id")); id > 0) return id;
  const auto errors = errors_of(*answer);
  // Its messages for refusals of the controller are those of sbatch.
  auto error = submit_error_of("Batch job submission failed: " + errors);
  error.message = fmt::format("slurmrestd answers {}: {}", status, errors);
  // Neither a job nor a reason: another program may have answered.
  if (errors.empty()) error.kind = Kind::unclear;
  return std::unexpected(std::move(error));
}

}  // namespace ym::slurm
