// fmt's formatting loop, compiled once and not in every file that formats.
//
// Part of the precompiled headers; no file includes it by name. fmt 9 declares most of its templates as extern, but not
// this one.
#pragma once

#include <fmt/format.h>

namespace fmt::detail {

extern template void vformat_to<char>(buffer<char>& out, basic_string_view<char> format,
                                      basic_format_args<FMT_BUFFER_CONTEXT(char)> arguments, locale_ref locale);

}  // namespace fmt::detail
