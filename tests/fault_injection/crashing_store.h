// CrashingStore: the production store, which can let its server die at a step.
#pragma once

#include <memory>

#include "fault_injection/canary.h"
#include "fault_injection/faults.h"
#include "store/store.h"

namespace ym::sim {

class CrashingStore final : public Store {
 public:
  // `die`: copies the disk in its present state and throws.
  CrashingStore(std::unique_ptr<Store> store, Canary canary, std::function<void(const DieAtStep&)> die)
      : store_(std::move(store)), canary_(canary), die_(std::move(die)) {}

  void arm(const DieAtStep& when) { armed_ = when; }
  // The first effect of the last commit has happened.
  void after_effect();
  std::int64_t commits() const { return commits_; }

  Result<LoadedState> load() override;
  Result<void> commit(const Commit& commit) override;
  Result<std::unique_ptr<StoreReader>> reader() override { return store_->reader(); }
  Instant last_time() const override { return store_->last_time(); }
  std::uint64_t bytes() const override { return store_->bytes(); }
  Result<void> expire_idempotency(Instant horizon) override { return store_->expire_idempotency(horizon); }
  Result<Pruned> prune(std::uint64_t to, std::size_t limit) override { return store_->prune(to, limit); }
  Result<void> rewrite(const Rewrite& rewrite, const Commit& commit) override {
    return store_->rewrite(rewrite, commit);
  }
  Result<void> compact() override { return store_->compact(); }

 private:
  bool due(const Commit& commit);
  [[noreturn]] void die();

  std::unique_ptr<Store> store_;
  Canary canary_;
  std::function<void(const DieAtStep&)> die_;
  std::optional<DieAtStep> armed_;
  bool effect_kills_ = false;
  std::int64_t commits_ = 0;
};

}  // namespace ym::sim
