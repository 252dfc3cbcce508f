// Bodies of forms: application/x-www-form-urlencoded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ym::api {

class FormFields {
 public:
  static constexpr std::size_t kMostFields = 32, kMostBytes = std::size_t{64} << 10;

  // Nothing: it is not well-formed, has a field twice, or is over these bounds.
  static std::optional<FormFields> parse(std::string_view body);

  // Empty: it has no such field.
  std::string get(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace ym::api
