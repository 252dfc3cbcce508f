// A store whose commits fail when the test says so; everything else goes through.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "store/store.h"

namespace ym::testing {

class FlakyStore : public Store {
 public:
  explicit FlakyStore(std::unique_ptr<Store> store) : store_(std::move(store)) {}

  // The next `count` commits store nothing and return `unavailable`.
  void fail_next(int count) { failures_ = count; }
  // Reads fail too while this is set, with `unavailable`.
  void be_away(bool away) { away_ = away; }
  // A commit waits while this is set.
  void hold(bool held) { held_ = held; }
  // The number of commits so far, with failed ones.
  int commits() const { return commits_; }

  int loads() const { return loads_; }

  Result<LoadedState> load() override {
    loads_ += 1;
    if (away_) return fail(ErrorCode::unavailable, "the database is away");
    return store_->load();
  }
  Result<void> commit(const Commit& commit) override {
    commits_ += 1;
    while (held_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (away_) return fail(ErrorCode::unavailable, "the database is away");
    if (failures_ > 0) {
      failures_ -= 1;
      return fail(ErrorCode::unavailable, "the disk is full");
    }
    return store_->commit(commit);
  }
  Result<std::unique_ptr<StoreReader>> reader() override {
    if (away_) return fail(ErrorCode::unavailable, "the database is away");
    return store_->reader();
  }
  Instant last_time() const override { return store_->last_time(); }
  std::uint64_t bytes() const override { return store_->bytes(); }
  Result<void> expire_idempotency(Instant horizon) override { return store_->expire_idempotency(horizon); }
  Result<Pruned> prune(std::uint64_t to, std::size_t limit) override { return store_->prune(to, limit); }
  Result<void> rewrite(const Rewrite& rewrite, const Commit& commit) override {
    return store_->rewrite(rewrite, commit);
  }
  Result<void> compact() override { return store_->compact(); }

 private:
  std::unique_ptr<Store> store_;
  std::atomic<bool> away_ = false, held_ = false;
  std::atomic<int> failures_ = 0;
  std::atomic<int> commits_ = 0;
  std::atomic<int> loads_ = 0;
};

}  // namespace ym::testing
