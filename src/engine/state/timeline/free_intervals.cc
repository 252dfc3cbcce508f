#include "engine/state/timeline/free_intervals.h"

#include <algorithm>

namespace ym::engine {
namespace {

// Some hundred cycles of a large cluster make this many reservations.
constexpr std::size_t kMostSteps = std::size_t{1} << 18;
constexpr std::size_t kMostTasks = 64;

}  // namespace

void FreeIntervals::follow(const Basis& basis, Instant now) {
  if (basis != basis_ || now < now_ || steps_.size() > kMostSteps) *this = {};
  basis_ = basis;
  now_ = now;
  for (OfTask& one : tasks_) one.now_ = now;
}

FreeIntervals::Promises FreeIntervals::with(NodeIndex node, Promises those, const Promise& more) {
  firsts_.grow_to(node);
  Promises* one = those == kNone ? &firsts_[node] : &steps_[those].with_more;
  while (*one != kNone && steps_[*one].promise != more) one = &steps_[*one].instead;
  if (*one != kNone) return *one;
  *one = steps_.end_index();
  return steps_.push_back({.promise = more});
}

FreeIntervals::PromisedNeed FreeIntervals::need_index(const NodeNeed& need) {
  const auto known = std::ranges::find(needs_, need);
  return known == needs_.end() ? needs_.push_back(need) : PromisedNeed(known - needs_.begin());
}

FreeIntervals::OfTask& FreeIntervals::of(const NodeNeed& task) {
  const auto own = std::ranges::find(tasks_, task, &OfTask::task);
  if (own == tasks_.end() && tasks_.size() == kMostTasks) tasks_.clear();
  return own == tasks_.end() ? tasks_.emplace_back(task, now_) : *own;
}

std::span<const FreeInterval> FreeIntervals::OfTask::note(Promises promises, std::uint32_t touched, const Seen& seen) {
  if (all_.size() > kMostFreeIntervals) {
    known_.clear();
    all_.clear();
  }
  const std::size_t at = promises.value % kMostKnown;
  if (known_.size() <= at) known_.resize(at + 1);
  Known& known = known_[at];
  known = {.holds_until = seen.holds_until,
           .promises = promises,
           .touched = touched,
           .begin = static_cast<std::uint32_t>(all_.size()),
           .size = static_cast<std::uint32_t>(seen.free_intervals.size())};
  all_.insert(all_.end(), seen.free_intervals.begin(), seen.free_intervals.end());
  return std::span(all_).subspan(known.begin, known.size);
}

}  // namespace ym::engine
