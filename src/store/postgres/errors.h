// What PostgreSQL's errors mean to a caller.
#pragma once

#include <string_view>

#include "base/result.h"

namespace ym::postgres {

// Raised by our own functions in the database: another server leads.
inline constexpr std::string_view kFenced = "YM001";

// `sqlstate`: five characters, empty if the error is libpq's own. `place` is for the message.
Error error_of(std::string_view place, std::string_view sqlstate, std::string_view text);

// `corrupt`: what was found, and what to do.
Error damaged(std::string_view place, std::string_view what);

}  // namespace ym::postgres
