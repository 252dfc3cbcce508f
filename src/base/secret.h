// Secret: text that cannot be printed, logged, or compared with an early exit by accident.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace ym {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  // The only access to the text. Review every call.
  const std::string& reveal() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

}  // namespace ym
