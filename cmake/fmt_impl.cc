// The compiled half of fmt, for a program that is to be started without the shared one.
#include <fmt/format-inl.h>

// What its headers leave to one place.
FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE
