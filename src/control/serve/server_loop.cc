// The control thread of ControlServer.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "control/serve/server.h"

namespace ym {
namespace {

// Bounds the size of one transaction, and so the wait of the items behind it.
constexpr std::size_t kMaxBatch = 1024;

// A batch that takes longer waits for a database that is away. New commands then get an error instead of waiting too.
constexpr std::chrono::seconds kLongBatch{3};

std::chrono::steady_clock::duration steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

}  // namespace

void ControlServer::post(ControlItem item) {
  {
    const std::lock_guard lock(inbox_mutex_);
    inbox_.push_back(std::move(item));
  }
  inbox_filled_.notify_one();
}

std::optional<std::chrono::seconds> ControlServer::stuck_for() const {
  const auto since = busy_since_.load();
  if (since == since.zero() || steady_now() - since < kLongBatch) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::seconds>(steady_now() - since);
}

void ControlServer::execute(Caller caller, Command command, Reply reply) {
  if (const auto stuck = stuck_for())
    return reply(
        std::unexpected(not_stored({.message = fmt::format("the store has not answered for {} s", stuck->count())})));
  auto ended = ended_job_of(command);
  post(CommandItem{std::move(caller), std::move(command), std::move(reply), std::move(ended)});
}

void ControlServer::reconfigure(DesiredState desired, const PolicySettings& settings, engine::Policy base,
                                std::function<void()> in_force) {
  post(ConfigurationItem{std::move(desired), settings, std::move(base), std::move(in_force)});
}

void ControlServer::run() {
  while (auto batch = wait_for_batch()) {
    busy_since_ = steady_now();
    loop_.take(*batch);
    busy_since_ = steady_now().zero();
  }
  loop_.store_progress();
}

// Nothing: it is time to stop. Empty: a pause is over and items were kept, or work is due.
std::optional<std::vector<ControlItem>> ControlServer::wait_for_batch() {
  std::unique_lock lock(inbox_mutex_);
  const auto ready = [&] { return stopping_ || !inbox_.empty(); };
  if (const auto until = loop_.idle_until()) inbox_filled_.wait_until(lock, *until, ready);
  else inbox_filled_.wait(lock, ready);
  if (stopping_ && inbox_.empty()) return std::nullopt;
  const auto end = inbox_.begin() + static_cast<std::ptrdiff_t>(std::min(inbox_.size(), kMaxBatch));
  std::vector<ControlItem> batch(std::make_move_iterator(inbox_.begin()), std::make_move_iterator(end));
  inbox_.erase(inbox_.begin(), end);
  return batch;
}

}  // namespace ym
