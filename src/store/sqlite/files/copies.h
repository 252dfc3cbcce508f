// Messages and checks for a state that is a copy of another one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/sqlite/files/state_marker.h"

namespace ym::sqlite {

// The original of the copy in `dir`, for messages: "the state of /var/lib/ym". `machine`: this machine's id.
std::string describe(const std::filesystem::path& dir, const Origin& origin, std::string_view machine);

// An error `conflict`: it names the original and the ways to go on.
Error refused_copy(const std::filesystem::path& dir, const Origin& origin);

// Checks that the original is not on this machine any more. If it were, its jobs could run below its directory, which
// this state does not see, and the original would not know that a copy has taken over. If `origin` does not name the
// directory, it is looked for among the directories that the receipts name.
// Errors: `conflict`: the original is there; the message says whether a process serves it.
Result<void> check_original_is_gone(const std::filesystem::path& dir, const Origin& origin, std::string_view machine,
                                    const std::filesystem::path& receipts);

}  // namespace ym::sqlite
