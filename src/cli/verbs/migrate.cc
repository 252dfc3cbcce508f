#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <filesystem>

#include "cli/verbs/verb.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

void show_moved(Session& session, const json::object& moved) {
  session.out << fmt::format("{} is in {}\n", std::string_view(moved.at("from").as_string()),
                             std::string_view(moved.at("to").as_string()));
  for (const auto& [table, count] : moved.at("rows").as_object())
    session.out << fmt::format("{:>12} {}\n", count.to_number<std::uint64_t>(), std::string_view(table));
}

int migrate(Session& session, const MigrateOptions& arguments) {
  if (!session.program.migrate) return report(session, Error{ErrorCode::invalid, "this program cannot move a state"});
  MigrateOptions options = arguments;
  const auto state =
      options.state.empty() ? default_state_dir(session.environment) : Result<std::filesystem::path>(options.state);
  if (!state) return report(session, state.error());
  options.state = std::filesystem::absolute(*state).lexically_normal().string();
  const auto moved = session.program.migrate(options);
  if (!moved) return report(session, moved.error());
  if (session.is_table()) show_moved(session, *moved);
  else session.print(json::value(*moved));
  return 0;
}

}  // namespace

void add_migrate(Verbs& verbs) {
  auto options = std::make_shared<MigrateOptions>();
  auto* verb = verbs.add("migrate", "Move the state of a stopped server into PostgreSQL");
  verb->add_option("--state", options->state, "Folder of the state; default: the default state folder");
  verb->add_option("--to", options->to, "postgresql://USER@HOST:PORT/DATABASE; put the password into PGPASSFILE")
      ->required();
  verb->add_option("--schema", options->schema, "Schema in the database; it must be empty")->capture_default_str();
  verbs.on(verb, options, migrate);
}

}  // namespace ym::cli
