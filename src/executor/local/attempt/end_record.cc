#include "executor/local/attempt/end_record.h"

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

bool fits(const Record& record, const Claim& claim) {
  return record.text("token") == to_string(claim.token) && record.number("task") == claim.task &&
         record.text("nonce") == claim.nonce;
}

std::optional<std::int32_t> narrow(std::optional<std::int64_t> number) {
  if (!number) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

}  // namespace

Result<void> write_started(int task_folder, const Claim& claim, const ProcessIdentity& leader) {
  auto record = stamped(kStartedFile, claim);
  record.add("boot", leader.boot);
  record.add("pid", leader.pid);
  record.add("start", static_cast<std::int64_t>(leader.start_ticks));
  return write_durably(task_folder, kStartedFile, record.encode());
}

Result<std::optional<ProcessIdentity>> read_started(int task_folder, const Claim& claim) {
  const auto record = read_record(task_folder, kStartedFile, kStartedFile);
  if (!record && record.error().code == ErrorCode::io) return std::unexpected(record.error());
  if (!record || !fits(*record, claim)) return std::nullopt;
  return ProcessIdentity{record->text("boot").value_or(""), static_cast<pid_t>(record->number("pid").value_or(0)),
                         static_cast<std::uint64_t>(record->number("start").value_or(0))};
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
  record.add("log_bytes", end.log_bytes);
  record.add("log_dropped", end.log_dropped);
  return write_durably(task_folder, kExitFile, record.encode());
}

Result<ExitRecord> read_exit(int task_folder, const Claim& claim) {
  const auto record = read_record(task_folder, kExitFile, kExitFile);
  if (!record) return std::unexpected(record.error());
  const auto by = record->text("by").and_then(parse_enum<EndedBy>);
  if (!by || !fits(*record, claim)) return fail(ErrorCode::corrupt, "the exit record is not the claimant's");
  return ExitRecord{.exit = {.by = *by,
                             .exit_code = narrow(record->number("exit_code")),
                             .signal = narrow(record->number("signal")),
                             .message = record->text("message").value_or(""),
                             .permanent = record->number("permanent") == 1,
                             .forced = record->number("forced") == 1,
                             .at = {record->number("at_ms").value_or(0)}},
                    .log_bytes = record->number("log_bytes").value_or(0),
                    .log_dropped = record->number("log_dropped").value_or(0)};
}

TaskExit released_at_gate(StopCause cause) {
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
