// The lines of a script as a shell reads them: without comments, and with quotes told apart as well as that can be done
// without running it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/sbatch.h"

namespace ym::convert {

struct ShellLine {
  int number = 0;            // in the file
  std::string code;          // without comments; of a here-document all
  std::string expanded;      // of that, where $ means something: not between single quotes, nor behind a backslash
  bool in_function = false;  // where $1 is an argument of that
};

std::vector<ShellLine> shell_lines(const Script& script);

// Whether the command is called there; its name, or the last part of its path.
bool calls(const ShellLine& line, std::string_view command);

// The first line that calls it; null: none does.
const ShellLine* line_that_calls(const std::vector<ShellLine>& lines, std::string_view command);

// The first line in which one of the words stands; null: none does.
const ShellLine* line_with(const std::vector<ShellLine>& lines, const std::vector<std::string_view>& words);

// What begins in this line, with the lines in which it goes on behind a backslash.
std::string whole_command(const std::vector<ShellLine>& lines, const ShellLine& first);

// For a remark: on what runs, at this line.
void warn_at(int line, const Part& part, Remarks& remarks, std::string_view message);
void note_at(int line, const Part& part, Remarks& remarks, std::string_view message);

}  // namespace ym::convert
