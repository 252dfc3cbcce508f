// Fault: what is wrong with a request of SCIM. It is answered with 400 (RFC 7644, section 3.12).
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace ym::api::scim {

struct Fault {
  std::string_view type;  // `scimType`; a literal
  std::string detail;
};

template <class T>
using Read = std::expected<T, Fault>;

[[nodiscard]] inline std::unexpected<Fault> invalid_syntax(std::string detail) {
  return std::unexpected(Fault{"invalidSyntax", std::move(detail)});
}
[[nodiscard]] inline std::unexpected<Fault> invalid_value(std::string detail) {
  return std::unexpected(Fault{"invalidValue", std::move(detail)});
}
[[nodiscard]] inline std::unexpected<Fault> invalid_path(std::string detail) {
  return std::unexpected(Fault{"invalidPath", std::move(detail)});
}
[[nodiscard]] inline std::unexpected<Fault> invalid_filter(std::string detail) {
  return std::unexpected(Fault{"invalidFilter", std::move(detail)});
}

}  // namespace ym::api::scim
