#include "control/access/on_behalf.h"

#include "control/access/project_commands.h"
#include "control/access/token_commands.h"
#include "control/testing/access_fixture.h"

namespace ym {
namespace {

class OnBehalf : public testing::AccessFixture {
 protected:
  void SetUp() override {
    AccessFixture::SetUp();
    set_mode(AccessMode::by_bindings);
    for (const auto* name : {"hub", "ann", "root", "lead"}) add_principal(name);
    for (const auto* name : {"cars", "boats"}) add(ProjectSet{{.name = name}});
    add_queue("vision", "");
    add(RoleSet{{.name = "gateway", .permissions = {Permission::identities_impersonate}}});
    bind("gateway", "hub", "project:cars");
    bind("gateway", "hub", "queue:vision");
    bind("member", "ann", "project:cars");
    bind("member", "ann", "project:boats");
    bind("queue-user", "ann", "queue:vision");
    bind("admin", "root", "site");
    bind("project-admin", "lead", "project:cars");
  }
  Result<Caller> act_for(const std::string& handle, const std::string& gateway = "hub") {
    return on_behalf({.principal = gateway, .token = token_of(gateway)}, handle, tables_, cache_, kStart);
  }
  std::string token_of(const std::string& principal) {
    const auto token = "t-" + principal;
    if (!tables_.access_tokens.contains(token)) add(TokenSet{{.name = token, .principal = principal}});
    return token;
  }
  bool may_do(const Caller& caller, Permission permission, const Target& target) {
    return allows(context_of(caller).access(), permission, target);
  }
};

TEST_F(OnBehalf, ItIsWhatBothMay) {
  const auto caller = act_for("ann");
  ASSERT_TRUE(caller) << caller.error().message;
  EXPECT_EQ(caller->principal, "ann");
  EXPECT_EQ(caller->gateway, "hub");
  EXPECT_TRUE(may_do(*caller, Permission::jobs_create, {.project = "cars"}));
  EXPECT_TRUE(may_do(*caller, Permission::queues_use, {.queue = "vision"}));
  EXPECT_FALSE(may_do(*caller, Permission::jobs_create, {.project = "boats"})) << "the gateway acts in cars";
  const auto lead = act_for("lead");
  ASSERT_TRUE(lead);
  EXPECT_TRUE(may_do(*lead, Permission::jobs_cancel, {.project = "cars"}));
  EXPECT_FALSE(may_do(*lead, Permission::roles_bind, {.project = "cars"})) << "no right over rights";
}

TEST_F(OnBehalf, ItNeedsThePermissionAndAnOrdinaryUser) {
  const auto code_for = [&](const std::string& handle, const std::string& gateway = "hub") {
    const auto refused = act_for(handle, gateway);
    return refused ? ErrorCode::internal : refused.error().code;
  };
  EXPECT_EQ(code_for("lead", "ann"), ErrorCode::forbidden);
  EXPECT_EQ(code_for("root"), ErrorCode::forbidden) << "an administrator";
  EXPECT_EQ(code_for("nix"), ErrorCode::forbidden);
  EXPECT_TRUE(act_for("ann", "root"));
  Principal robot{.name = "robot", .kind = PrincipalKind::service, .handle = "robot", .created_at = kStart};
  add(PrincipalSet{robot});
  EXPECT_EQ(code_for("robot"), ErrorCode::forbidden);
  EXPECT_FALSE(on_behalf(Caller::job({}), "ann", tables_, cache_, kStart));
}

TEST_F(OnBehalf, ItEndsWithEachOfTheTwo) {
  const auto caller = act_for("ann");
  ASSERT_TRUE(caller);
  ASSERT_TRUE(run(ChangePrincipal{.principal = "hub", .disabled = true}));
  EXPECT_FALSE(may_do(*caller, Permission::jobs_create, {.project = "cars"}));
  ASSERT_TRUE(run(ChangePrincipal{.principal = "hub", .disabled = false}));
  EXPECT_TRUE(may_do(*caller, Permission::jobs_create, {.project = "cars"}));
  ASSERT_TRUE(run(ChangePrincipal{.principal = "ann", .disabled = true}));
  EXPECT_FALSE(may_do(*caller, Permission::jobs_create, {.project = "cars"}));
  EXPECT_FALSE(act_for("ann"));
}

// A token would outlive the gateway's rights.
TEST_F(OnBehalf, TokensOfTheUserAreNoneOfItsBusiness) {
  const auto caller = act_for("ann");
  ASSERT_TRUE(caller);
  EXPECT_EQ(code_of(CreateToken{}, *caller), ErrorCode::forbidden);
  EXPECT_EQ(code_of(RevokeToken{token_of("ann")}, *caller), ErrorCode::not_found);
}

}  // namespace
}  // namespace ym
