#include "executor/local/supervisor/progress_keeper.h"

#include <algorithm>

namespace ym::local {
namespace {

std::string_view without_blanks(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

bool has(std::string_view report, std::string_view key, std::string_view value) {
  for (auto at = report.find(key); at != std::string_view::npos; at = report.find(key, at + 1)) {
    auto rest = without_blanks(report.substr(at + key.size()));
    if (!rest.starts_with(':')) continue;
    if (without_blanks(rest.substr(1)).starts_with(value)) return true;
  }
  return false;
}

}  // namespace

bool brings_checkpoint(std::string_view report) { return has(report, "\"checkpoint\"", "{"); }
bool says_completed(std::string_view report) { return has(report, "\"completed\"", "true"); }

void ProgressKeeper::take(std::string text, Instant at) {
  urgent_ = urgent_ || is_urgent(text);
  kept_.push_back({.number = ++count_, .at = at, .text = std::move(text)});
  std::size_t checkpoints = 0;
  bool completed = false;
  std::vector<RawReport> worth;
  for (auto report = kept_.rbegin(); report != kept_.rend(); ++report) {
    const bool saved = brings_checkpoint(report->text) && checkpoints < kMostCheckpoints;
    const bool done = says_completed(report->text) && !completed;
    if (report->number != count_ && !saved && !done) continue;
    checkpoints += saved ? 1 : 0;
    completed = completed || done;
    worth.push_back(std::move(*report));
  }
  std::ranges::reverse(worth);
  kept_ = std::move(worth);
}

void ProgressKeeper::told(std::int64_t now, std::int64_t lines) {
  urgent_ = false;
  plain_at_ = now + kPause;
  urgent_at_ = now + kUrgentPause * std::max<std::int64_t>(lines, 1);
}

}  // namespace ym::local
