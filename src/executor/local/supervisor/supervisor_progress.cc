// Supervisor: progress reports of user code.
#include <time.h>

#include "executor/local/supervisor/supervisor.h"

namespace ym::local {

Instant wall_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return {now.tv_sec * 1000 + now.tv_nsec / 1'000'000};
}

// Of several at once, only the last one and the urgent ones.
void Supervisor::keep(std::vector<std::string> reports) {
  for (auto& report : reports) {
    const bool last = &report == &reports.back();
    if (last || is_urgent(report)) progress_.take(std::move(report), wall_now());
  }
}

void Supervisor::hear_progress() {
  const auto now = boot_now();
  if (auto text = marker_.look(now)) progress_.take(std::move(*text), wall_now());
  if (now < progress_.tell_at() || !socket_.is_behind(progress_.newest())) return;
  progress_.told(now, socket_.tell(progress_.kept()));
}

// The exit record has the reports that no server has got.
std::vector<RawReport> Supervisor::last_progress() {
  keep(scanner_.finish());
  if (auto text = marker_.last_look()) progress_.take(std::move(*text), wall_now());
  return progress_.kept();
}

}  // namespace ym::local
