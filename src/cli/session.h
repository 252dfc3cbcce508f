// Session: one run of the command line. Tests replace what is around it.
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/time.h"
#include "cli/api.h"
#include "cli/cli.h"
#include "cli/discovery.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/term/terminal.h"

namespace ym::cli {

struct Session {
  std::istream& in;
  std::ostream& out;  // data
  std::ostream& err;  // everything else
  Terminal terminal;
  EnvironmentReader environment;
  std::function<Result<std::unique_ptr<Transport>>(const Connection&)> connector;
  std::function<Instant()> now;           // monotonic; measures waits
  std::function<void(Duration)> sleep;    // returns early after Ctrl-C
  std::function<bool()> interrupted;      // Ctrl-C was pressed
  std::function<void()> watch_interrupt;  // after this call Ctrl-C sets `interrupted` and does not kill
  CliEnvironment program;
  // Values of the global flags.
  ConnectionFlags flags;
  Format format = Format::table;

  // Makes a new connection to the present server. After a restart it may be another one.
  Result<Api> connect() const;
  bool is_table() const { return format == Format::table || format == Format::wide; }
  // Prints `value` in the format of -o. Precondition: json or yaml.
  void print(const boost::json::value& value) const;
};

// Reports an error, each field on its own line; with json and yaml as one line of JSON. Returns the exit code of the
// error.
int report(Session& session, const Error& error);

// The current folder. Errors: `invalid` if it was deleted.
Result<std::string> current_folder();

// Combines two exit codes: an error takes precedence over success, the first error over later ones.
inline int worse(int a, int b) { return a != 0 ? a : b; }

// Runs `act` for each id. Reports each failure and goes on. Then prints the results: in a table format by `show`,
// with `name` the value at `key` of each, otherwise one array. An answer with `items` (an array of jobs) counts as
// its items.
int for_each_id(Session& session, const std::vector<std::string>& ids,
                const std::function<Result<boost::json::value>(Api&, const std::string&)>& act,
                const std::function<void(const boost::json::array&)>& show, std::string_view key = "id");

}  // namespace ym::cli
