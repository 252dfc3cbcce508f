#include "spec/convert/sbatch/shell_lines.h"

#include <algorithm>

#include "spec/convert/sbatch/shell_scanner.h"

namespace ym::convert {
namespace {

constexpr std::string_view kBlanks = " \t";

std::size_t indent_of(std::string_view code) { return std::min(code.find_first_not_of(kBlanks), code.size()); }

// "name() {", "function name {".
bool begins_function(std::string_view code) {
  code.remove_prefix(indent_of(code));
  if (code.starts_with("function ")) return true;
  const auto end = code.find_first_of(" \t()");
  if (end == 0 || end == code.npos) return false;
  code.remove_prefix(end);
  return code.substr(indent_of(code)).starts_with("()");
}

bool ends_with_brace(std::string_view code) {
  const auto last = code.find_last_not_of(" \t;");
  return last != code.npos && code[last] == '}';
}

// Marks the lines of a function: from its name to a } with the same indentation.
void mark_functions(std::vector<ShellLine>& lines) {
  bool within = false;
  std::size_t indent = 0;
  for (auto& line : lines) {
    const bool begins = !within && begins_function(line.code);
    if (begins) indent = indent_of(line.code);
    line.in_function = within || begins;
    if (begins) within = !ends_with_brace(line.code);
    else if (within)
      within = !(line.code.substr(indent_of(line.code)).starts_with('}') && indent_of(line.code) <= indent);
  }
}

Field field_at(const Value& at, const Part& part) { return {&at, part.at.pointer, part.at.problems}; }

}  // namespace

std::vector<ShellLine> shell_lines(const Script& script) {
  std::vector<ShellLine> lines;
  ShellScanner scanner;
  std::string_view rest = script.body;
  for (const int number : script.body_lines) {
    const auto end = std::min(rest.find('\n'), rest.size());
    auto [code, expanded] = scanner.scan(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    lines.push_back({.number = number, .code = std::move(code), .expanded = std::move(expanded)});
  }
  mark_functions(lines);
  return lines;
}

bool calls(const ShellLine& line, std::string_view command) {
  const std::string_view code = line.code;
  for (auto at = code.find(command); at != code.npos; at = code.find(command, at + 1)) {
    const auto end = at + command.size();
    const bool begins = at == 0 || std::string_view(" \t;&|(`\"'=/").contains(code[at - 1]);
    if (begins && (end == code.size() || std::string_view(" \t\\;&|)`\"'").contains(code[end]))) return true;
  }
  return false;
}

const ShellLine* line_that_calls(const std::vector<ShellLine>& lines, std::string_view command) {
  const auto found = std::ranges::find_if(lines, [&](const ShellLine& line) { return calls(line, command); });
  return found == lines.end() ? nullptr : &*found;
}

const ShellLine* line_with(const std::vector<ShellLine>& lines, const std::vector<std::string_view>& words) {
  const auto found = std::ranges::find_if(lines, [&](const ShellLine& line) {
    return std::ranges::any_of(words, [&](std::string_view word) { return line.code.contains(word); });
  });
  return found == lines.end() ? nullptr : &*found;
}

std::string whole_command(const std::vector<ShellLine>& lines, const ShellLine& first) {
  std::string command;
  for (auto at = static_cast<std::size_t>(&first - lines.data()); at < lines.size(); ++at) {
    command += lines[at].code;
    if (!command.ends_with('\\')) break;
    command.back() = ' ';
  }
  return command;
}

void warn_at(int line, const Part& part, Remarks& remarks, std::string_view message) {
  const Value at{.kind = Value::Kind::string, .text = {}, .line = line};
  remarks.warn(field_at(at, part), message);
}

void note_at(int line, const Part& part, Remarks& remarks, std::string_view message) {
  const Value at{.kind = Value::Kind::string, .text = {}, .line = line};
  remarks.note(field_at(at, part), message);
}

}  // namespace ym::convert
