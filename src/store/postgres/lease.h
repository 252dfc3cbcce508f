// Renews the lease of the lead on a thread and a connection of its own, so that it does not wait behind commits. It
// decides nothing: each commit itself checks the term.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "store/postgres/leader.h"

namespace ym::postgres {

class Lease {
 public:
  struct Options {
    ConnectionOptions connection;
    Claim claim;  // the holder of the lease
    std::function<void(const Error&)> on_replaced;
  };
  Lease(Options options, std::int64_t term, std::uint64_t bytes);

  // The lease is not renewed after this.
  void stop();

  // From any thread.
  void set_term(std::int64_t term) { term_ = term; }
  // What the tables take on disk, at most one minute old.
  std::uint64_t bytes() const { return bytes_; }

 private:
  void keep(const std::stop_token& stop);
  void renew(std::unique_ptr<Connection>& connection);
  void check_leader(Connection& connection, const Error& refused);

  const Options options_;
  std::atomic<std::int64_t> term_;
  std::atomic<std::uint64_t> bytes_;
  std::chrono::steady_clock::time_point measured_;
  bool replaced_ = false;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses all of the above
};

// What the tables of the schema take on disk.
Result<std::uint64_t> stored_bytes(Connection& connection);

}  // namespace ym::postgres
