#include "control/access/denial_book.h"

#include "control/access/project_commands.h"
#include "control/access/refusal.h"
#include "control/access/role_commands.h"
#include "control/access/token_commands.h"
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
    return require(cache_.access_of({.principal = "ann"}, tables_, kStart), permission, target).has_value();
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

TEST_F(Denials, AGatewayAndItsUserAreEachToldWhatTheyLackThemselves) {
  add_principal("hub");
  add(RoleSet{{.name = "gateway", .permissions = {Permission::identities_impersonate}}});
  const auto asks_for_ann = [&](Permission permission, const Target& target) {
    const Caller caller{.principal = "ann", .gateway = "hub"};
    return require(cache_.access_of(caller, tables_, kStart), permission, target).has_value();
  };
  EXPECT_TRUE(asks_for_ann(Permission::jobs_create, {.project = "cars"}));
  ASSERT_EQ(denials_.read().rows.size(), 1U);
  EXPECT_EQ(denials_.read().rows.at(0).principal, "hub");
  EXPECT_EQ(denials_.read().rows.at(0).permission, Permission::identities_impersonate);
  EXPECT_EQ(denials_.read().rows.at(0).project, "cars");
  bind("gateway", "hub", "site");
  EXPECT_TRUE(asks_for_ann(Permission::jobs_create, {.project = "cars"}));
  EXPECT_TRUE(asks_for_ann(Permission::queues_use, {.queue = "vision"}));
  const auto rows = denials_.read().rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at(0).principal, "ann");
  EXPECT_EQ(rows.at(0).permission, Permission::queues_use);
  EXPECT_EQ(rows.at(1).times, 1) << "the gateway may, now";
}

TEST_F(Denials, ATrialGivesNoRightsThatStay) {
  const Caller ann{.principal = "ann"};
  EXPECT_EQ(code_of(BindRole{.role = "admin", .to = "ann", .scope = {}}, ann), ErrorCode::forbidden);
  EXPECT_EQ(code_of(ChangePrincipal{.principal = "ann", .groups = {{"crew"}}}, ann), ErrorCode::not_found);
  EXPECT_TRUE(run(CreateToken{}, ann)) << "its own token";
}

TEST_F(Denials, AUserTakesNoRoomFromOthers) {
  for (std::size_t i = 0; i < DenialBook::kMostOfAPrincipal + 5; ++i) {
    const auto made_up = std::string(500, 'x') + std::to_string(i);
    denials_.note("eve", Permission::jobs_create, {.project = std::to_string(i) + made_up}, kStart);
  }
  denials_.note("ann", Permission::jobs_get, {}, kStart);
  const auto content = denials_.read();
  EXPECT_EQ(content.rows.size(), DenialBook::kMostOfAPrincipal + 1);
  EXPECT_EQ(content.left_out, 5);
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
