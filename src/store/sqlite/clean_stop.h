// A note beside the database that it was closed whole.
//
// Checking a very large database takes minutes. After a stop that was no crash, with the
// file as it was then, nothing can have gone wrong that the checks of each row do not
// find when it is read.
#pragma once

#include <filesystem>

namespace ym::sqlite {

// True if the note is there and fits the database. It is gone afterwards.
bool take_clean_stop(const std::filesystem::path& database);
// Precondition: the database is closed. Does nothing if a write-ahead log is left.
void leave_clean_stop(const std::filesystem::path& database);

}  // namespace ym::sqlite
