// The home of a state: the database in which it was made. It distinguishes a dump that was restored into another
// database from the original.
//
// The home is the identifier of the database system, and the numbers (OIDs) of the database and of the table `secrets`.
// A restored dump has a new table. A copy of a whole database system (its files, a base backup) has the same home.
#pragma once

#include <optional>
#include <string>

#include "store/postgres/connection.h"

namespace ym::postgres {

// The state's home, for messages, if it is another place than this one. Nothing: the home is here or unknown. Versions
// before this one stored no home.
Result<std::optional<std::string>> other_home(Connection& connection);

// Stores that this place is the home, if none is stored. With `take_over`: whatever home is stored, and the state is
// set back from now on. Precondition: the schema is the newest.
Result<void> settle(Connection& connection, bool take_over);

// The state is set back from now on, because its source was. Nothing else changes.
Result<void> mark_set_back(Connection& connection);

// Whether the state was taken over or marked as set back, and there was no commit since.
Result<bool> was_set_back(Connection& connection);

// A commit runs this statement. The state is not set back after it.
inline constexpr std::string_view kNotSetBack = "DELETE FROM secrets WHERE name = 'set-back'";

// An error `conflict`: the home is another place. The message names the ways to go on.
Error refused_copy(const Connection& connection, const std::string& home);

}  // namespace ym::postgres
