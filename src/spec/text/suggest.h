// "Did you mean": finds the known word that is nearest to an unknown one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ym::spec {

// Nothing: no known word is near enough for a typing mistake, and none is the only one that begins with the word.
// Ignores case, and takes '-' for '_'.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

// "; did you mean local?", from the words that a message offers: "'locl' is not an executor; write local or slurm".
// Empty: the message does not begin with the word in quotes, or offers no such words ("write for example 2h"), or
// none is near.
std::string guess_among_offered(std::string_view word, std::string_view complaint);

}  // namespace ym::spec
