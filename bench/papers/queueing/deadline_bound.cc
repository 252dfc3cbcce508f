#include "papers/queueing/deadline_bound.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

namespace ym::sim::queueing {
namespace {

using Slot = std::size_t;

// A job lies within [a, b) of the grid if `from` >= a and `until` <= b.
struct Window {
  Micros work = 0;  // GPU us
  Slot from = 0, until = 0;
};

// By work, the smallest first.
std::vector<Window> windows_of(std::span<const Job> jobs, std::span<const Deadlines> deadlines, Micros grid_us) {
  const auto up = [&](Micros at_us) { return static_cast<Slot>((at_us + grid_us - 1) / grid_us); };
  const auto down = [&](Micros at_us) { return static_cast<Slot>(at_us / grid_us); };
  std::vector<Window> windows;
  for (JobNumber job = 0; job < jobs.size(); ++job)
    if (deadlines[job].kind == JobKind::strict)
      windows.push_back({.work = jobs[job].work_us * jobs[job].gpus,
                         .from = down(jobs[job].submit_us),
                         .until = up(deadlines[job].steps.front().until_us)});
  std::ranges::sort(windows, {}, [](const Window& one) { return std::tuple(one.work, one.from, one.until); });
  return windows;
}

// Of those that lie within.
Count missed_in(std::span<const Window> windows, Slot until, Micros room) {
  Count missed = 0;
  for (const Window& one : windows) {
    if (one.until > until) continue;
    if (one.work <= room) room -= one.work;
    else ++missed;
  }
  return missed;
}

}  // namespace

Count least_missed(std::span<const Job> jobs, std::span<const Deadlines> deadlines,
                   const DeadlineBoundOptions& options) {
  std::vector<Window> windows = windows_of(jobs, deadlines, options.grid_us);
  if (windows.empty()) return 0;
  const Slot end = std::ranges::max(windows, {}, &Window::until).until;
  std::vector<Count> best(end + 1);  // of what lies behind a time
  for (Slot from = end; from-- > 0;) {
    std::vector<Window> here;
    std::ranges::copy_if(windows, std::back_inserter(here), [&](const Window& one) { return one.from >= from; });
    best[from] = best[from + 1];
    for (Slot until = from + 1; until <= end; ++until) {
      const Micros room = static_cast<Micros>(until - from) * options.grid_us * options.gpus;
      best[from] = std::max(best[from], missed_in(here, until, room) + best[until]);
    }
  }
  return best[0];
}

}  // namespace ym::sim::queueing
