// The control thread of ControlServer.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "control/server.h"

namespace ym {
namespace {

// Bounds the size of one transaction, and with it the wait of those behind it.
constexpr std::size_t kMaxBatch = 1024;

}  // namespace

void ControlServer::post(ControlItem item) {
  {
    const std::lock_guard lock(inbox_mutex_);
    inbox_.push_back(std::move(item));
  }
  inbox_filled_.notify_one();
}

void ControlServer::execute(Caller caller, Command command, Reply reply) {
  auto ended = ended_job_of(command);
  post(CommandItem{std::move(caller), std::move(command), std::move(reply), std::move(ended)});
}

void ControlServer::reconfigure(DesiredState desired, const PolicySettings& settings, engine::Policy base) {
  post(ConfigurationItem{std::move(desired), settings, std::move(base)});
}

void ControlServer::run() {
  while (auto batch = wait_for_batch()) loop_.take(*batch);
  loop_.store_progress();
}

// Nothing when it is time to stop. Empty when a pause is over and something was kept, or when
// something is due.
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
