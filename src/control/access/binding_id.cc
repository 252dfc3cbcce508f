#include "control/access/binding_id.h"

#include <fmt/format.h>

#include "control/access/token_text.h"

namespace ym {

std::string binding_id(const Binding& binding) {
  constexpr std::size_t kDigits = 12;
  // No part contains a line feed.
  const auto text = fmt::format("{}\n{}\n{}\n{}", binding.role, to_string(binding.grantee.kind), binding.grantee.name,
                                to_string(binding.scope));
  return hash_text(text).substr(0, kDigits);
}

}  // namespace ym
