// Which database a state is at home in, so that one that was dumped and put into another can be told from the original.
//
// It is known by the database system's identifier and by the numbers of the database and of a table of ours: whoever
// puts a dump somewhere makes that table anew. A copy of a whole database system (its files, a base backup) has the
// same ones.
#pragma once

#include <optional>
#include <string>

#include "store/postgres/connection.h"

namespace ym::postgres {

// The place, for people, where it is at home, if that is not here. Nothing: it is at home, or nobody has written down
// where, as versions before this one.
Result<std::optional<std::string>> home_elsewhere(Connection& connection);

// It is at home here, where nobody has written down another place. With `take_over` wherever it was before, and it is
// set back from now on. Precondition: the schema is the newest.
Result<void> settle(Connection& connection, bool take_over);

// It is set back from now on, as a state is that comes from a store which was. Nothing else of it is changed.
Result<void> mark_set_back(Connection& connection);

// Whether it was taken over or marked so, and nothing was committed since.
Result<bool> was_set_back(Connection& connection);

// The statement of a commit after which it is no longer.
inline constexpr std::string_view kNotSetBack = "DELETE FROM secrets WHERE name = 'set-back'";

// `conflict`: it is at home elsewhere; names the ways to go on.
Error refused_copy(const Connection& connection, const std::string& home);

}  // namespace ym::postgres
