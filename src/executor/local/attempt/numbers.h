// Numbers in the files of /proc and /sys.
//
// Without streams: the first of them a process makes sets up the C++ library's locales, which
// costs a supervisor more than all that it reads.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ym::local {

// Of a file of "key number" lines, the number behind `key`; 0 if there is none.
std::int64_t number_behind(std::string_view key, std::string_view text);

// Of a file of one number a line, all of them up to the first line that is none.
std::vector<std::int64_t> numbers_in(std::string_view text);

}  // namespace ym::local
