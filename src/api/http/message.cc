#include "api/http/message.h"

#include "api/http/text.h"

namespace ym::api {
namespace {

constexpr std::array<std::string_view, 8> kMethods{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "OTHER"};

}  // namespace

std::string_view to_string(Method method) { return kMethods.at(static_cast<std::size_t>(method)); }

Method parse_method(std::string_view text) {
  for (std::size_t i = 0; i + 1 < kMethods.size(); ++i) {
    if (kMethods[i] == text) return static_cast<Method>(i);
  }
  return Method::other;
}

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
