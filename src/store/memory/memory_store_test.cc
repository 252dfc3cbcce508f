#include "store/memory/memory_store.h"

#include "store/conformance/suite.h"

namespace ym {
namespace {

class MemoryHost final : public testing::StoreHost {
 public:
  std::unique_ptr<Store> open() override { return make_memory_store(disk_); }

 private:
  std::shared_ptr<MemoryDisk> disk_ = make_memory_disk();
};

const bool kRegistered = testing::register_store_conformance("Memory", [] { return std::make_unique<MemoryHost>(); });

TEST(MemoryStore, StoresOfDifferentDisksAreApart) {
  ASSERT_TRUE(kRegistered);
  const auto a = make_memory_store();
  const auto b = make_memory_store();
  ASSERT_TRUE(a->commit({.tokens = {{"aa", "ann", "admin", {}}}}));
  EXPECT_EQ(a->load()->tokens.size(), 1U);
  EXPECT_TRUE(b->load()->tokens.empty());
}

}  // namespace
}  // namespace ym
