// Scripts for sbatch: lines with #SBATCH become keys, the rest becomes the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

bool is_script(std::string_view text);
// `name`: the job's name if the script sets none.
Result<Conversion> convert_script(std::string_view text, std::string_view name);

// The parts, for tests.

struct ScriptOption {
  std::string name;  // the long name, without dashes; empty: the value is a word that is not an option
  std::string value;
  int line = 0;
};
struct Script {
  Words interpreter;  // the words after #!, with options
  std::vector<ScriptOption> options;
  std::vector<ScriptOption> unread;  // lines that look like options, at places that sbatch does not read
  std::string body;                  // the script as it runs, without the lines for sbatch
  std::vector<int> body_lines;       // line number of each line of `body`
  int body_line = 0;                 // first line
  int command_line = 0;              // line of the first command; 0: none
};
// Reads options in all spellings of sbatch: -N4, -N 4, --nodes=4, --nodes 4; several in a line; # ends them.
Script read_script(std::string_view text);

// "90", "90:30", "1:30:00", "2-12", "2-12:30:00" -> seconds, rounded up. Nothing: not a time, or no limit.
std::optional<std::int64_t> parse_slurm_time(std::string_view text);
// "16G", "4000" (MiB) -> bytes.
std::optional<std::int64_t> parse_slurm_memory(std::string_view text);

}  // namespace ym::convert
