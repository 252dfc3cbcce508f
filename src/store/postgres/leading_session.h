// The connection that writes, and its term. A lost connection is opened again.
//
// Threads: one at a time, as for a Connection.
#pragma once

#include <stop_token>

#include "store/postgres/leader.h"

namespace ym::postgres {

class LeadingSession {
 public:
  struct Options {
    ConnectionOptions connection;
    Claim claim;
    std::chrono::milliseconds wait_timeout;
    std::chrono::milliseconds outcome_timeout;
    std::stop_token stop{};  // ends all waits
  };

  // Precondition: `connection` began `term`.
  LeadingSession(Options options, std::unique_ptr<Connection> connection, std::int64_t term)
      : options_(std::move(options)), connection_(std::move(connection)), term_(term) {}

  // A connection that works and leads. If it was lost, it is opened again, in a new term: all transactions of the old
  // term have ended then. Waits for the database up to `wait_timeout`. After one wait without success, each further
  // call tries once. Errors: `conflict`: another server leads; `unavailable`.
  Result<Connection*> connection();

  // Whether commit number `number` is stored. Its connection was lost since. The answer is final. Precondition: the
  // commit was sent in the present term. Errors: `unavailable`: the database is away for longer than `outcome_timeout`,
  // so it is unknown.
  Result<bool> is_stored(std::uint64_t number);

  // Gives up the lead: another server need not wait for the end of the lease.
  void give_up();

  std::int64_t term() const { return term_; }
  const Claim& claim() const { return options_.claim; }

 private:
  Result<void> connect();
  template <class Try>
  auto retry_for(std::chrono::milliseconds timeout, Try one_try) -> decltype(one_try());

  Options options_;
  std::unique_ptr<Connection> connection_;
  std::int64_t term_;
  bool away_ = false;
};

}  // namespace ym::postgres
