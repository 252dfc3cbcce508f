// The record of a command, beside its changes.
#pragma once

#include "control/audit/audit_intake.h"
#include "control/command.h"
#include "control/state/staging.h"

namespace ym {

// The record of a request of this caller. Precondition: the caller has an origin.
AuditRecord audit_record(const Caller& caller, std::string_view verb, std::string object, AuditOutcome outcome);

// Stages the record of a command. A refusal goes to the intake. What has no
// origin, changed nothing, or was refused for other reasons than rights, has no record.
struct StagedCommand {
  const Caller& caller;
  const Command& command;
  const Result<CommandReply>& answer;
  std::uint64_t last_before;  // seq of the last event before its changes
};
void audit_command(Staging& staging, AuditIntake& intake, const StagedCommand& staged);

}  // namespace ym
