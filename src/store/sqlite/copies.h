// What is said and done of a state that is a copy of another.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/sqlite/state_marker.h"

namespace ym::sqlite {

// Of what `dir` is a copy, for people: "the state of /var/lib/ym". `machine`: of this machine.
std::string describe(const std::filesystem::path& dir, const Origin& origin, std::string_view machine);

// `conflict`: names the original and the ways to go on.
Error refused_copy(const std::filesystem::path& dir, const Origin& origin);

// Errors: `conflict`: the original is on this machine, and a process serves it.
Result<void> check_not_served(const std::filesystem::path& dir, const Origin& origin, std::string_view machine);

}  // namespace ym::sqlite
