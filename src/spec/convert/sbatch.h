// Scripts for sbatch: the lines with #SBATCH become keys, what stands below them is what runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

bool is_script(std::string_view text);
// `name`: the job's, if the script gives none.
Result<Conversion> convert_script(std::string_view text, std::string_view name);

// The pieces, for tests.

struct ScriptOption {
  std::string name;  // the long one, without dashes; empty: the value is a word that is no option
  std::string value;
  int line = 0;
};
struct Script {
  Words interpreter;  // of #!, with its options
  std::vector<ScriptOption> options;
  std::vector<ScriptOption> unread;  // of lines that look like options, where sbatch does not look
  std::string body;                  // without the lines of sbatch's, as it is run
  std::vector<int> body_lines;       // where each of its lines stands
  int body_line = 0;                 // where it begins
  int command_line = 0;              // where the first command is; 0: there is none
};
// Options in all the spellings of sbatch: -N4, -N 4, --nodes=4, --nodes 4; several in a line; # ends them.
Script read_script(std::string_view text);

// "90", "90:30", "1:30:00", "2-12", "2-12:30:00" -> seconds, rounded up. Nothing: that is no time, or no limit.
std::optional<std::int64_t> parse_slurm_time(std::string_view text);
// "16G", "4000" (MiB) -> bytes.
std::optional<std::int64_t> parse_slurm_memory(std::string_view text);

}  // namespace ym::convert
