// Numbers in the files of /proc and /sys.
//
// Without streams: the first stream of a process sets up the locales of the C++ library, which costs a supervisor more
// than all its reading.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ym::local {

// The number after `key` in a file of "key number" lines; 0 if there is none.
std::int64_t number_behind(std::string_view key, std::string_view text);

// All numbers of a file with one number a line, up to the first other line.
std::vector<std::int64_t> numbers_in(std::string_view text);

}  // namespace ym::local
