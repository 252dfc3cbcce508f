// Finds the server to call, and the token to send.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/http/transport.h"
#include "cli/term/terminal.h"

namespace ym::cli {

// Values of flags. They take precedence over the environment.
struct ConnectionFlags {
  std::string url;
  std::string token;
  std::string context;
  std::string ca_file;
  std::string fingerprint;
};

struct Discovered {
  Connection connection;
  bool is_explicit = false;       // a flag, a variable or a context named the server
  std::filesystem::path state{};  // folder of the server.json that named the server; else empty
  std::string token_from{};       // "YM_TOKEN", or the name of a file or a context; empty: no token
};

// $YM_STATE, else $XDG_STATE_HOME/yardmaster, else ~/.local/state/yardmaster.
Result<std::filesystem::path> default_state_dir(const EnvironmentReader& environment);

// Takes the address from --url, YM_URL, the context --context or YM_CONTEXT, the current context unless YM_STATE is
// set, or `url` in server.json of the default state directory. Takes the token from --token, YM_TOKEN, the file
// YM_TOKEN_FILE, the context with this address, or admin.token of that directory. admin.token is sent only to the
// server that server.json names.
// For https, takes the authorities from --ca-file or YM_CA_FILE, and the certificate's fingerprint from --fingerprint,
// YM_FINGERPRINT or, for the server that it names, server.json. A context has both for its server.
// Errors: `unavailable` if no server is named and there is no server.json.
Result<Discovered> discover(const ConnectionFlags& flags, const EnvironmentReader& environment);

}  // namespace ym::cli
