#include "executor/testing/recorded_responses/recorded_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <set>
#include <stdexcept>

namespace ym::recorded {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 7> kPrograms{"sbatch", "squeue", "sacct", "scancel", "scontrol", "sinfo", "srun"};

// "@BOX@": the folder.
constexpr std::string_view kScript = R"sh(#!/bin/sh
# Plays a recording: executor/testing/recorded_responses/README.md.
box='@BOX@'
said="${0##*/} $*"
entry=
. "$box/now"
printf '%s\n' "$phase ${entry:--} $said" >> "$box/calls"
if [ -z "$entry" ]; then
  echo "not in the recording: $said" >&2
  exit 98
fi
case $said in sbatch*) cat > /dev/null ;; esac
n=1
while ! mkdir "$box/count/$entry.$n" 2> /dev/null; do n=$((n + 1)); done
if [ "$n" -gt "$responses" ]; then n=$responses; fi
. "$box/response/$entry.$n"
)sh";

void write(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
}

std::string phase_file(const std::string& phase) { return "phase-" + phase; }

// Turns a recording's pattern into one of the shell: the text between the stars is literal.
std::string shell_pattern(std::string_view pattern) {
  std::string text = "'";
  for (const char c : pattern) text += c == '*' ? "'*'" : std::string(1, c);
  return text + "'";
}

std::string play(const RecordedResponse& response, const std::string& name) {
  std::string text;
  if (!response.then.empty())
    text += fmt::format("ln -s {} \"$box/next.$$\"\nmv -T \"$box/next.$$\" \"$box/now\"\n", phase_file(response.then));
  if (response.way == RecordedResponse::Way::never) text += "exec sleep 1000\n";
  if (response.delay.ms > 0)
    text += fmt::format("sleep {}.{:03}\n", response.delay.ms / 1000, response.delay.ms % 1000);
  text += fmt::format("cat \"$box/response/{0}.err\" >&2\ncat \"$box/response/{0}.out\"\n", name);
  if (response.fill > 0) text += fmt::format("head -c {} /dev/zero\n", response.fill);
  return text + fmt::format("exit {}\n", response.status);
}

}  // namespace

RecordedCommands::RecordedCommands(const Recording& recording, fs::path folder) : folder_(std::move(folder)) {
  for (const char* name : {"bin", "response", "count"}) fs::create_directories(folder_ / name);
  write(folder_ / "calls", "");
  write_programs();
  write_responses(recording);
  std::set<std::string> phases{""};
  for (const auto& exchange : recording.exchanges) {
    phases.insert(exchange.phase);
    for (const auto& response : exchange.responses) phases.insert(response.then);
  }
  for (const auto& phase : phases) write_phase(recording, phase);
  enter("");
}

void RecordedCommands::write_programs() const {
  std::string script{kScript};
  constexpr std::string_view kBox = "@BOX@";
  script.replace(script.find(kBox), kBox.size(), folder_.string());
  for (const char* name : kPrograms) {
    write(folder_ / "bin" / name, script);
    fs::permissions(folder_ / "bin" / name, fs::perms{0755});
  }
}

void RecordedCommands::write_responses(const Recording& recording) const {
  for (std::size_t at = 0; at < recording.exchanges.size(); ++at)
    for (std::size_t n = 0; n < recording.exchanges[at].responses.size(); ++n) {
      const auto& response = recording.exchanges[at].responses[n];
      const auto name = fmt::format("{}.{}", at, n + 1);
      write(folder_ / "response" / name, play(response, name));
      write(folder_ / "response" / (name + ".out"), response.body);
      write(folder_ / "response" / (name + ".err"), response.errors);
    }
}

void RecordedCommands::write_phase(const Recording& recording, const std::string& phase) const {
  auto text = fmt::format("phase='{}'\ncase \"$said\" in\n", phase.empty() ? "-" : phase);
  for (const auto at : recording.in_order(phase))
    text += fmt::format("{}) entry={} responses={} ;;\n", shell_pattern(recording.exchanges[at].question), at,
                        recording.exchanges[at].responses.size());
  write(folder_ / phase_file(phase), text + "esac\n");
}

void RecordedCommands::enter(const std::string& phase) const {
  static std::atomic<int> number = 0;
  if (!fs::exists(folder_ / phase_file(phase))) throw std::logic_error("no recording has the phase " + phase);
  const auto next = folder_ / fmt::format("next-{}", ++number);
  fs::create_symlink(phase_file(phase), next);
  fs::rename(next, folder_ / "now");
}

std::string RecordedCommands::phase() const { return fs::read_symlink(folder_ / "now").string().substr(6); }

std::vector<Asked> RecordedCommands::asked() const {
  std::vector<Asked> all;
  std::ifstream in(folder_ / "calls");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(' '), second = line.find(' ', first + 1);
    if (second == std::string::npos) continue;
    const auto phase = line.substr(0, first);
    all.push_back({.phase = phase == "-" ? "" : phase,
                   .question = line.substr(second + 1),
                   .body = {},
                   .is_recorded = line[first + 1] != '-'});
  }
  return all;
}

}  // namespace ym::recorded
