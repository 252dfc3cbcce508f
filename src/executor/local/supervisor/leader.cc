#include "executor/local/supervisor/leader.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>

namespace ym::local {
namespace {

constexpr std::array<std::string_view, 8> kShells{"sh", "dash", "bash", "ash", "ksh", "mksh", "zsh", "busybox"};

}  // namespace

bool is_shell(pid_t pid) {
  std::array<char, PATH_MAX> target{};
  const auto link = "/proc/" + std::to_string(pid) + "/exe";
  const ssize_t n = ::readlink(link.c_str(), target.data(), target.size());
  if (n <= 0) return false;
  const std::string_view path{target.data(), static_cast<std::size_t>(n)};
  return std::ranges::find(kShells, path.substr(path.rfind('/') + 1)) != kShells.end();
}

std::vector<ProcessStat> listeners_in(const std::vector<ProcessStat>& all, pid_t leader, bool (*shell)(pid_t)) {
  std::vector<ProcessStat> chain;
  const auto first = std::ranges::find(all, leader, &ProcessStat::pid);
  if (first == all.end()) return chain;
  chain.push_back(*first);
  while (shell(chain.back().pid) && chain.size() < all.size()) {
    // Commands in the background were started before the one that the shell waits for.
    const ProcessStat* youngest = nullptr;
    for (const auto& process : all) {
      if (process.parent != chain.back().pid || process.dead()) continue;
      if (!youngest || std::tie(youngest->start_ticks, youngest->pid) < std::tie(process.start_ticks, process.pid))
        youngest = &process;
    }
    if (!youngest) break;
    chain.push_back(*youngest);
  }
  return chain;
}

std::vector<ProcessStat> listeners(pid_t leader) {
  const auto all = all_processes();
  return all ? listeners_in(*all, leader, is_shell) : std::vector<ProcessStat>{};
}

}  // namespace ym::local
