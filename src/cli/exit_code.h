// Exit codes of `ym`: part of what scripts rely on.
#pragma once

#include "base/result.h"

namespace ym::cli {

enum class ExitCode : int {
  ok = 0,
  job_failed = 1,       // or what was asked for could not be written to standard output
  usage = 2,            // also what validation refuses, what does not exist, what is ambiguous
  unauthenticated = 4,  // no or bad token
  denied = 5,           // known, but not allowed
  unreachable = 6,      // no answer from the server; what it did is unknown
  timed_out = 124,      // a wait of ours, not a job's
  interrupted = 130,    // Ctrl-C: detached, the job goes on
};

constexpr int to_int(ExitCode code) { return static_cast<int>(code); }

constexpr ExitCode exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::unauthenticated: return ExitCode::unauthenticated;
    case ErrorCode::forbidden: return ExitCode::denied;
    case ErrorCode::invalid:
    case ErrorCode::not_found:
    case ErrorCode::conflict:
    case ErrorCode::ambiguous:
    case ErrorCode::too_large: return ExitCode::usage;
    case ErrorCode::rate_limited:
    case ErrorCode::unavailable:
    case ErrorCode::corrupt:
    case ErrorCode::io:
    case ErrorCode::internal: return ExitCode::unreachable;
  }
  return ExitCode::unreachable;
}

}  // namespace ym::cli
