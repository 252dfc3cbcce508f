// Maps PostgreSQL's errors to errors of the store.
#pragma once

#include <string_view>

#include "base/result.h"

namespace ym::postgres {

// The functions of the schema raise it: another server leads.
inline constexpr std::string_view kFenced = "YM001";

// `sqlstate`: five characters; empty for an error of libpq itself. `place`: for the message.
Error error_of(std::string_view place, std::string_view sqlstate, std::string_view text);

// An error `corrupt`: it names the damage and what to do.
Error damaged(std::string_view place, std::string_view what);

}  // namespace ym::postgres
