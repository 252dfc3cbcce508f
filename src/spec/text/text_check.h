// Checks of text before it is parsed.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"

namespace ym::spec {

// Nothing: the text is UTF-8 (no overlong forms, no surrogates) without NUL and at most kMaxTextBytes long. Otherwise
// the error.
std::optional<Error> check_text(std::string_view text);

// Whether text has a control character, or a character that changes the direction of writing. Such a character makes a
// line look like another one.
bool has_control_characters(std::string_view text);

}  // namespace ym::spec
