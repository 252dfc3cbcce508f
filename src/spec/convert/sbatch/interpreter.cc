#include "spec/convert/sbatch/interpreter.h"

#include <algorithm>
#include <array>

namespace ym::convert {
namespace {

constexpr std::string_view kBlanksOfCommand = " \t";

bool is_shell_name(std::string_view word) {
  constexpr std::array<std::string_view, 6> kShells{"sh", "bash", "dash", "ksh", "zsh", "ash"};
  return std::ranges::find(kShells, word.substr(word.find_last_of('/') + 1)) != kShells.end();
}

// The script is a file, and not an argument of -c or -e: Python starts no workers of a program without a file, and R
// cuts long arguments. The file is in the task's own folder and is removed with it.
constexpr std::string_view kRunAsFile =
    "own=\"${YM_PROGRESS_FILE%/*}\"\n"
    "script=\"$(mktemp \"${own:-${TMPDIR:-/tmp}}/script.XXXXXX\")\"\n"
    "printf '%s' \"$1\" > \"$script\"\n"
    "shift\n"
    "exec \"$@\" \"$script\"\n";

// Compares words; any number of blanks may separate them.
bool begins_with(std::string_view command, std::string_view words) {
  for (;;) {
    const auto space = words.find(' ');
    const auto word = words.substr(0, space);
    if (!command.starts_with(word)) return false;
    command.remove_prefix(word.size());
    const auto blanks = std::min(command.find_first_not_of(kBlanksOfCommand), command.size());
    if (blanks == 0 && !command.empty()) return false;
    command.remove_prefix(blanks);
    if (space == words.npos) return true;
    words.remove_prefix(space + 1);
  }
}

// Takes the first command of a line, up to the next one. Skips words that may stand before a command.
std::string_view take_command(std::string_view& line) {
  constexpr std::array<std::string_view, 7> kBefore{"if", "then", "else", "do", "!", "{", "time"};
  const auto end = std::min(line.find_first_of(";&|("), line.size());
  auto command = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  for (bool more = true; more;) {
    command.remove_prefix(std::min(command.find_first_not_of(kBlanksOfCommand), command.size()));
    const auto* before = std::ranges::find_if(kBefore, [&](auto word) { return begins_with(command, word); });
    more = before != kBefore.end();
    if (more) command.remove_prefix(before->size());
  }
  return command;
}

std::string_view found_in(std::string_view line) {
  constexpr std::array<std::string_view, 7> kOfProfiles{
      "module", "ml", "source activate", "conda activate", "mamba activate", "spack load", ". activate"};
  while (!line.empty()) {
    const auto command = take_command(line);
    if (command.starts_with('#')) return {};
    const auto* found =
        std::ranges::find_if(kOfProfiles, [&](std::string_view words) { return begins_with(command, words); });
    if (found != kOfProfiles.end()) return *found;
  }
  return {};
}

}  // namespace

bool is_shell_of_sh(const Words& interpreter) { return std::ranges::any_of(interpreter, is_shell_name); }

bool is_login_shell(const Words& interpreter) {
  return is_shell_of_sh(interpreter) && std::ranges::any_of(interpreter, [](const std::string& word) {
           return word == "--login" || (word.starts_with('-') && !word.starts_with("--") && word.contains('l'));
         });
}

std::string_view wants_login_shell(std::string_view body) {
  while (!body.empty()) {
    const auto end = std::min(body.find('\n'), body.size());
    if (const auto found = found_in(body.substr(0, end)); !found.empty()) return found;
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  return {};
}

Words words_to_run(const Words& interpreter, const std::string& head, const std::string& body) {
  Words words = interpreter;
  if (is_shell_of_sh(interpreter)) {
    words.emplace_back("-c");
    words.push_back(head + body);
    return words;
  }
  words = {"/bin/sh", "-c", head + std::string(kRunAsFile), "sh", body};
  words.insert(words.end(), interpreter.begin(), interpreter.end());
  return words;
}

}  // namespace ym::convert
