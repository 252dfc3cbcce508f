#include "control/serve/sealer.h"

#include <gtest/gtest.h>

#include "control/testing/eventually.h"
#include "store/memory/memory_store.h"

namespace ym {
namespace {

// A store. The test does the control thread's part.
class Sealing : public ::testing::Test {
 protected:
  Sealing() { add(ServerStarted{.epoch = 1, .version = "test"}); }

  void add(EventPayload payload) {
    const std::lock_guard lock(mutex_);
    Commit commit;
    commit.events.push_back(
        {.seq = ++last_, .time = {}, .actor = "server", .reason = {}, .payload = std::move(payload)});
    ASSERT_TRUE(store_->commit(commit));
  }
  Sealer::Ports ports() {
    return {.reader = [this] { return store_->reader(); },
            .last_seq = [this] { return last(); },
            .store =
                [this](LogSealed seal, std::uint64_t) {
                  const std::lock_guard lock(mutex_);
                  asked_.push_back(std::move(seal));
                },
            .sealed =
                [this](const SealHead& head) {
                  const std::lock_guard lock(mutex_);
                  heads_.push_back(head);
                }};
  }
  std::uint64_t last() {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  std::vector<LogSealed> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  std::vector<SealHead> heads() {
    const std::lock_guard lock(mutex_);
    return heads_;
  }

 private:
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::vector<LogSealed> asked_;
  std::vector<SealHead> heads_;
  const std::unique_ptr<Store> store_ = make_memory_store(make_memory_disk());
};

TEST_F(Sealing, GoesOnAfterTheStoredSeal) {
  const Sealer sealer(ports(), Duration{1});
  ASSERT_TRUE(eventually([&] { return asked().size() == 1; }));
  EXPECT_EQ(asked()[0].to, 1u);
  add(asked()[0]);
  EXPECT_TRUE(eventually([&] { return heads().size() == 1; }));
  add(UsageSampled{});
  ASSERT_TRUE(eventually([&] { return asked().size() == 2; }));
  EXPECT_EQ(asked()[1].from, 2u);
}

// It is stored just before the sealer asks for it again.
TEST_F(Sealing, ASealThatIsStoredLateIsSeen) {
  auto late = ports();
  late.last_seq = [this, stored = false]() mutable {
    if (const auto seals = asked(); !seals.empty() && !stored) {
      stored = true;
      add(seals.front());
      add(UsageSampled{});
    }
    return last();
  };
  const Sealer sealer(std::move(late), Duration{1}, Duration{1});
  EXPECT_TRUE(eventually([&] { return !heads().empty(); }));
}

}  // namespace
}  // namespace ym
