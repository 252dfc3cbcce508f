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

// That the original is not on this machine any more: its jobs may run below it, and what they leave there would not be
// known here; nor would it know that it has an heir. Of `origin` the directory may not be known: then it is looked for
// among those that `receipts` names. Errors: `conflict`: it is there, and whether a process serves it.
Result<void> check_original_is_gone(const std::filesystem::path& dir, const Origin& origin, std::string_view machine,
                                    const std::filesystem::path& receipts);

}  // namespace ym::sqlite
