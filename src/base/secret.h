// Secret: text that cannot be printed, compared early-out, or logged by accident.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace ym {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  // The only way out; every call of it is a place to review.
  const std::string& reveal() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

}  // namespace ym
