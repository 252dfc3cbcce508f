#include "store/postgres/errors.h"

#include <fmt/format.h>

namespace ym::postgres {
namespace {

// By class (the first two characters) where the class is enough.
ErrorCode meaning_of(std::string_view sqlstate) {
  if (sqlstate == kFenced) return ErrorCode::conflict;
  if (sqlstate == "XX001" || sqlstate == "XX002") return ErrorCode::corrupt;
  if (sqlstate == "25006") return ErrorCode::unavailable;  // a read-only server: a failover is under way
  const auto kind = sqlstate.substr(0, 2);
  // Classes: connection, transaction rolled back, resources, object in use, operator intervention, system.
  for (const auto* later : {"08", "40", "53", "55", "57", "58"})
    if (kind == later) return ErrorCode::unavailable;
  if (sqlstate == "42501") return ErrorCode::io;  // a privilege is missing
  return ErrorCode::internal;
}

std::string_view trimmed(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

Error error_of(std::string_view place, std::string_view sqlstate, std::string_view text) {
  const ErrorCode meaning = meaning_of(sqlstate);
  if (meaning == ErrorCode::corrupt) return damaged(place, trimmed(text));
  if (meaning == ErrorCode::conflict)
    return {.code = meaning, .message = fmt::format("another server has taken over {}", place)};
  return {.code = meaning,
          .message = fmt::format("{}: {} (SQLSTATE {})", place, trimmed(text), sqlstate),
          .retryable = meaning == ErrorCode::unavailable};
}

Error damaged(std::string_view place, std::string_view what) {
  return {.code = ErrorCode::corrupt,
          .message = fmt::format("{}: {}. Nothing was changed. Restore the database from a backup", place, what)};
}

}  // namespace ym::postgres
