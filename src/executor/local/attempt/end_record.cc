#include "executor/local/attempt/end_record.h"

#include <string_view>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/record.h"

namespace ym::local {
namespace {

Record stamped(const char* kind, const Claim& claim) {
  Record record{kind};
  record.add("token", to_string(claim.token));
  record.add("task", claim.task);
  record.add("nonce", claim.nonce);
  return record;
}

bool is_of(const Record& record, const Token& token, std::int32_t task) {
  return record.text("token") == to_string(token) && record.number("task") == task;
}

bool fits(const Record& record, const Claim& claim) {
  return is_of(record, claim.token, claim.task) && record.text("nonce") == claim.nonce;
}

std::optional<std::int32_t> narrow(std::optional<std::int64_t> number) {
  if (!number) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

void add_worker(Record& record, const WorkerFailure& worker) {
  if (worker.rank) record.add("worker_rank", *worker.rank);
  if (worker.exit_code) record.add("worker_exit_code", *worker.exit_code);
  if (worker.signal) record.add("worker_signal", *worker.signal);
  record.add("worker_message", worker.message);
  record.add("worker_at_ms", worker.at.ms);
}

std::optional<WorkerFailure> worker_in(const Record& record) {
  const auto at = record.number("worker_at_ms");
  if (!at) return std::nullopt;
  return WorkerFailure{.rank = narrow(record.number("worker_rank")),
                       .exit_code = narrow(record.number("worker_exit_code")),
                       .signal = narrow(record.number("worker_signal")),
                       .message = record.text("worker_message").value_or(""),
                       .at = {*at}};
}

Result<ExitRecord> decode_exit(const Record& record) {
  const auto by = record.text("by").and_then(parse_enum<EndedBy>);
  if (!by) return fail(ErrorCode::corrupt, "the exit record lacks a field");
  std::vector<RawReport> progress;
  for (const auto& text : record.all("progress"))
    if (auto report = parse_raw_report(text)) progress.push_back(std::move(*report));
  return ExitRecord{.exit = {.by = *by,
                             .exit_code = narrow(record.number("exit_code")),
                             .signal = narrow(record.number("signal")),
                             .message = record.text("message").value_or(""),
                             .permanent = record.number("permanent") == 1,
                             .forced = record.number("forced") == 1,
                             .at = {record.number("at_ms").value_or(0)},
                             .worker = worker_in(record)},
                    .log_bytes = record.number("log_bytes").value_or(0),
                    .log_dropped = record.number("log_dropped").value_or(0),
                    .progress = std::move(progress)};
}

}  // namespace

Result<void> write_started(int task_folder, const Claim& claim, const ProcessIdentity& leader, Instant at) {
  auto record = stamped(kStartedFile, claim);
  record.add("boot", leader.boot);
  record.add("pid", leader.pid);
  record.add("start", static_cast<std::int64_t>(leader.start_ticks));
  record.add("at_ms", at.ms);
  return replace_file(task_folder, kStartedFile, record.encode());
}

Result<std::optional<ProcessIdentity>> read_started(int task_folder, const Claim& claim) {
  const auto record = read_record(task_folder, kStartedFile, kStartedFile);
  if (!record && record.error().code == ErrorCode::io) return std::unexpected(record.error());
  if (!record || !fits(*record, claim)) return std::nullopt;
  return ProcessIdentity{record->text("boot").value_or(""), static_cast<pid_t>(record->number("pid").value_or(0)),
                         static_cast<std::uint64_t>(record->number("start").value_or(0))};
}

std::optional<Instant> read_start_time(int task_folder, const Claim& claim) {
  const auto record = read_record(task_folder, kStartedFile, kStartedFile);
  const auto at = record && fits(*record, claim) ? record->number("at_ms") : std::nullopt;
  return at ? std::optional(Instant{*at}) : std::nullopt;
}

Result<void> write_exit(int task_folder, const Claim& claim, const ExitRecord& end) {
  auto record = stamped(kExitFile, claim);
  record.add("by", std::string(to_string(end.exit.by)));
  if (end.exit.exit_code) record.add("exit_code", *end.exit.exit_code);
  if (end.exit.signal) record.add("signal", *end.exit.signal);
  record.add("message", end.exit.message);
  record.add("permanent", end.exit.permanent ? 1 : 0);
  record.add("forced", end.exit.forced ? 1 : 0);
  record.add("at_ms", end.exit.at.ms);
  if (end.exit.worker) add_worker(record, *end.exit.worker);
  record.add("log_bytes", end.log_bytes);
  record.add("log_dropped", end.log_dropped);
  for (const auto& report : end.progress) record.add("progress", encode(report));
  const auto text = record.encode();
  // The blocks of the reserve exist already: this works on a full disk, and takes one flush. A new file takes two.
  if (turn_file(task_folder, kReserveFile, kExitFile, text, Flush::yes)) return {};
  return write_durably(task_folder, kExitFile, text);
}

Result<ExitRecord> read_exit(int task_folder, const Claim& claim) {
  const auto record = read_record(task_folder, kExitFile, kExitFile);
  if (!record) return std::unexpected(record.error());
  if (!fits(*record, claim)) return fail(ErrorCode::corrupt, "the exit record does not match the claim");
  return decode_exit(*record);
}

Result<ExitRecord> read_last_exit(int task_folder, const Token& token, std::int32_t task) {
  auto record = read_record(task_folder, kExitFile, kExitFile);
  const bool usable = record && is_of(*record, token, task);
  if (!usable && (record || record.error().code != ErrorCode::io))
    record = read_record(task_folder, kReserveFile, kExitFile);
  if (!record) return std::unexpected(record.error());
  if (!is_of(*record, token, task)) return fail(ErrorCode::corrupt, "the exit record is another task's");
  return decode_exit(*record);
}

TaskExit released_at_barrier(StopCause cause) {
  TaskExit exit{.by = EndedBy::start_failed};
  switch (cause) {
    case StopCause::cancel: exit.message = "cancelled before user code started"; break;
    case StopCause::preemption: exit.message = "preempted before user code started"; break;
    case StopCause::gang_failure: exit.message = "another task of its gang could not start"; break;
    case StopCause::start_timeout: exit.message = "not every task of the gang was ready in time"; break;
  }
  return exit;
}

}  // namespace ym::local
