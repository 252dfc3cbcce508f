#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <filesystem>

#include "cli/discovery.h"
#include "cli/verbs/verb.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

void show_erased(Session& session, const json::object& done) {
  const json::value value(done);
  session.out << fmt::format("{} stands in its place now: {} events, {} jobs, {} tokens, {} segments, {} seals.\n",
                             text_at(value, "pseudonym"), text_at(value, "events"), text_at(value, "jobs"),
                             text_at(value, "tokens"), text_at(value, "segments"), text_at(value, "seals"));
  session.out << fmt::format("{} folders with logs were deleted.\n", text_at(value, "logs"));
  session.out << "Take its name out of the configuration file, if it is there, before the server starts.\n"
                 "Backups from before have its data still: after a restore of one, run this again.\n";
  for (const auto& copy : items_of(member(value, "copies")))
    session.out << fmt::format("This copy has it, too; delete it: {}\n", std::string_view(copy.as_string()));
}

int erase(Session& session, const EraseOptions& arguments) {
  if (!session.program.erase) return report(session, Error{ErrorCode::invalid, "this program cannot erase"});
  EraseOptions options = arguments;
  const auto state = options.state.empty() ? default_state_dir(session.environment) : Result<fs::path>(options.state);
  if (!state) return report(session, state.error());
  const auto absolute = [](const fs::path& path) { return fs::absolute(path).lexically_normal().string(); };
  options.state = absolute(*state);
  options.history = absolute(options.history.empty() ? fs::path(options.state) / "history" : fs::path(options.history));
  const auto done = session.program.erase(options);
  if (!done) return report(session, done.error());
  if (session.is_table()) show_erased(session, *done);
  else session.print(json::value(*done));
  return 0;
}

}  // namespace

void add_identity_erase(Verbs& verbs, CLI::App& identity) {
  auto options = std::make_shared<EraseOptions>();
  auto* verb = identity.add_subcommand("erase", "Take a user's data out of the state of a stopped server");
  verb->add_option("NAME", options->name, "Name of the user or service account")->required();
  verb->add_option("--state", options->state, "Folder of the state; default: the default state folder");
  verb->add_option("--store", options->store, "Database with the state, as for ym serve; default: it is in the folder");
  verb->add_option("--schema", options->schema, "Schema in that database")->capture_default_str();
  verb->add_option("--history", options->history, "Folder of the segments; default: history in the state folder");
  verb->add_option("--reason", options->reason, "Why; it stays in the log");
  verb->add_flag("--keep-jobs", options->keep_jobs, "Keep what its ended jobs ran: commands, environment, names");
  verb->add_flag("--delete-logs", options->delete_logs, "Delete the logs of its jobs in the state folder");
  verbs.on(verb, options, erase);
}

}  // namespace ym::cli
