// A store whose commits fail when the test says so; everything else goes through.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "store/store.h"

namespace ym::testing {

class FlakyStore : public Store {
 public:
  explicit FlakyStore(std::unique_ptr<Store> store) : store_(std::move(store)) {}

  // The next `count` commits store nothing and return `unavailable`.
  void fail_next(int count) { failures_ = count; }

  Result<LoadedState> load() override { return store_->load(); }
  Result<void> commit(const Commit& commit) override {
    if (failures_ > 0) {
      failures_ -= 1;
      return fail(ErrorCode::unavailable, "the disk is full");
    }
    return store_->commit(commit);
  }
  Result<std::unique_ptr<StoreReader>> reader() override { return store_->reader(); }
  Result<void> expire_idempotency(Instant horizon) override { return store_->expire_idempotency(horizon); }

 private:
  std::unique_ptr<Store> store_;
  std::atomic<int> failures_ = 0;
};

}  // namespace ym::testing
