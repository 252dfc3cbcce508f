// How damage is told.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace ym::sqlite {

// `corrupt`: what was found in which file of a state directory, and what to do.
Error damaged(const std::filesystem::path& file, std::string_view what);

}  // namespace ym::sqlite
