#include "control/access/provision/provision_commands.h"

#include "control/access/login_commands.h"
#include "control/access/project_commands.h"
#include "control/access/token_commands.h"
#include "control/testing/access_fixture.h"

namespace ym {
namespace {

class ProvisionTest : public ym::testing::AccessFixture {
 protected:
  static constexpr const char* kIssuer = "https://idp";

  void SetUp() override {
    AccessFixture::SetUp();
    set_mode(AccessMode::by_bindings);
    add_principal("scim");
    add_principal("root");
    add(RoleSet{{.name = "provisioner",
                 .permissions = {Permission::identities_get, Permission::identities_edit},
                 .description = {}}});
    bind("provisioner", "scim", "site");
    bind("admin", "root", "site");
    bind("viewer", "group:crew", "site");
  }
  static ProvisionUser user(const std::string& name) {
    return {.issuer = kIssuer, .user_name = name, .takes_awaited = true};
  }
  static ProvisionUser active(const std::string& id, bool is_active) {
    return {.issuer = kIssuer, .id = id, .active = is_active};
  }
  static ProvisionGroup new_group(const std::string& id, const std::string& name) {
    return {.issuer = kIssuer, .id = id, .is_new = true, .display = name, .group = name};
  }
  static ProvisionGroup members(const std::string& id, const std::string& added, const std::string& removed = {}) {
    ProvisionGroup command{.issuer = kIssuer, .id = id};
    if (!added.empty()) command.members.add(added);
    if (!removed.empty()) command.members.remove(removed);
    return command;
  }
  static LogIn login(const std::string& subject, const std::string& handle, std::vector<std::string> groups = {}) {
    return {.issuer = kIssuer,
            .subject = subject,
            .handle = handle,
            .groups = std::move(groups),
            .groups_max_age = hours(1),
            .lifetime = hours(12),
            .issued_at = kStart};
  }
  // As the account of the provider.
  Result<AccessChange> say(const auto& command) { return run(command, scim_); }
  ErrorCode refused(const auto& command) { return code_of(command, scim_); }
  const Principal& row(const std::string& id) { return tables_.principals.at(id); }

