#include "control/access/login_commands.h"

#include "control/access/project_commands.h"
#include "control/access/token_commands.h"
#include "control/testing/access_fixture.h"

namespace ym {
namespace {

class LoginTest : public ym::testing::AccessFixture {
 protected:
  void SetUp() override {
    AccessFixture::SetUp();
    set_mode(AccessMode::by_bindings);
  }
  static LogIn login(const std::string& subject, const std::string& handle, std::vector<std::string> groups = {}) {
    return {.issuer = "https://idp",
            .subject = subject,
            .handle = handle,
            .groups = std::move(groups),
            .groups_max_age = hours(1),
            .lifetime = hours(12),
            .idle_limit = hours(8),
            .issued_at = kStart,
            .takes_awaited = true};
  }
  static ExchangeProof proof(const std::string& text) {
    return {.service = "robot", .proof = text, .lifetime = hours(1)};
  }
  std::string logged_in_as(const LogIn& command) {
    const auto made = run(command);
    return made ? made->token->token.principal : made.error().message;
  }
};

TEST_F(LoginTest, AUserIsOneOfAnIssuerAndASubject) {
  EXPECT_EQ(logged_in_as(login("1", "ada")), "ada");
  EXPECT_EQ(logged_in_as(login("1", "ada-new")), "ada") << "a handle does not follow the provider";
  auto other = login("1", "eve");
  other.issuer = "https://other";
  EXPECT_EQ(logged_in_as(other), "eve") << "the same subject of another issuer is another user";
  EXPECT_EQ(code_of(login("2", "ada")), ErrorCode::conflict) << "another user of this name";
}

TEST_F(LoginTest, ATokenOfALoginEnds) {
  const auto made = run(login("1", "ada"));
  ASSERT_TRUE(made);
  const AccessToken& token = made->token->token;
  EXPECT_EQ(token.kind, TokenKind::login);
  EXPECT_EQ(token.expires_at, kStart + hours(12));
  EXPECT_TRUE(book_.authenticate(*made->token->secret, kStart));
  EXPECT_FALSE(book_.authenticate(*made->token->secret, kStart + hours(12)));
}

TEST_F(LoginTest, GroupsAreThoseOfTheLastLogin) {
  bind("viewer", "group:crew", "site");
  ASSERT_TRUE(run(login("1", "ada", {"crew"})));
  EXPECT_TRUE(may("ada", Permission::jobs_get));
  ASSERT_TRUE(run(login("1", "ada")));
  EXPECT_FALSE(may("ada", Permission::jobs_get));
}

TEST_F(LoginTest, ANameOfTheConfigurationFileWaitsForItsUser) {
  add(PrincipalSet{{.name = "ann", .handle = "ann", .created_at = kStart, .disabled_at = {}, .awaited = true}});
  auto of_another = login("1", "ann");
  of_another.takes_awaited = false;
  EXPECT_EQ(code_of(of_another), ErrorCode::conflict) << "only one issuer names them";
  EXPECT_EQ(logged_in_as(login("1", "ann")), "ann");
  EXPECT_EQ(tables_.principals.at("ann").subject, "1");
  EXPECT_EQ(code_of(login("2", "ann")), ErrorCode::conflict);
}

TEST_F(LoginTest, ANameThatIsInUseIsNotForTheFirstThatComes) {
  add_principal("bob");
  EXPECT_EQ(code_of(login("1", "bob")), ErrorCode::conflict) << "it may have jobs";
  add(PrincipalSet{{.name = "zoe", .handle = "zoe", .created_at = kStart, .disabled_at = {}, .awaited = true}});
  add_principal("root");
  bind("admin", "root", "site");
  ASSERT_TRUE(run(CreateToken{.principal = "zoe"}, {.principal = "root"}));
  EXPECT_EQ(code_of(login("1", "zoe")), ErrorCode::conflict) << "a token was made for it";
  for (const auto* name : {"server", "", "a b", "x/y"})
    EXPECT_EQ(code_of(login("9", name)), ErrorCode::forbidden) << name;
}

TEST_F(LoginTest, AnAdministratorLinksANameToItsUser) {
  add_principal("bob");
  add_principal("root");
  add_principal("clerk");
  bind("admin", "root", "site");
  bind("operator", "clerk", "site");
  const ChangePrincipal link{.principal = "bob", .issuer = "https://idp", .subject = "1"};
  EXPECT_NE(code_of(link, {.principal = "clerk"}), ErrorCode::internal);
  ASSERT_TRUE(run(link, {.principal = "root"}));
  EXPECT_EQ(logged_in_as(login("1", "other")), "bob");
  ASSERT_TRUE(run(ChangePrincipal{.principal = "bob", .issuer = "https://idp", .subject = "2"}, {.principal = "root"}));
  EXPECT_TRUE(tables_.access_tokens.empty()) << "these were of another user";
  ASSERT_TRUE(run(link, {.principal = "root"}));
  EXPECT_EQ(logged_in_as(login("1", "other")), "bob");
  add_principal("eve");
  EXPECT_EQ(
      code_of(ChangePrincipal{.principal = "eve", .issuer = "https://idp", .subject = "1"}, {.principal = "root"}),
      ErrorCode::conflict);
}

TEST_F(LoginTest, ADisabledUserGetsNoToken) {
  ASSERT_TRUE(run(login("1", "ada")));
  auto row = tables_.principals.at("ada");
  row.disabled_at = kStart;
  add(PrincipalSet{row});
  EXPECT_EQ(code_of(login("1", "ada")), ErrorCode::forbidden);
}

TEST_F(LoginTest, AProofCountsOnce) {
  const auto made = run(proof("p"));
  ASSERT_TRUE(made);
  EXPECT_EQ(tables_.principals.at("robot").kind, PrincipalKind::service);
  EXPECT_EQ(code_of(proof("p")), ErrorCode::forbidden);
  EXPECT_TRUE(run(proof("q")));
  ASSERT_TRUE(run(login("1", "ada")));
  auto of_user = proof("r");
  of_user.service = "ada";
  EXPECT_EQ(code_of(of_user), ErrorCode::conflict) << "a user is no service account";
}

TEST_F(LoginTest, ARevokedTokenStillHasItsProof) {
  const auto made = run(proof("p"));
  add_principal("root");
  bind("admin", "root", "site");
  ASSERT_TRUE(run(RevokeToken{made->token->token.name}, {.principal = "root"}));
  EXPECT_FALSE(book_.authenticate(*made->token->secret, kStart));
  EXPECT_EQ(code_of(proof("p")), ErrorCode::forbidden);
  ASSERT_TRUE(run(ForgetExpired{kStart + hours(1)}));
  EXPECT_TRUE(tables_.access_tokens.empty());
}

TEST_F(LoginTest, WhatAProviderSaidBeforeDoesNotReplaceWhatItSaidLater) {
  ASSERT_TRUE(run(login("1", "ada", {"new"})));
  auto older = login("1", "ada", {"old"});
  older.issued_at = kStart - seconds(1);
  ASSERT_TRUE(run(older));
  EXPECT_EQ(tables_.principals.at("ada").issuer_groups, std::vector<std::string>{"new"});
  auto same = login("1", "ada", {"new"});
  same.issued_at = kStart + seconds(1);
  EXPECT_EQ(run(same)->events.size(), 1u) << "the token alone: rights are not made anew";
}

TEST_F(LoginTest, ATrialIsForUsersThatWillHaveRights) {
  set_mode(AccessMode::trial);
  EXPECT_EQ(code_of(login("1", "ada", {"crew"})), ErrorCode::forbidden);
  bind("viewer", "group:crew", "site");
  EXPECT_TRUE(run(login("1", "ada", {"crew"})));
  set_mode(AccessMode::everything);
  EXPECT_FALSE(book_.authenticate(Secret("ymc_x"), kStart));
}

TEST_F(LoginTest, UsersOfOtherIssuersAreLoggedOut) {
  const auto made = run(login("1", "ada", {"crew"}));
  ASSERT_TRUE(run(KeepIssuers{{{.url = "https://idp"}}})->events.empty());
  ASSERT_TRUE(run(KeepIssuers{{{.url = "https://other"}}}));
  EXPECT_FALSE(book_.authenticate(*made->token->secret, kStart));
  EXPECT_TRUE(tables_.principals.at("ada").issuer_groups.empty());
}

TEST_F(LoginTest, AFreshLoginMakesTokensThatLiveLonger) {
  const auto made = run(login("1", "ada"));
  const Caller ada{.principal = "ada", .token = made->token->token.name};
  EXPECT_EQ(run(CreateToken{}, ada)->token->token.expires_at, kStart + hours(90 * 24));
  EXPECT_EQ(run(CreateToken{.token_kind = TokenKind::login}, ada)->token->token.expires_at, kStart + hours(12));
}

TEST_F(LoginTest, AProviderEndsLoginsAndNoOtherTokens) {
  const auto made = run(login("1", "ada"));
  const auto own = run(CreateToken{}, {.principal = "ada", .token = made->token->token.name});
  ASSERT_TRUE(own);
  ASSERT_TRUE(run(EndLogins{"https://idp", "1", kStart}));
  EXPECT_FALSE(book_.authenticate(*made->token->secret, kStart));
  EXPECT_TRUE(book_.authenticate(*own->token->secret, kStart));
  EXPECT_TRUE(run(EndLogins{"https://idp", "unknown", kStart})->events.empty());
}

TEST_F(LoginTest, ALoginThatIsNotUsedEnds) {
  auto command = login("1", "ada");
  command.lifetime = hours(100);
  const auto made = run(command);
  const Secret& secret = *made->token->secret;
  EXPECT_TRUE(book_.authenticate(secret, kStart + hours(7)));
  EXPECT_TRUE(book_.take_used(kStart + hours(7)).empty());
  EXPECT_FALSE(book_.take_used(kStart + hours(8)).empty());
  EXPECT_TRUE(book_.authenticate(secret, kStart + hours(9))) << "a use counts before it is stored";
  EXPECT_FALSE(book_.authenticate(secret, kStart + hours(17)));
}

TEST_F(LoginTest, AUseThatWasStoredCountsAfterARestart) {
  auto command = login("1", "ada");
  command.lifetime = hours(100);
  const auto made = run(command);
  const Secret& secret = *made->token->secret;
  ASSERT_TRUE(run(NoteTokenUse{{{made->token->token.name, kStart + hours(5)}}}));
  AccessBook after;
  after.reset(tables_, AccessMode::by_bindings);
  EXPECT_EQ(after.authenticate(secret, kStart + hours(13)).error().code, ErrorCode::unauthenticated);
  EXPECT_TRUE(after.authenticate(secret, kStart + hours(13) - seconds(1)));
  EXPECT_TRUE(after.authenticate(secret, kStart + hours(20))) << "from then on it counts anew";
}

TEST_F(LoginTest, OneMoreLoginOfAUserHasItsLimit) {
  const auto made = run(login("1", "ada"));
  const Caller ada{.principal = "ada", .token = made->token->token.name};
  EXPECT_EQ(run(CreateToken{.token_kind = TokenKind::login}, ada)->token->token.idle_limit, hours(8));
  const auto own = run(CreateToken{}, ada);
  EXPECT_FALSE(own->token->token.idle_limit);
  EXPECT_TRUE(book_.authenticate(*own->token->secret, kStart + hours(24)));
}

TEST_F(LoginTest, TheLastUseOfATokenIsKept) {
  const auto made = run(login("1", "ada"));
  const auto& id = made->token->token.name;
  EXPECT_TRUE(book_.take_used(kStart).empty());
  ASSERT_TRUE(book_.authenticate(*made->token->secret, kStart + seconds(5)));
  EXPECT_EQ(book_.tokens().front().last_used_at, kStart + seconds(5));
  EXPECT_TRUE(book_.take_used(kStart + minutes(59)).empty()) << "once an hour";
  const auto used = book_.take_used(kStart + hours(1));
  ASSERT_TRUE(run(NoteTokenUse{used}));
  EXPECT_TRUE(book_.take_used(kStart + hours(2)).empty()) << "it is stored";
  EXPECT_EQ(tables_.access_tokens.at(id).last_used_at, kStart + seconds(5));
  EXPECT_TRUE(run(NoteTokenUse{{{"gone", kStart}, {id, kStart}}})->events.empty());
}

}  // namespace
}  // namespace ym
