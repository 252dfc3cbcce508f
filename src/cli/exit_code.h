// Exit codes of `ym`. Scripts rely on them.
#pragma once

#include "base/result.h"

namespace ym::cli {

enum class ExitCode : int {
  ok = 0,
  job_failed = 1,       // or writing to standard output failed
  usage = 2,            // also: validation refused it, it does not exist, or it is ambiguous
  unauthenticated = 4,  // no token, or a wrong one
  denied = 5,           // the token does not permit it
  unreachable = 6,      // the server did not answer; whether it acted is unknown
  timed_out = 124,      // a wait of `ym` ended; not a job's time limit
  interrupted = 130,    // Ctrl-C: detached; the job goes on
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
