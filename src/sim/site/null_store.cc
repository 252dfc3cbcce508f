#include "sim/site/null_store.h"

#include "base/assert.h"

namespace ym::sim {
namespace {

class NoHistory final : public StoreReader {
 public:
  Result<std::optional<Job>> job(JobId) override { return std::nullopt; }
  Result<std::vector<Job>> jobs(std::span<const JobId>) override { return std::vector<Job>(); }
  Result<std::vector<Attempt>> attempts(std::span<const JobId>) override { return std::vector<Attempt>(); }
  Result<std::vector<Job>> jobs(const JobFilter&, std::size_t) override { return std::vector<Job>(); }
  Result<std::vector<Event>> events(const EventFilter&, std::size_t) override { return std::vector<Event>(); }
  Result<std::vector<StoredEvent>> stored_events(std::uint64_t, std::size_t) override {
    return std::vector<StoredEvent>();
  }
};

class NullStore final : public Store {
 public:
  Result<LoadedState> load() override {
    YM_ASSERT(last_seq_ == 0);
    return LoadedState();
  }

  Result<void> commit(const Commit& commit) override {
    for (const auto& event : commit.events) {
      YM_ASSERT(event.seq == last_seq_ + 1);
      last_seq_ = event.seq;
      last_time_ = event.time;
    }
    return {};
  }

  Result<std::unique_ptr<StoreReader>> reader() override { return std::make_unique<NoHistory>(); }
  Instant last_time() const override { return last_time_; }
  std::uint64_t bytes() const override { return 0; }
  Result<void> expire_idempotency(Instant) override { return {}; }
  Result<Pruned> prune(std::uint64_t, std::size_t) override { return Pruned(); }
  Result<void> rewrite(const Rewrite&, const Commit& commit) override { return this->commit(commit); }
  Result<void> compact() override { return {}; }

 private:
  std::uint64_t last_seq_ = 0;
  Instant last_time_;
};

}  // namespace

std::unique_ptr<Store> make_null_store() { return std::make_unique<NullStore>(); }

}  // namespace ym::sim
