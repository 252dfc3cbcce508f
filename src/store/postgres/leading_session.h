// The connection that writes, together with the lead: made anew when it was lost.
//
// One thread at a time, as a Connection.
#pragma once

#include <stop_token>

#include "store/postgres/leader.h"

namespace ym::postgres {

class LeadingSession {
 public:
  struct Options {
    ConnectionOptions connection;
    Claim claim;
    std::chrono::milliseconds patience;
    std::chrono::milliseconds doubt;
    std::stop_token stop{};  // waits no longer
  };

  // Precondition: `connection` began `term`.
  LeadingSession(Options options, std::unique_ptr<Connection> connection, std::int64_t term)
      : options_(std::move(options)), connection_(std::move(connection)), term_(term) {}

  // A connection that works and leads. Where it was lost, it is made anew for as long as
  // `patience`, in a new term: what the old one had begun has ended then. Once that was in vain,
  // each further call tries once.
  // Errors: `conflict`: another server leads; `unavailable`.
  Result<Connection*> connection();

  // Whether commit number `number`, sent on a connection that was lost since, is stored.
  // Whatever it says stays true. Precondition: it was sent in the present term.
  // Errors: `unavailable`: the database is away for longer than `doubt`; it is still unknown.
  Result<bool> is_stored(std::uint64_t number);

  // Another server need not wait for the end of the lease.
  void give_up();

  std::int64_t term() const { return term_; }
  const Claim& claim() const { return options_.claim; }

 private:
  Result<void> connect();
  template <class Try>
  auto with_patience(std::chrono::milliseconds patience, Try one_try) -> decltype(one_try());

  Options options_;
  std::unique_ptr<Connection> connection_;
  std::int64_t term_;
  bool away_ = false;
};

}  // namespace ym::postgres