  Caller scim_{.principal = "scim"};
};

TEST_F(ProvisionTest, AUserIsFoundByItsFirstLogin) {
  ASSERT_TRUE(say(user("Ada@corp.example")));
  EXPECT_EQ(row("Ada@corp.example").issuer, kIssuer);
  EXPECT_FALSE(may("Ada@corp.example", Permission::jobs_get)) << "it gives no rights";
  auto of_another = login("1", "Ada@corp.example");
  of_another.issuer = "https://other";
  EXPECT_EQ(code_of(of_another), ErrorCode::conflict);
  const auto made = run(login("1", "ada@corp.example"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->token->token.principal, "Ada@corp.example") << "in any letter case";
  EXPECT_EQ(row("Ada@corp.example").subject, "1");
  EXPECT_EQ(code_of(login("2", "Ada@corp.example")), ErrorCode::conflict);
}

TEST_F(ProvisionTest, AUserIsFoundByItsSubjectWhereThatIsKnown) {
  auto command = user("ada");
  command.subject = command.external_id = "7";
  ASSERT_TRUE(say(command));
  EXPECT_EQ(run(login("7", "ada-at-home"))->token->token.principal, "ada");
  EXPECT_EQ(code_of(login("8", "ada")), ErrorCode::conflict);
  EXPECT_EQ(refused(ProvisionUser{.issuer = kIssuer, .id = "ada", .subject = "9"}), ErrorCode::conflict)
      << "it stays the user that it is";
}

TEST_F(ProvisionTest, AUserThatIsRenamedBeforeItsFirstLoginIsFoundByItsNewName) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(say(ProvisionUser{.issuer = kIssuer, .id = "ada", .user_name = "ada.new"}));
  EXPECT_EQ(run(login("1", "ada.new"))->token->token.principal, "ada");
}

TEST_F(ProvisionTest, AUserThatHasLoggedInIsTakenOver) {
  ASSERT_TRUE(run(login("1", "ada")));
  ASSERT_TRUE(say(user("ADA")));
  ASSERT_TRUE(row("ada").provisioned);
  EXPECT_EQ(row("ada").provisioned->user_name, "ADA");
  EXPECT_EQ(refused(user("ada")), ErrorCode::conflict) << "it is there";
}

TEST_F(ProvisionTest, ANameOfOthersIsNotTaken) {
  EXPECT_EQ(refused(user("root")), ErrorCode::conflict) << "it was made here";
  add(PrincipalSet{{.name = "robot", .kind = PrincipalKind::service, .handle = "robot", .created_at = kStart}});
  EXPECT_EQ(refused(user("robot")), ErrorCode::conflict);
  auto of_another = login("1", "eve");
  of_another.issuer = "https://other";
  ASSERT_TRUE(run(of_another));
  EXPECT_EQ(refused(user("eve")), ErrorCode::conflict) << "a user of another issuer";
  for (const auto* name : {"server", "", "a b", "x/y"}) EXPECT_EQ(pointer_of(user(name), scim_), "/userName") << name;
  add(PrincipalSet{{.name = "ann", .handle = "ann", .created_at = kStart, .disabled_at = {}, .awaited = true}});
  auto of_second = user("ann");
  of_second.takes_awaited = false;
  EXPECT_EQ(refused(of_second), ErrorCode::conflict) << "only the first issuer has the names of the file";
  EXPECT_TRUE(say(user("ann")));
  EXPECT_EQ(run(login("1", "ann"))->token->token.principal, "ann");
}

TEST_F(ProvisionTest, ADisabledUserIsOutAtOnceAndComesBack) {
  ASSERT_TRUE(say(user("ada")));
  const auto session = run(login("1", "ada"));
  const auto own = run(CreateToken{}, {.principal = "ada", .token = session->token->token.name});
  ASSERT_TRUE(say(active("ada", false)));
  EXPECT_FALSE(book_.authenticate(*session->token->secret, kStart));
  EXPECT_FALSE(book_.authenticate(*own->token->secret, kStart));
  EXPECT_EQ(code_of(login("1", "ada")), ErrorCode::forbidden);
  EXPECT_EQ(code_of(CreateToken{.principal = "ada"}, {.principal = "root"}), ErrorCode::conflict);
  ASSERT_TRUE(say(active("ada", true)));
  EXPECT_FALSE(book_.authenticate(*session->token->secret, kStart)) << "its logins have ended";
  EXPECT_TRUE(book_.authenticate(*own->token->secret, kStart));
  EXPECT_TRUE(run(login("1", "ada")));
}

TEST_F(ProvisionTest, AnAdministratorAndTheProviderDoNotUndoEachOther) {
  const Caller root{.principal = "root"};
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(run(ChangePrincipal{.principal = "ada", .disabled = true}, root));
  ASSERT_TRUE(say(active("ada", true)));
  EXPECT_TRUE(is_disabled(row("ada")));
  ASSERT_TRUE(say(active("ada", false)));
  ASSERT_TRUE(run(ChangePrincipal{.principal = "ada", .disabled = false}, root));
  EXPECT_TRUE(is_disabled(row("ada")));
  EXPECT_EQ(code_of(ChangePrincipal{.principal = "ada", .disabled = false}, root), ErrorCode::conflict);
  ASSERT_TRUE(say(active("ada", true)));
  EXPECT_FALSE(is_disabled(row("ada")));
}

TEST_F(ProvisionTest, ARemovedUserNeverComesBack) {
  ASSERT_TRUE(say(user("ada")));
  const auto session = run(login("1", "ada"));
  ASSERT_TRUE(run(CreateToken{}, {.principal = "ada", .token = session->token->token.name}));
  ASSERT_TRUE(say(RemoveProvisionedUser{kIssuer, "ada"}));
  EXPECT_TRUE(tables_.access_tokens.empty());
  EXPECT_EQ(refused(active("ada", true)), ErrorCode::not_found);
  EXPECT_EQ(refused(RemoveProvisionedUser{kIssuer, "ada"}), ErrorCode::not_found);
  EXPECT_EQ(refused(user("ada")), ErrorCode::conflict) << "the name is for no other user";
  EXPECT_EQ(code_of(login("1", "ada")), ErrorCode::forbidden);
}

TEST_F(ProvisionTest, ARemovedUserThatNeverLoggedInCannotLogIn) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(say(RemoveProvisionedUser{kIssuer, "ada"}));
  EXPECT_EQ(code_of(login("1", "ada")), ErrorCode::forbidden);
}

TEST_F(ProvisionTest, AMemberHasTheRightsOfTheGroupUntilItLeaves) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(say(new_group("g1", "crew")));
  ASSERT_TRUE(say(members("g1", "ada")));
  EXPECT_TRUE(may("ada", Permission::jobs_get));
  ASSERT_TRUE(say(members("g1", {}, "ada")));
  EXPECT_FALSE(may("ada", Permission::jobs_get));
  ASSERT_TRUE(say(members("g1", "ada")));
  ASSERT_TRUE(say(RemoveProvisionedGroup{kIssuer, "g1"}));
  EXPECT_FALSE(may("ada", Permission::jobs_get));
  EXPECT_TRUE(row("ada").provisioned->groups.empty());
}

