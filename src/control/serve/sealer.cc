#include "control/serve/sealer.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace ym {
namespace {

constexpr std::chrono::milliseconds kLookEvery{500};
// While a seal is stored: events may come faster than one span in kLookEvery.
constexpr std::chrono::milliseconds kLookAgain{20};

}  // namespace

Sealer::Sealer(Ports ports, Duration every, Duration stored_within)
    : ports_(std::move(ports)),
      every_(every.ms),
      stored_within_(stored_within.ms),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Sealer::~Sealer() = default;

void Sealer::run(const std::stop_token& stop) {
  std::string said;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto looked = look(stop, std::chrono::steady_clock::now());
    if (!looked) {
      reader_.reset();
      if (std::exchange(said, looked.error().message) != looked.error().message)
        spdlog::error("events cannot be sealed: {}", looked.error().message);
    } else {
      said.clear();
    }
    wake_.wait_for(lock, stop, asked_at_ && looked ? kLookAgain : std::min(kLookEvery, every_), [] { return false; });
  }
}

Result<void> Sealer::look(const std::stop_token& stop, Time now) {
  if (!reader_) {
    auto reader = ports_.reader();
    if (!reader) return std::unexpected(reader.error());
    reader_ = std::move(*reader);
  }
  if (!last_) {
    const auto found = find_last_seal(*reader_, ports_.last_seq(), [&] { return !stop.stop_requested(); });
    if (!found) return std::unexpected(found.error());
    if (!*found) return {};  // it is time to stop
    last_ = **found;
    if (last_->seal > 0 && ports_.sealed) ports_.sealed(last_->head);
  }
  if (auto followed = follow(); !followed) return followed;
  return seal_next(now);
}

// What was asked for may be stored by now.
Result<void> Sealer::follow() {
  if (!asked_at_) return {};
  const auto seals = reader_->events({.after = asked_after_, .type = LogSealed::kType}, 1);
  if (!seals) return std::unexpected(seals.error());
  for (const Event& event : *seals) {
    const auto& seal = std::get<LogSealed>(event.payload);
    last_ = VerifiedTo{.head = {.to = seal.to, .chain = seal.chain}, .seal = event.seq};
    asked_at_.reset();
    unsealed_since_.reset();
    if (ports_.sealed) ports_.sealed(last_->head);
  }
  return {};
}

// Seals alone are not sealed: that would never end.
Result<void> Sealer::seal_next(Time now) {
  if (asked_at_ && now - *asked_at_ < stored_within_) return {};
  const auto last = ports_.last_seq();
  if (last <= last_->head.to) return {};
  if (!unsealed_since_) unsealed_since_ = now;
  if (last - last_->head.to < kMostSealed && now - *unsealed_since_ < every_) return {};
  const auto leaves = read_leaves(*reader_, last_->head.to, kMostSealed);
  if (!leaves) return std::unexpected(leaves.error());
  unsealed_since_ = now;
  if (std::ranges::all_of(*leaves, &SealLeaf::is_seal)) return {};
  if (leaves->front().seq != last_->head.to + 1 || leaves->back().seq != last_->head.to + leaves->size())
    return fail(ErrorCode::corrupt, "events after the last seal are missing; `ym audit verify` names the first one");
  // What was asked for first may be stored late: it is looked for from there on.
  if (!asked_at_) asked_after_ = last;
  asked_at_ = now;
  ports_.store(make_seal(last_->head, *leaves), last_->seal);
  return {};
}

}  // namespace ym
