// The part of the shell's word splitting that works without a shell.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ym {

// The value of a variable; empty if it is not set.
using VariableLookup = std::function<std::string(const std::string& name)>;

// Splits a line into words as `sh` would: blanks, '...', "...", backslashes, and $NAME or ${NAME}, which is split at
// blanks outside quotes. Empty if the line needs a real shell: command substitution, globs, pipes, redirections, `;`,
// `&`, newlines, `~`, comments, assignments, any other expansion, or an open quote.
std::optional<std::vector<std::string>> split_words(std::string_view line, const VariableLookup& variable);

}  // namespace ym
