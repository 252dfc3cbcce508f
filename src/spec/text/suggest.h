// "Did you mean": the known word nearest to one that is not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ym::spec {

// Nothing if none is near enough to be a slip of the keyboard, or alone begins with the word. Capitals, and '-' for
// '_', make no difference.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

// "; did you mean local?", of the words that a complaint offers: "'locl' is none; write local or slurm". Empty: it does
// not begin with the word in quotes, offers no such words ("write for example 2h"), or none is near.
std::string guess_among_offered(std::string_view word, std::string_view complaint);

}  // namespace ym::spec
