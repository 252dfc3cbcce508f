// Checks of text before anything parses it.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"

namespace ym::spec {

// Nothing if the text is UTF-8 without NUL and within kMaxTextBytes; else what is wrong.
std::optional<Error> check_text(std::string_view text);

// Valid UTF-8 (no overlong forms, no surrogates).
bool is_utf8(std::string_view text);

// Whether text has a control character, or one of those that change the direction of
// writing and so make a line look like something else.
bool has_control_characters(std::string_view text);

}  // namespace ym::spec