TEST_F(ProvisionTest, AMemberThatLeavesLosesWhatItsLoginSaid) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(run(login("1", "ada", {"crew"})));
  ASSERT_TRUE(say(new_group("g1", "crew")));
  ASSERT_TRUE(say(members("g1", {}, "ada")));
  EXPECT_FALSE(may("ada", Permission::jobs_get));
  auto older = login("1", "ada", {"crew"});
  older.issued_at = kStart - seconds(1);
  ASSERT_TRUE(run(older));
  EXPECT_FALSE(may("ada", Permission::jobs_get)) << "the provider said it before";
}

TEST_F(ProvisionTest, AGroupCountsUnderTheNameThatItHasNow) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(say(new_group("g1", "crew")));
  ASSERT_TRUE(say(members("g1", "ada")));
  ASSERT_TRUE(say(ProvisionGroup{.issuer = kIssuer, .id = "g1", .display = "other", .group = "other"}));
  EXPECT_FALSE(may("ada", Permission::jobs_get));
  ASSERT_TRUE(say(ProvisionGroup{.issuer = kIssuer, .id = "g1", .group = ""}));
  EXPECT_FALSE(may("ada", Permission::jobs_get)) << "a group that does not count here";
  EXPECT_TRUE(row("ada").provisioned->groups == std::vector<std::string>{"g1"});
}

TEST_F(ProvisionTest, AListOfAllMembersReplacesTheOthers) {
  for (const auto* name : {"ada", "bob", "eve"}) ASSERT_TRUE(say(user(name)));
  ASSERT_TRUE(say(new_group("g1", "crew")));
  ASSERT_TRUE(say(members("g1", "ada")));
  ASSERT_TRUE(say(members("g1", "bob")));
  ProvisionGroup all{.issuer = kIssuer, .id = "g1"};
  all.members.clear();
  all.members.add("bob");
  all.members.add("eve");
  ASSERT_TRUE(say(all));
  EXPECT_FALSE(may("ada", Permission::jobs_get));
  EXPECT_TRUE(may("bob", Permission::jobs_get));
  EXPECT_TRUE(may("eve", Permission::jobs_get));
  EXPECT_TRUE(say(all)->events.empty()) << "it says nothing new";
}

TEST_F(ProvisionTest, OnlyUsersOfTheProviderAreMembers) {
  ASSERT_TRUE(say(new_group("g1", "crew")));
  EXPECT_EQ(pointer_of(members("g1", "root"), scim_), "/members");
  EXPECT_EQ(pointer_of(members("g1", "unknown"), scim_), "/members");
  EXPECT_EQ(refused(members("g2", "root")), ErrorCode::not_found);
  EXPECT_EQ(refused(new_group("g3", "crew")), ErrorCode::conflict) << "another group has the name";
  EXPECT_EQ(pointer_of(new_group("g3", ""), scim_), "/displayName");
  auto of_another = members("g1", {}, "ada");
  of_another.issuer = "https://other";
  EXPECT_EQ(refused(of_another), ErrorCode::not_found);
}

