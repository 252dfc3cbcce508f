// Arguments of a script, and its own path. Both differ here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "spec/convert/sbatch/interpreter.h"
#include "spec/convert/sbatch/script_commands.h"

namespace ym::convert {
namespace {

// Names of the arguments in languages other than shells.
constexpr std::array<std::string_view, 4> kOwnNames{"sys.argv", "commandArgs", "@ARGV", "$ARGV"};

// The name after $, as in "$1" and "$@"; empty: it is not an argument.
std::string argument_at(std::string_view text, std::size_t dollar) {
  constexpr std::string_view kNames = "0123456789@*#";
  auto rest = text.substr(dollar + 1);
  const bool braces = rest.starts_with('{');
  if (braces) rest.remove_prefix(1);
  if (rest.empty() || !kNames.contains(rest.front())) return {};
  // ${#name} is a length.
  if (braces && rest.front() == '#' && !rest.starts_with("#}")) return {};
  return fmt::format("${}", rest.front());
}

bool sets_arguments(const ShellLine& line) { return calls(line, "set --"); }

struct Read {
  bool own_name = false;  // $0
  std::vector<std::string> arguments;
};

Read read_in(const ShellLine& line) {
  Read read{.own_name = line.expanded.contains("BASH_SOURCE"), .arguments = {}};
  const std::string_view text = line.expanded;
  for (auto at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    auto name = argument_at(text, at);
    if (name == "$0") read.own_name = true;
    else if (!name.empty() && !line.in_function) read.arguments.push_back(std::move(name));
  }
  return read;
}

Read read_own_names(const ShellLine& line) {
  Read read;
  for (const auto name : kOwnNames)
    if (line.code.contains(name)) read.arguments.emplace_back(name);
  return read;
}

// The names that are not in `said` yet.
std::vector<std::string> still_new(const std::vector<std::string>& names, std::vector<std::string>& said) {
  std::vector<std::string> fresh;
  for (const auto& name : names)
    if (std::ranges::find(said, name) == said.end()) said.push_back(name), fresh.push_back(name);
  return fresh;
}

// "bash" of "/usr/bin/env bash".
std::string_view shell_of(const Words& interpreter) {
  const auto found = std::ranges::find_if(interpreter, [](const auto& word) { return is_shell_of_sh({word}); });
  return found == interpreter.end() ? std::string_view() : *found;
}

void warn_of_own_name(const ShellLine& line, const Words& interpreter, const Part& part, Remarks& remarks) {
  warn_at(line.number, part, remarks,
          fmt::format("reads $0 or BASH_SOURCE for its folder; here it is not a file, and $0 is {}: write the folder, "
                      "or $PWD, the folder of the submit",
                      shell_of(interpreter)));
}

}  // namespace

void warn_of_arguments(const std::vector<ShellLine>& lines, const Words& interpreter, const Part& part,
                       Remarks& remarks) {
  const bool shell = is_shell_of_sh(interpreter);
  std::vector<std::string> said;
  bool set = false;
  for (const auto& line : lines) {
    const auto read = shell ? read_in(line) : read_own_names(line);
    if (read.own_name) warn_of_own_name(line, interpreter, part, remarks);
    const auto fresh = set ? std::vector<std::string>() : still_new(read.arguments, said);
    if (!fresh.empty())
      warn_at(line.number, part, remarks,
              fmt::format("reads {}: arguments after the script on sbatch's command line are not converted; write "
                          "their values instead",
                          fmt::join(fresh, ", ")));
    set = set || (shell && sets_arguments(line));
  }
}

}  // namespace ym::convert
