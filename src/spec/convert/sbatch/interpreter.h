// The interpreter of a script's body.
#pragma once

#include <string>
#include <string_view>

#include "spec/convert/draft.h"

namespace ym::convert {

// Whether it is a shell that understands plain sh. `interpreter`: the words after #!, also of `env`.
bool is_shell_of_sh(const Words& interpreter);
bool is_login_shell(const Words& interpreter);

// A command of the body that a shell knows only from its profile, such as "module" and "source activate"; empty:
// none. Slurm passes on the functions of the shell that ran sbatch, so there such commands work without a profile.
std::string_view wants_login_shell(std::string_view body);

// `head`: lines of plain sh that run first. An interpreter that is not a shell gets the body as a file, from a shell.
Words words_to_run(const Words& interpreter, const std::string& head, const std::string& body);

}  // namespace ym::convert
