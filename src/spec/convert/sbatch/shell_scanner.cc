#include "spec/convert/sbatch/shell_scanner.h"

#include <algorithm>

namespace ym::convert {
namespace {

constexpr std::string_view kBlanksInLine = " \t";

std::string_view without_tabs(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('\t'), text.size()));
  return text;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// After a backslash, $ is an ordinary character.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') ++at, plain += ' ';
    else plain += text[at];
  }
  return plain;
}

}  // namespace

bool ShellScanner::begins_comment(std::string_view text, std::size_t at) const {
  if (text[at] != '#' || within('"') || within('\'')) return false;
  return at == 0 || (kBlanksInLine.contains(text[at - 1]) || text[at - 1] == ';');
}

// In "$(...)" the count of quotes starts again.
void ShellScanner::open_or_close(std::string_view text, std::size_t at) {
  const char c = text[at];
  const bool quoted = within('"');
  const bool nested = c == '(' && (!quoted || (at > 0 && text[at - 1] == '$'));
  if (c == '"') {
    if (quoted) open_.pop_back();
    else open_ += c;
  } else if (c == ')' && within('(')) {
    open_.pop_back();
  } else if (nested || (c == '\'' && !quoted)) {
    open_ += c;
  }
}

// "<<EOF", "<<-'EOF'". Not "<<<", and not a shift of bits.
void ShellScanner::find_here_document(std::string_view text, std::size_t at) {
  auto rest = text.substr(at);
  if (within('"') || open_.ends_with("((") || !rest.starts_with("<<") || (at > 0 && text[at - 1] == '<')) return;
  HereDocument here;
  rest.remove_prefix(2);
  here.indented = rest.starts_with('-');
  if (here.indented) rest.remove_prefix(1);
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanksInLine), rest.size()));
  here.literal = !rest.empty() && std::string_view("'\"\\").contains(rest.front());
  if (here.literal) rest.remove_prefix(1);
  if (rest.empty() || !is_letter(rest.front())) return;
  here.end = rest.substr(0, rest.find_first_of(" \t'\";&|)<>"));
  here_.push_back(std::move(here));
}

ShellScanner::Line ShellScanner::scan_here_document(std::string_view text) {
  const auto here = here_.front();
  if ((here.indented ? without_tabs(text) : text) == here.end) return here_.pop_front(), Line{};
  return {.code = std::string(text), .expanded = here.literal ? std::string() : without_escapes(text)};
}

void ShellScanner::scan_character(std::string_view text, std::size_t& at, Line& line) {
  line.code += text[at];
  if (within('\'')) {
    if (text[at] == '\'') open_.pop_back();
  } else if (text[at] == '\\') {
    if (++at < text.size()) line.code += text[at];
    line.expanded += ' ';
  } else {
    find_here_document(text, at);
    open_or_close(text, at);
    if (!within('\'')) line.expanded += text[at];
  }
}

ShellScanner::Line ShellScanner::scan(std::string_view text) {
  if (!here_.empty()) return scan_here_document(text);
  Line line;
  for (std::size_t at = 0; at < text.size() && !begins_comment(text, at); ++at) scan_character(text, at, line);
  return line;
}

}  // namespace ym::convert
