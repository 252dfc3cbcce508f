// Records of requests.
#pragma once

#include "control/audit/audit_intake.h"
#include "control/command.h"
#include "control/state/staging.h"

namespace ym {

// The record of a request of this caller. Precondition: the caller has an origin.
AuditRecord audit_record(const Caller& caller, std::string_view verb, std::string object, AuditOutcome outcome);

// Stages the record of a command that succeeded, beside its events, which come after `last_before`. A command without
// events, or of a caller without an origin, has none: it changed nothing, or is the server's own work. A login is an
// act of the principal that gets the token.
void audit_command(Staging& staging, const Caller& caller, const Command& command, const CommandReply& reply,
                   std::uint64_t last_before);

}  // namespace ym
