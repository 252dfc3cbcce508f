// Recognises other kinds of text in place of YAML or JSON. The message names the kind of file, because a parser's
// message about its first odd character does not help.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ym::spec {

// By its first bytes: "a PNG image". Nothing: not a known kind.
std::optional<std::string> binary_kind(std::string_view text);

// By its first words, with advice: "a Python program; ...". Nothing: it is not a program. A job file may begin with
// #! too, so ask only about a text that cannot be read.
std::optional<std::string> program_kind(std::string_view text);

// The line, from 1, of the byte at `at`.
int line_at(std::string_view text, std::size_t at);

// Whether the line, counted from 1, has a tab in its indentation.
bool is_indented_by_tab(std::string_view text, int line);

}  // namespace ym::spec
