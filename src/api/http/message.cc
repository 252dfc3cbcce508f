#include "api/http/message.h"

#include "api/http/text.h"
#include "base/enum_names.h"

namespace ym::api {

Method parse_method(std::string_view text) { return parse_enum<Method>(text).value_or(Method::other); }

std::string_view Request::header(std::string_view name) const {
  for (const auto& field : headers) {
    if (equal_ignoring_case(field.name, name)) return field.value;
  }
  return {};
}

std::size_t Request::count(std::string_view name) const {
  std::size_t n = 0;
  for (const auto& field : headers) n += equal_ignoring_case(field.name, name) ? 1 : 0;
  return n;
}

}  // namespace ym::api
