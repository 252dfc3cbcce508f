// Which server to talk to, and with which token.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/http/transport.h"
#include "cli/term/terminal.h"

namespace ym::cli {

// What flags say; they win over the environment.
struct ConnectionFlags {
  std::string url;
  std::string token;
};

struct Discovered {
  Connection connection;
  bool is_explicit = false;       // a flag or YM_URL named the server
  std::filesystem::path state{};  // where its server.json is, if that named it
  std::string token_from{};       // "YM_TOKEN", the name of a file; empty: there is no token
};

// $YM_STATE, else $XDG_STATE_HOME/yardmaster, else ~/.local/state/yardmaster.
Result<std::filesystem::path> default_state_dir(const EnvironmentReader& environment);

// --url, YM_URL, else `url` of server.json in the default state directory.
// --token, YM_TOKEN, the file YM_TOKEN_FILE, else admin.token of that directory, but
// that one only for the server which server.json names: it is never sent elsewhere.
// Errors: `unavailable` if no server is named and none has left a server.json.
Result<Discovered> discover(const ConnectionFlags& flags, const EnvironmentReader& environment);

}  // namespace ym::cli
