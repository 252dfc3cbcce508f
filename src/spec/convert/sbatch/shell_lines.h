// The lines of a script as a shell reads them, without comments. Recognises quotes as far as that is possible without
// running the script.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/sbatch/sbatch.h"

namespace ym::convert {

struct ShellLine {
  int number = 0;    // in the file
  std::string code;  // without comments; complete in a here-document
  std::string
      expanded;  // the part of `code` in which $ is expanded: outside of single quotes, and not after a backslash
  bool in_function = false;  // there $1 is an argument of the function
};

std::vector<ShellLine> shell_lines(const Script& script);

// Whether the line calls the command, by its name or the last part of its path.
bool calls(const ShellLine& line, std::string_view command);

// The first line that calls it; null: none.
const ShellLine* line_that_calls(const std::vector<ShellLine>& lines, std::string_view command);

// The first line that has one of the words; null: none.
const ShellLine* line_with(const std::vector<ShellLine>& lines, const std::vector<std::string_view>& words);

// The command that begins in this line, with the lines that a backslash joins to it.
std::string whole_command(const std::vector<ShellLine>& lines, const ShellLine& first);

// Adds a remark on the program, at this line.
void warn_at(int line, const Part& part, Remarks& remarks, std::string_view message);
void note_at(int line, const Part& part, Remarks& remarks, std::string_view message);

}  // namespace ym::convert
