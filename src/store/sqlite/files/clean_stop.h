// A note beside the database that says that the database was closed cleanly.
//
// A full check of a very large database takes minutes. It is not needed after a clean stop if the file has not changed
// since: the checks of each row find all other damage when the row is read.
#pragma once

#include <filesystem>

namespace ym::sqlite {

// True if the note is there and matches the database. Removes the note.
bool take_clean_stop(const std::filesystem::path& database);
// Precondition: the database is closed. Does nothing if there is a write-ahead log.
void leave_clean_stop(const std::filesystem::path& database);

}  // namespace ym::sqlite