TEST_F(ProvisionTest, EachOfTheCommandsNeedsTheRight) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(say(new_group("g1", "crew")));
  const Caller ada{.principal = "ada"};
  EXPECT_EQ(code_of(user("bob"), ada), ErrorCode::forbidden);
  EXPECT_EQ(code_of(active("ada", true), ada), ErrorCode::forbidden);
  EXPECT_EQ(code_of(RemoveProvisionedUser{kIssuer, "ada"}, ada), ErrorCode::forbidden);
  EXPECT_EQ(code_of(members("g1", "ada"), ada), ErrorCode::forbidden);
  EXPECT_EQ(code_of(RemoveProvisionedGroup{kIssuer, "g1"}, ada), ErrorCode::forbidden);
}

TEST_F(ProvisionTest, AnIssuerThatLeavesTakesItsGroupsWithIt) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(say(new_group("g1", "crew")));
  ASSERT_TRUE(say(members("g1", "ada")));
  ASSERT_TRUE(run(KeepIssuers{{{.url = kIssuer, .scim = "scim"}}})->events.empty());
  ASSERT_TRUE(run(KeepIssuers{}));
  EXPECT_TRUE(tables_.provisioned_groups.empty());
  EXPECT_FALSE(may("ada", Permission::jobs_get));
}

TEST_F(ProvisionTest, GroupsAreCalledAsTheSettingsOfTheIssuerSayNow) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(say(new_group("g1", "crew")));
  ASSERT_TRUE(say(members("g1", "ada")));
  ASSERT_TRUE(may("ada", Permission::jobs_get));
  ASSERT_TRUE(run(KeepIssuers{{{.url = kIssuer, .groups_prefix = "idp:", .scim = "scim"}}}));
  EXPECT_EQ(tables_.provisioned_groups.at("g1").group, "idp:crew");
  EXPECT_FALSE(may("ada", Permission::jobs_get));
  ASSERT_TRUE(run(KeepIssuers{{{.url = kIssuer}}}));
  EXPECT_EQ(tables_.provisioned_groups.at("g1").group, "") << "no account speaks for it";
  ASSERT_TRUE(run(KeepIssuers{{{.url = kIssuer, .scim = "scim"}}}));
  EXPECT_TRUE(may("ada", Permission::jobs_get));
}

TEST_F(ProvisionTest, AUserThatWasRenamedAtTheProviderIsFoundByItsNewName) {
  ASSERT_TRUE(run(login("1", "ada")));
  ASSERT_TRUE(run(login("1", "ada.new")));
  EXPECT_EQ(row("ada").login_name, "ada.new");
  EXPECT_EQ(refused(user("ada")), ErrorCode::conflict) << "this is another user";
  ASSERT_TRUE(say(user("Ada.New")));
  ASSERT_TRUE(row("ada").provisioned);
  EXPECT_EQ(row("ada").provisioned->user_name, "Ada.New");
}

TEST_F(ProvisionTest, ANameIsOfTheUserThatLoggedInWithItLast) {
  ASSERT_TRUE(run(login("1", "ada")));
  add_principal("lace");
  ASSERT_TRUE(run(ChangePrincipal{.principal = "lace", .issuer = kIssuer, .subject = "2"}, {.principal = "root"}));
  ASSERT_TRUE(run(login("2", "ADA")));
  EXPECT_EQ(row("ada").login_name, "");
  ASSERT_TRUE(say(user("ada")));
  EXPECT_TRUE(row("lace").provisioned);
  EXPECT_FALSE(row("ada").provisioned);
}

TEST_F(ProvisionTest, ANameThatAnotherUserTookIsNotOfTheFirstOneAgain) {
  ASSERT_TRUE(run(login("1", "ada")));
  add_principal("lace");
  ASSERT_TRUE(run(ChangePrincipal{.principal = "lace", .issuer = kIssuer, .subject = "2"}, {.principal = "root"}));
  ASSERT_TRUE(run(login("2", "ada")));
  ASSERT_TRUE(run(login("2", "lovelace")));
  EXPECT_EQ(refused(user("ada")), ErrorCode::conflict) << "a third user";
}

