#include "base/fmt_once.h"

namespace fmt::detail {

template void vformat_to<char>(buffer<char>& out, basic_string_view<char> format,
                               basic_format_args<FMT_BUFFER_CONTEXT(char)> arguments, locale_ref locale);

}  // namespace fmt::detail
