// Session: one run of the command line, with everything around it that a test replaces.
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
  std::function<Instant()> now;           // monotonic enough to measure waits with
  std::function<void(Duration)> sleep;    // returns early when interrupted
  std::function<bool()> interrupted;      // Ctrl-C was pressed
  std::function<void()> watch_interrupt;  // from now on Ctrl-C sets `interrupted` and does not kill
  CliEnvironment program;
  // Of the global flags.
  ConnectionFlags flags;
  Format format = Format::table;

  // A new connection to the server that is there now: after a restart it may be another.
  Result<Api> connect() const;
  bool is_table() const { return format == Format::table || format == Format::wide; }
  // Prints `value` in the asked format; precondition: json or yaml.
  void print(const boost::json::value& value) const;
};

// Says what is wrong, each field on a line of its own (in json and yaml: as one line of
// JSON); the exit code that belongs to it.
int report(Session& session, const Error& error);

// Where we are. Errors: `invalid` if that folder was deleted.
Result<std::string> current_folder();

// The worse of two: an error beats success, the first error stays.
inline int worse(int a, int b) { return a != 0 ? a : b; }

// Runs `act` for each id, reports what fails and goes on; then prints what came out: in
// a table format by `show`, else as one array, for `name` what stands under `key` of each. An answer
// with `items` (of an array) counts as all of these.
int for_each_id(Session& session, const std::vector<std::string>& ids,
                const std::function<Result<boost::json::value>(Api&, const std::string&)>& act,
                const std::function<void(const boost::json::array&)>& show, std::string_view key = "id");

}  // namespace ym::cli