TEST_F(ProvisionTest, ARowOfBeforeLoginNamesIsFoundByItsHandle) {
  add(PrincipalSet{{.name = "old", .handle = "old", .issuer = kIssuer, .subject = "3", .created_at = kStart}});
  ASSERT_TRUE(say(user("Old")));
  EXPECT_TRUE(row("old").provisioned);
}

TEST_F(ProvisionTest, AnotherUserOfAnotherProviderIsNotWhatTheFirstSaid) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(say(active("ada", false)));
  ASSERT_TRUE(
      run(ChangePrincipal{.principal = "ada", .issuer = "https://other", .subject = "1"}, {.principal = "root"}));
  EXPECT_FALSE(row("ada").provisioned);
}

TEST_F(ProvisionTest, ARemovedUserComesBackWhereAnAdministratorSaysSo) {
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(run(login("1", "ada")));
  ASSERT_TRUE(say(RemoveProvisionedUser{kIssuer, "ada"}));
  const ChangePrincipal link{.principal = "ada", .issuer = kIssuer, .subject = "2"};
  ASSERT_TRUE(run(link, {.principal = "root"}));
  EXPECT_EQ(run(login("2", "ada"))->token->token.principal, "ada");
  ASSERT_TRUE(say(user("ada")));
  ASSERT_TRUE(say(active("ada", false)));
  ASSERT_TRUE(run(link, {.principal = "root"}));
  EXPECT_TRUE(is_disabled(row("ada"))) << "what the provider only disabled, it enables";
}

TEST_F(ProvisionTest, ALoginUnderTheNameOfAnotherUserIsRefused) {
  ASSERT_TRUE(run(login("1", "bob")));
  ASSERT_TRUE(say(user("robert")));
  EXPECT_EQ(code_of(login("1", "robert")), ErrorCode::conflict) << "the provider would disable another row";
  ASSERT_TRUE(say(user("bob")));
  EXPECT_EQ(code_of(login("1", "robert")), ErrorCode::conflict);
  EXPECT_EQ(code_of(login("1", "rob")), ErrorCode::conflict) << "SCIM calls it bob";
  EXPECT_TRUE(run(login("1", "BOB")));
}

TEST_F(ProvisionTest, AccountsOfTheServerAreNotTaken) {
  auto command = user("daemon");
  command.reserved = {"daemon", "ops"};
  EXPECT_EQ(refused(command), ErrorCode::conflict);
  add(PrincipalSet{{.name = "ops", .handle = "ops", .issuer = kIssuer, .subject = "7", .created_at = kStart}});
  command.user_name = "OPS";
  EXPECT_EQ(refused(command), ErrorCode::conflict) << "the row has another spelling";
  command.user_name = "other";
  command.subject = "7";
  EXPECT_EQ(refused(command), ErrorCode::conflict) << "the row has the subject";
  ASSERT_TRUE(say(user("ada")));
  ProvisionUser renamed{.issuer = kIssuer, .id = "ada", .user_name = "ops", .reserved = {"ops"}};
  EXPECT_EQ(refused(renamed), ErrorCode::conflict);
}

TEST_F(ProvisionTest, TheServersOwnUserIsNotLockedOut) {
  ASSERT_TRUE(say(user("daemon")));
  ASSERT_TRUE(say(active("daemon", false)));
  ASSERT_TRUE(run(ChangePrincipal{.principal = "daemon", .disabled = false}));
  EXPECT_FALSE(is_disabled(row("daemon")));
  EXPECT_TRUE(run(CreateToken{.principal = "daemon"}));
  ASSERT_TRUE(say(user("daemon2")));
  ASSERT_TRUE(say(RemoveProvisionedUser{kIssuer, "daemon2"}));
  EXPECT_TRUE(book_.authenticate(*run(RotateAdminToken{"daemon2"})->token->secret, kStart));
}

TEST_F(ProvisionTest, ALongTextIsRefused) {
  auto command = user("ada");
  command.external_id = std::string(257, 'x');
  EXPECT_EQ(pointer_of(command, scim_), "/externalId");
  command.external_id = "a\nb";
  EXPECT_EQ(pointer_of(command, scim_), "/externalId");
}

}  // namespace
}  // namespace ym
