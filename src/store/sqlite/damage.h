// The error for a damaged file.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace ym::sqlite {

// An error `corrupt`: it names the file of the state directory, the damage, and what to do.
Error damaged(const std::filesystem::path& file, std::string_view what);

}  // namespace ym::sqlite
