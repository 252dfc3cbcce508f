#include "store/postgres/standby.h"

#include <condition_variable>

#include "store/postgres/leader.h"

namespace ym {
namespace {

using namespace postgres;
using Steady = std::chrono::steady_clock;

bool is_worth_waiting(const Error& error) { return error.code == ErrorCode::unavailable; }

}  // namespace

// Reads the leader's row over one connection that stays open.
class Standby::Watch {
 public:
  explicit Watch(const PostgresOptions& place) : place_(place) {}

  Result<PostgresLeader> look() {
    const auto leader = ask();
    if (!leader) {
      was_away_ = true;
      return std::unexpected(leader.error());
    }
    if (std::exchange(was_away_, false)) back_since_ = Steady::now();
    return PostgresLeader{.holder = leader->holder, .url = leader->url, .term = leader->term, .left = leader->left};
  }

  // Whether the database has been back for as long as a lease: the leader had the time to renew.
  bool leader_could_renew() const { return !back_since_ || Steady::now() - *back_since_ >= place_.lease; }

 private:
  Result<Leader> ask() {
    if (!connection_ || connection_->lost()) {
      auto opened = Connection::open({.conninfo = place_.conninfo, .schema = place_.schema});
      if (!opened) return std::unexpected(opened.error());
      connection_ = std::move(*opened);
    }
    return read_leader(*connection_);
  }

  const PostgresOptions& place_;
  std::unique_ptr<Connection> connection_;
  bool was_away_ = false;
  std::optional<Steady::time_point> back_since_;
};

void Standby::note(const Result<PostgresLeader>& looked) {
  const std::lock_guard lock(mutex_);
  if (looked) seen_ = {.leader = *looked, .problem = {}};
  else seen_.problem = looked.error().message;
}

Standby::Seen Standby::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

Result<std::unique_ptr<Store>> Standby::wait_to_lead(const std::stop_token& stop) {
  Watch watch(options_.place);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any wake;
  while (!stop.stop_requested()) {
    const auto leader = watch.look();
    note(leader);
    if (!leader && !is_worth_waiting(leader.error())) return std::unexpected(leader.error());
    if (leader && leader->left.count() == 0 && watch.leader_could_renew()) {
      auto store = open_postgres_store(options_.place);
      if (store || !is_worth_waiting(store.error())) {
        // Another standby may have been quicker. Its lease runs then.
        const auto now = watch.look();
        const bool beaten = !store && now && now->left.count() > 0;
        if (!beaten) return store;
      }
    }
    wake.wait_for(lock, stop, options_.poll, [] { return false; });
  }
  return nullptr;
}

}  // namespace ym
