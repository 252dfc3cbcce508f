#include "store/postgres/home.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym::postgres {
namespace {

// Stands for the system identifier where the role may not read it.
constexpr std::string_view kUnknown = "-";

Result<std::string> system_identifier(Connection& connection) {
  const auto allowed =
      connection.run("SELECT 1 WHERE has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')");
  if (!allowed) return std::unexpected(allowed.error());
  if (allowed->size() == 0) return std::string(kUnknown);
  const auto answer = connection.run("SELECT system_identifier::text FROM pg_control_system()");
  if (!answer) return std::unexpected(answer.error());
  return std::string((*answer)[0].bytes(0));
}

// Where this connection leads: "SYSTEM DATABASE/TABLE".
Result<std::string> where_we_are(Connection& connection) {
  const auto system = system_identifier(connection);
  if (!system) return system;
  const auto answer = connection.run(
      "SELECT d.oid::text || '/' || 'secrets'::regclass::oid::text FROM pg_database d WHERE d.datname = "
      "current_database()");
  if (!answer) return std::unexpected(answer.error());
  return fmt::format("{} {}", *system, (*answer)[0].bytes(0));
}

std::string_view take_word(std::string_view& text) {
  const auto word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

// Nothing: there is no such entry.
Result<std::optional<std::string>> stored(Connection& connection, std::string_view name) {
  Parameters parameters;
  const auto rows = connection.run("SELECT value FROM secrets WHERE name = $1", parameters.add_text(name));
  if (!rows) return std::unexpected(rows.error());
  if (rows->size() == 0) return std::nullopt;
  return std::string((*rows)[0].bytes(0));
}

}  // namespace

Result<std::optional<std::string>> other_home(Connection& connection) {
  const auto known = connection.run("SELECT 1 WHERE to_regclass('secrets') IS NOT NULL");
  if (!known) return std::unexpected(known.error());
  if (known->size() == 0) return std::nullopt;
  const auto home = stored(connection, "home");
  if (!home || !*home) return home;
  const auto here = where_we_are(connection);
  if (!here) return std::unexpected(here.error());
  std::string_view theirs = **home, ours = *here;
  const auto their_system = take_word(theirs), our_system = take_word(ours);
  const bool same_system = their_system == our_system || their_system == kUnknown || our_system == kUnknown;
  if (same_system && take_word(theirs) == take_word(ours)) return std::nullopt;
  if (!same_system) take_word(theirs);
  return std::string(theirs);
}

Result<void> settle(Connection& connection, bool take_over) {
  const auto here = where_we_are(connection);
  if (!here) return std::unexpected(here.error());
  const auto home = fmt::format("{} {}", *here, connection.place());
  Parameters parameters;
  parameters.add(std::string_view(home));
  const auto done = connection.run(
      take_over ? "INSERT INTO secrets VALUES('home', $1), ('set-back', '') ON CONFLICT (name) DO UPDATE SET value = "
                  "excluded.value"
                : "INSERT INTO secrets VALUES('home', $1) ON CONFLICT (name) DO NOTHING",
      parameters);
  return done ? Result<void>() : std::unexpected(done.error());
}

Result<void> mark_set_back(Connection& connection) {
  const auto done = connection.run("INSERT INTO secrets VALUES('set-back', '') ON CONFLICT (name) DO NOTHING");
  return done ? Result<void>() : std::unexpected(done.error());
}

Result<bool> was_set_back(Connection& connection) {
  const auto mark = stored(connection, "set-back");
  if (!mark) return std::unexpected(mark.error());
  return mark->has_value();
}

Error refused_copy(const Connection& connection, const std::string& home) {
  return {
      .code = ErrorCode::conflict,
      .message = fmt::format(
          "{} holds a copy of the state of {}, and two servers of one state would start every job twice. Nothing was "
          "changed. `ym serve --store` looks at it and changes nothing; with `--take-over` it continues it, once no "
          "server serves the original",
          connection.place(), home)};
}

}  // namespace ym::postgres
