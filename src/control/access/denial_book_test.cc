#include "control/access/denial_book.h"

#include "control/access/refusal.h"
#include "control/testing/access_fixture.h"

namespace ym {
namespace {

class Denials : public testing::AccessFixture {
 protected:
  void SetUp() override {
    AccessFixture::SetUp();
    cache_.set_mode(AccessMode::trial, &denials_);
    add_principal("ann");
    add(ProjectSet{{.name = "cars"}});
    bind("member", "ann", "project:cars");
  }
  bool asks(Permission permission, const Target& target) {
    return require(context_of({.principal = "ann"}).access(), permission, target).has_value();
  }

  DenialBook denials_;
};

TEST_F(Denials, ATrialAllowsAndNotesWhatBindingsWouldRefuse) {
  EXPECT_TRUE(asks(Permission::jobs_create, {.project = "cars"}));
  EXPECT_TRUE(denials_.read().rows.empty()) << "the binding gives it";
  EXPECT_TRUE(asks(Permission::queues_use, {.queue = "vision"}));
  EXPECT_TRUE(asks(Permission::queues_use, {.queue = "vision"}));
  EXPECT_TRUE(asks(Permission::policies_edit, {}));
  const auto rows = denials_.read().rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at(0).permission, Permission::queues_use);
  EXPECT_EQ(rows.at(0).queue, "vision");
  EXPECT_EQ(rows.at(0).times, 2);
  EXPECT_EQ(rows.at(1).permission, Permission::policies_edit);
  EXPECT_EQ(rows.at(1).first, kStart);
}

TEST_F(Denials, OtherModesNoteNothing) {
  for (const auto mode : {AccessMode::everything, AccessMode::by_bindings}) {
    cache_.set_mode(mode, &denials_);
    EXPECT_EQ(asks(Permission::queues_use, {.queue = "vision"}), mode == AccessMode::everything);
  }
  EXPECT_TRUE(denials_.read().rows.empty());
}

TEST_F(Denials, BeyondTheMostAreOnlyCounted) {
  for (std::size_t i = 0; i < DenialBook::kMostRows + 5; ++i)
    denials_.note("p" + std::to_string(i), Permission::jobs_get, {}, kStart);
  denials_.note("p1", Permission::jobs_get, {}, kStart + seconds(1));
  const auto content = denials_.read();
  EXPECT_EQ(content.rows.size(), DenialBook::kMostRows);
  EXPECT_EQ(content.left_out, 5);
}

}  // namespace
}  // namespace ym
