// Contexts: servers that a user has logged in to, in a file of the user's own.
//
// $XDG_CONFIG_HOME/yardmaster/contexts.json, else ~/.config/yardmaster/contexts.json; 0600, because it has tokens.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "base/result.h"
#include "cli/http/transport.h"
#include "cli/term/terminal.h"

namespace ym::cli {

struct Contexts {
  std::string current;  // its name; empty: none
  std::map<std::string, Connection> all;
};

// Errors: `invalid` if the home directory is not known.
Result<std::filesystem::path> contexts_file(const EnvironmentReader& environment);

// No file: no contexts. Errors: `invalid`: the file cannot be read, or is not one of contexts.
Result<Contexts> read_contexts(const EnvironmentReader& environment);
// Reads the file, changes it and writes it; another program that does the same waits. Errors: as read_contexts; `io`.
Result<void> update_contexts(const EnvironmentReader& environment, const std::function<void(Contexts&)>& change);

}  // namespace ym::cli
