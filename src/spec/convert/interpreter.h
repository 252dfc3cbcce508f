// Who runs a script's body, and how.
#pragma once

#include <string>
#include <string_view>

#include "spec/convert/draft.h"

namespace ym::convert {

// A shell that understands plain sh; the words are those behind #!, also of `env`.
bool is_shell_of_sh(const Words& interpreter);
bool is_login_shell(const Words& interpreter);

// What the body calls that a shell knows only by its profile, such as "module" and "source activate"; empty: nothing.
// Slurm hands down the functions of the shell in which sbatch was typed, so that it works there without one.
std::string_view wants_login_shell(std::string_view body);

// `head`: lines of plain sh that come first. Whoever is no such shell gets the body as a file, from one that is.
Words words_to_run(const Words& interpreter, const std::string& head, const std::string& body);

}  // namespace ym::convert
