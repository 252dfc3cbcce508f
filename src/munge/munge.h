// MUNGE: a daemon on each machine of a cluster says for its users who they are. Machines with the same key believe it.
//
// The library (libmunge.so.2) is loaded at run time. Thread-safe. The calls block until the local daemon answers.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ym::munge {

// `socket`: of the daemon; empty: where its library looks for it. Errors of both: `unavailable`: there is no library,
// or the daemon does not answer.

// A credential of this process's user around `payload`. It counts for five minutes by default.
Result<std::string> encode(const std::string& payload, const std::string& socket);

struct Decoded {
  std::uint32_t uid = 0;
  std::string payload;
};
// Errors: `unauthenticated`: it is no credential, is too old, is of another key, or was decoded on this machine before.
Result<Decoded> decode(const std::string& credential, const std::string& socket);

// The payload of a credential for a login at a server. `random`: chosen anew each time, so that no two are the same.
std::string login_payload(const std::string& server_url, const std::string& random);

}  // namespace ym::munge
