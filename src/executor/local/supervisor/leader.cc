#include "executor/local/supervisor/leader.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace ym::local {
namespace {

constexpr std::array<std::string_view, 9> kShells{"sh", "dash", "bash", "ash", "ksh", "mksh", "zsh", "fish", "busybox"};
constexpr std::array<std::string_view, 16> kFilters{"tee",    "cat",        "grep", "sed",  "awk", "gawk",
                                                    "mawk",   "head",       "tail", "sort", "tr",  "ts",
                                                    "logger", "rotatelogs", "gzip", "less"};

std::string link_of(pid_t pid, const char* name) {
  std::array<char, PATH_MAX> target{};
  const auto link = "/proc/" + std::to_string(pid) + "/" + name;
  const ssize_t n = ::readlink(link.c_str(), target.data(), target.size());
  return n <= 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(n));
}

std::string program_of(pid_t pid) {
  const auto path = link_of(pid, "exe");
  return path.substr(path.rfind('/') + 1);
}

std::string stream_of(pid_t pid, int fd) { return link_of(pid, ("fd/" + std::to_string(fd)).c_str()); }

class Search {
 public:
  Search(const std::vector<ProcessStat>& all, const ProcessChecks& checks) : all_(all), checks_(checks) {}

  void hear(const ProcessStat& process, bool told, std::vector<Listener>& heard) const {
    const bool seen = std::ranges::any_of(heard, [&](const Listener& l) { return l.process.pid == process.pid; });
    if (seen) return;
    heard.push_back({process, told});
    if (!told || !checks_.is_shell(process.pid)) return;
    const auto command = foreground(process.pid);
    const auto carries = [this](const ProcessStat& p) { return checks_.is_filter && checks_.is_filter(p.pid); };
    const bool only_filters = std::ranges::all_of(command, carries);
    for (const auto& member : command) hear(member, only_filters || !carries(member), heard);
  }

 private:
  // The command that the shell waits for: its youngest child, since background commands were started before, and the
  // programs before it in its pipeline.
  std::vector<ProcessStat> foreground(pid_t shell) const {
    std::vector<ProcessStat> command;
    std::vector<ProcessStat> children;
    for (const auto& process : all_)
      if (process.parent == shell && !process.dead()) children.push_back(process);
    if (children.empty()) return command;
    command.push_back(
        *std::ranges::max_element(children, {}, [](const ProcessStat& p) { return std::tuple(p.start_ticks, p.pid); }));
    while (command.size() < children.size()) {
      const auto* writer = writer_to(command.back(), children);
      if (!writer) break;
      command.push_back(*writer);
    }
    std::ranges::reverse(command);
    return command;
  }

  const ProcessStat* writer_to(const ProcessStat& reader, const std::vector<ProcessStat>& children) const {
    const auto input = checks_.stream ? checks_.stream(reader.pid, 0) : std::string();
    if (!input.starts_with("pipe:")) return nullptr;
    for (const auto& child : children)
      if (child.pid != reader.pid && (checks_.stream(child.pid, 1) == input || checks_.stream(child.pid, 2) == input))
        return &child;
    return nullptr;
  }

  const std::vector<ProcessStat>& all_;
  const ProcessChecks& checks_;
};

}  // namespace

bool is_shell(pid_t pid) { return std::ranges::find(kShells, program_of(pid)) != kShells.end(); }
bool is_filter(pid_t pid) { return std::ranges::find(kFilters, program_of(pid)) != kFilters.end(); }

std::vector<Listener> listeners_in(const std::vector<ProcessStat>& all, pid_t leader, const ProcessChecks& checks) {
  std::vector<Listener> heard;
  const auto first = std::ranges::find(all, leader, &ProcessStat::pid);
  if (first != all.end()) Search{all, checks}.hear(*first, true, heard);
  return heard;
}

std::vector<Listener> listeners(pid_t leader) {
  const auto all = all_processes();
  if (!all) return {};
  return listeners_in(*all, leader, {.is_shell = is_shell, .is_filter = is_filter, .stream = stream_of});
}

}  // namespace ym::local
