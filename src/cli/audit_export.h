// Gives the records of the audit log to a place outside, for ever, for `ym audit export --follow`.
//
// A record arrives at least once. The place in the log is kept in a file, which is written after the records before it
// have arrived. So after any end of this program at most the last batch is given again.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/session.h"
#include "cli/views/audit_formats.h"
#include "net/sinks/sink.h"

namespace ym::cli {

struct FollowedAudit {
  std::vector<std::pair<std::string, std::string>> filters;  // of GET /api/v1/audit
  AuditFormat format = AuditFormat::jsonl;
  std::int64_t after = 0;  // where the log is begun without a place in `state`
  std::string state;       // the file
};

// Waits for the server and for the sink as long as they are away. Success: it was interrupted. Errors: `conflict`:
// another export uses the file; `invalid`: it holds no place; `io`: it cannot be written; a refusal of the server; a
// refusal of the sink (net::Sink). Precondition: the session watches interrupts.
Result<void> follow_audit(Session& session, const FollowedAudit& audit, const net::Sink& sink);

}  // namespace ym::cli
