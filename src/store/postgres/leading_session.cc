#include "store/postgres/leading_session.h"

#include <thread>

namespace ym::postgres {
namespace {

constexpr std::chrono::milliseconds kPause{200};

}  // namespace

template <class Try>
auto LeadingSession::retry_for(std::chrono::milliseconds timeout, Try one_try) -> decltype(one_try()) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  while (true) {
    auto outcome = one_try();
    if (outcome || outcome.error().code != ErrorCode::unavailable) return outcome;
    if (std::chrono::steady_clock::now() + kPause > until || options_.stop.stop_requested()) return outcome;
    std::this_thread::sleep_for(kPause);
  }
}

Result<void> LeadingSession::connect() {
  // A connection that is known to be closed is replaced before a send: then no commit is in doubt.
  if (!connection_->was_closed()) return {};
  auto connection = Connection::open(options_.connection);
  if (!connection) return std::unexpected(connection.error());
  const auto term = take_lead(**connection, From::itself, options_.claim);
  if (!term) return std::unexpected(term.error());
  connection_ = std::move(*connection);
  term_ = *term;
  return {};
}

Result<Connection*> LeadingSession::connection() {
  const auto connected =
      retry_for(away_ ? std::chrono::milliseconds(0) : options_.wait_timeout, [&] { return connect(); });
  away_ = !connected && connected.error().code == ErrorCode::unavailable;
  if (!connected) return std::unexpected(connected.error());
  return connection_.get();
}

void LeadingSession::give_up() {
  if (!connection_->lost()) (void)give_up_lead(*connection_, term_);
}

// A commit locks its term, so no term begins before the commit has ended. What the next term finds is final.
Result<bool> LeadingSession::is_stored(std::uint64_t number) {
  const auto term = term_;
  return retry_for(options_.outcome_timeout, [&]() -> Result<bool> {
    auto connected = connect();
    // Another server has begun the next term, which is final in the same way.
    const bool replaced = !connected && connected.error().code == ErrorCode::conflict;
    if (!connected && !replaced) return std::unexpected(connected.error());
    std::unique_ptr<Connection> other;
    if (replaced) {
      auto opened = Connection::open(options_.connection);
      if (!opened) return std::unexpected(opened.error());
      other = std::move(*opened);
    }
    const auto commits = commits_until_end_of(replaced ? *other : *connection_, term);
    if (!commits) return std::unexpected(commits.error());
    return *commits >= number;
  });
}

}  // namespace ym::postgres
