// What a text is that was given in place of YAML or JSON. A file of the wrong type is named as what it is: what a
// parser says of its first odd character helps nobody.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ym::spec {

// By its first bytes: "a PNG image". Nothing: none of those that are known.
std::optional<std::string> binary_kind(std::string_view text);

// By its first words, what it is and what to do with it: "a Python program; ...". Nothing: it is no program. A job file
// may begin with #! too, so only a text that cannot be read is to be asked about.
std::optional<std::string> program_kind(std::string_view text);

// Which line, from 1, the byte at `at` stands in.
int line_at(std::string_view text, std::size_t at);

// Whether the line, from 1, has a tab in its indentation.
bool is_indented_by_tab(std::string_view text, int line);

}  // namespace ym::spec
