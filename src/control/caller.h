// Caller: who makes a request, as authentication found it. A value. It says nothing about rights: these are looked up
// at each use (control/access), because they may change meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/enum_names.h"
#include "model/ids.h"

namespace ym {

enum class CallerKind : std::uint8_t {
  principal,
  job,    // user code of an attempt
  server  // the server itself, when it reads or changes its own state; it may do everything
};
constexpr std::string_view to_string(CallerKind value) {
  switch (value) {
    case CallerKind::principal: return "principal";
    case CallerKind::job: return "job";
    case CallerKind::server: return "server";
  }
  return {};
}

// Where a request came from, for its record in the audit log. What a client says of itself may be untrue.
struct RequestOrigin {
  std::string source;     // address of the client
  std::string agent;      // User-Agent
  std::string request{};  // X-Request-Id
  std::string target{};   // "POST /api/v1/nodes/n1/drain", without parameters
};

struct Caller {
  std::string principal{};  // its id; of a job "job:" and the job's id; of the server nothing
  CallerKind kind = CallerKind::principal;
  std::optional<AttemptKey> attempt{};  // of a job: the one attempt that it may read and report on
  std::string token{};                  // id of the access token; empty: it used none
  std::string gateway{};  // the principal that makes the request on its behalf, by its own token; empty: none
  std::shared_ptr<const RequestOrigin> origin{};  // null: the request did not come from outside

  static Caller server() { return {.kind = CallerKind::server}; }
  static Caller job(AttemptKey attempt) {
    return {.principal = "job:" + to_string(attempt.job), .kind = CallerKind::job, .attempt = attempt};
  }
};

}  // namespace ym
