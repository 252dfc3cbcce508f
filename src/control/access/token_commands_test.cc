#include "control/access/token_commands.h"

#include "control/access/token_import.h"
#include "control/access/token_text.h"
#include "control/testing/access_fixture.h"

namespace ym {
namespace {

class Tokens : public testing::AccessFixture {
 protected:
  static constexpr Instant kMorning = kStart;

  Result<TokenReply> run(const auto& command, const Caller& caller = Caller::server()) {
    auto change = AccessFixture::run(command, caller);
    if (!change) return std::unexpected(change.error());
    return std::move(*change->token);
  }
  Caller caller_of(const TokenReply& made, Instant now = kMorning) const {
    return book_.authenticate(*made.secret, now).value_or(Caller{});
  }
  bool admits(const TokenReply& made, Instant now = kMorning) const {
    return book_.authenticate(*made.secret, now).has_value();
  }
  bool may(const TokenReply& made, Permission permission) const {
    return allows(book_.access_of(caller_of(made), kMorning), permission, {});
  }
  static std::vector<std::string> scopes(std::initializer_list<std::string> all) { return all; }
};

TEST_F(Tokens, AdmitUntilTheyAreRevoked) {
  const auto bob = run(CreateToken{.principal = "bob"});
  const auto scraper = run(CreateToken{.principal = "prometheus", .kind = PrincipalKind::service});
  ASSERT_TRUE(bob && scraper);
  EXPECT_EQ(caller_of(*bob).principal, "bob");
  EXPECT_EQ(tables_.principals.at("prometheus").kind, PrincipalKind::service);
  ASSERT_TRUE(run(RevokeToken{bob->token.name}));
  EXPECT_FALSE(admits(*bob));
  EXPECT_TRUE(admits(*scraper));
  EXPECT_EQ(code_of(RevokeToken{bob->token.name}, Caller::server()), ErrorCode::not_found);
  EXPECT_EQ(code_of(RevokeToken{""}, Caller::server()), ErrorCode::not_found);
}

TEST_F(Tokens, ExpireAndThenDoNothing) {
  const auto brief = run(CreateToken{.principal = "bob", .lifetime = minutes(5)});
  ASSERT_TRUE(brief);
  EXPECT_TRUE(admits(*brief, kMorning + minutes(5) + Duration{-1}));
  EXPECT_FALSE(admits(*brief, kMorning + minutes(5)));
  const auto caller = caller_of(*brief);
  EXPECT_FALSE(allows(book_.access_of(caller, kMorning + minutes(5)), Permission::jobs_list, {}));
}

TEST_F(Tokens, ThatSpeakForAProviderNeedEverything) {
  set_mode(AccessMode::by_bindings);
  add_principal("root");
  add_principal("clerk");
  add_principal("scim");
  bind("admin", "root", "site");
  add(RoleSet{
      {.name = "clerk",
       .permissions = {Permission::tokens_create, Permission::identities_edit, Permission::identities_impersonate},
       .description = {}}});
  bind("clerk", "clerk", "site");
  const CreateToken wanted{.principal = "scim", .needs_everything = true};
  EXPECT_TRUE(run(CreateToken{.principal = "scim"}, {.principal = "clerk"}));
  EXPECT_EQ(code_of(wanted, {.principal = "clerk"}), ErrorCode::forbidden);
  CreateToken new_one = wanted;
  new_one.principal = "scim2";
  EXPECT_EQ(code_of(new_one, {.principal = "clerk"}), ErrorCode::forbidden);
  EXPECT_TRUE(run(wanted, {.principal = "root"}));
  EXPECT_TRUE(run(wanted, {.principal = "scim"})) << "its own";
  EXPECT_TRUE(run(wanted));
}

TEST_F(Tokens, ANameOfTheFileThatWaitsBecomesAServiceAccount) {
  add(PrincipalSet{{.name = "scim", .handle = "scim", .created_at = kStart, .disabled_at = {}, .awaited = true}});
  ASSERT_TRUE(run(CreateToken{.principal = "scim", .kind = PrincipalKind::service}));
  EXPECT_EQ(tables_.principals.at("scim").kind, PrincipalKind::service);
  EXPECT_TRUE(book_.is_service("scim"));
  add_principal("bob");
  EXPECT_FALSE(book_.is_service("bob"));
  EXPECT_EQ(pointer_of(CreateToken{.principal = "bob", .kind = PrincipalKind::service}), "/service");
}

TEST_F(Tokens, ADisabledPrincipalHasNone) {
  const auto bob = run(CreateToken{.principal = "bob"});
  const auto caller = caller_of(*bob);
  auto row = tables_.principals.at("bob");
  row.disabled_at = kMorning;
  add(PrincipalSet{row});
  EXPECT_FALSE(admits(*bob));
  EXPECT_FALSE(allows(book_.access_of(caller, kMorning), Permission::jobs_list, {})) << "a request that was on its way";
  EXPECT_EQ(code_of(CreateToken{.principal = "bob"}, Caller::server()), ErrorCode::conflict);
}

TEST_F(Tokens, OfOthersAreLimitedToWhatTheyAlwaysCould) {
  const auto bob = run(CreateToken{.principal = "bob"});
  EXPECT_EQ(bob->token.scopes, scopes({"user"}));
  EXPECT_TRUE(may(*bob, Permission::jobs_cancel));
  EXPECT_FALSE(may(*bob, Permission::queues_edit));
  const auto admin = run(CreateToken{.principal = "ann", .scopes = scopes({})});
  EXPECT_TRUE(may(*admin, Permission::queues_edit));
}

TEST_F(Tokens, MakeNoneThatCanDoMoreOrLivesLonger) {
  const auto bob =
      run(CreateToken{.principal = "bob", .scopes = scopes({"user", "tokens.create"}), .lifetime = hours(1)});
  const Caller caller = caller_of(*bob);
  const auto same = run(CreateToken{}, caller);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->token.scopes, bob->token.scopes);
  EXPECT_EQ(same->token.expires_at, bob->token.expires_at);
  EXPECT_TRUE(run(CreateToken{.scopes = scopes({"jobs.get"})}, caller));
  EXPECT_EQ(code_of(CreateToken{.scopes = scopes({})}, caller), ErrorCode::forbidden);
  EXPECT_EQ(code_of(CreateToken{.scopes = scopes({"admin"})}, caller), ErrorCode::forbidden);
  EXPECT_EQ(code_of(CreateToken{.scopes = scopes({"site"})}, caller), ErrorCode::forbidden);
  EXPECT_EQ(pointer_of(CreateToken{.lifetime = hours(2)}, caller), "/ttl");
  EXPECT_EQ(code_of(CreateToken{.principal = "ann"}, caller), ErrorCode::forbidden);
}

TEST_F(Tokens, ThatReadMakeNoneAndRevokeNoneThatCanDoMore) {
  const auto root = run(RotateAdminToken{"root"});
  const auto viewer = run(CreateToken{.scopes = scopes({"viewer"})}, caller_of(*root));
  const auto other = run(CreateToken{.scopes = scopes({"viewer"})}, caller_of(*root));
  ASSERT_TRUE(viewer && other);
  EXPECT_EQ(viewer->token.principal, "root");
  EXPECT_EQ(code_of(CreateToken{.scopes = scopes({"viewer"})}, caller_of(*viewer)), ErrorCode::forbidden);
  EXPECT_EQ(code_of(RevokeToken{root->token.name}, caller_of(*viewer)), ErrorCode::not_found);
  EXPECT_TRUE(run(RevokeToken{other->token.name}, caller_of(*viewer)));
  EXPECT_TRUE(run(RevokeToken{viewer->token.name}, caller_of(*viewer))) << "itself";
}

TEST_F(Tokens, DoNothingOnceTheyAreRevoked) {
  const auto root = run(RotateAdminToken{"root"});
  const auto viewer = run(CreateToken{.scopes = scopes({"viewer"})}, caller_of(*root));
  const Caller on_its_way = caller_of(*viewer);
  ASSERT_TRUE(run(RevokeToken{viewer->token.name}));
  EXPECT_FALSE(book_.is_valid(on_its_way, kMorning));
  EXPECT_EQ(code_of(CreateToken{.scopes = scopes({})}, on_its_way), ErrorCode::forbidden);
  EXPECT_EQ(code_of(RotateAdminToken{"root"}, on_its_way), ErrorCode::forbidden);
}

TEST_F(Tokens, OfARoleOfTheSiteKeepWhatItMeant) {
  add(RoleSet{{.name = "reader", .permissions = {Permission::jobs_get}}});
  const auto made = run(CreateToken{.principal = "bob", .scopes = scopes({"reader", "project:cars"})});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->token.scopes, scopes({"jobs.get", "project:cars"}));
}

TEST_F(Tokens, OfAPrincipalWithMoreRightsAreNotGivenOut) {
  set_mode(AccessMode::by_bindings);
  const auto root = run(RotateAdminToken{"root"});
  ASSERT_TRUE(root);
  add(RoleSet{{.name = "token-maker", .permissions = {Permission::tokens_create, Permission::identities_edit}}});
  add(BindingSet{{.name = "b", .role = "token-maker", .grantee = {.name = "mia"}, .scope = {}}});
  const auto mia = run(CreateToken{.principal = "mia"}, caller_of(*root));
  ASSERT_TRUE(mia);
  EXPECT_TRUE(run(CreateToken{.principal = "new"}, caller_of(*mia)));
  EXPECT_EQ(code_of(CreateToken{.principal = "root"}, caller_of(*mia)), ErrorCode::forbidden);
}

TEST_F(Tokens, ExpireWhereBindingsDecide) {
  set_mode(AccessMode::by_bindings);
  EXPECT_EQ(run(CreateToken{.principal = "bob"})->token.expires_at, kMorning + hours(90 * 24));
  EXPECT_EQ(run(CreateToken{.principal = "ci", .kind = PrincipalKind::service})->token.expires_at,
            kMorning + hours(365 * 24));
  EXPECT_EQ(pointer_of(CreateToken{.principal = "bob", .lifetime = hours(91 * 24)}), "/ttl");
}

TEST_F(Tokens, OfAnAdministratorAreRotatedTogether) {
  const auto one = run(RotateAdminToken{"root"});
  const auto own = run(CreateToken{.principal = "root", .scopes = scopes({"viewer"})});
  const auto other = run(CreateToken{.principal = "ann", .scopes = scopes({})});
  const auto rotated = run(RotateAdminToken{"root"}, caller_of(*one));
  ASSERT_TRUE(rotated);
  EXPECT_TRUE(admits(*rotated) && admits(*own) && admits(*other));
  EXPECT_FALSE(admits(*one));
  set_mode(AccessMode::by_bindings);
  EXPECT_TRUE(may(*rotated, Permission::policies_edit)) << "the binding is there before bindings decide";
  EXPECT_EQ(code_of(RotateAdminToken{"ann"}, caller_of(*other)), ErrorCode::forbidden);
}

TEST_F(Tokens, ThatExpireAreNotRotated) {
  const auto root = run(RotateAdminToken{"root"});
  const auto brief = run(CreateToken{.scopes = scopes({}), .lifetime = hours(1)}, caller_of(*root));
  EXPECT_EQ(code_of(RotateAdminToken{"root"}, caller_of(*brief)), ErrorCode::forbidden);
}

TEST_F(Tokens, OfTheServersUserLetItInAgain) {
  run(RotateAdminToken{"root"});
  Principal row = tables_.principals.at("root");
  row.disabled_at = kMorning;
  add(PrincipalSet{row});
  Binding binding = tables_.bindings.begin()->second;
  binding.expires_at = kMorning;
  add(BindingSet{binding});
  set_mode(AccessMode::by_bindings);
  const auto again = run(RotateAdminToken{"root"});
  ASSERT_TRUE(again);
  EXPECT_TRUE(may(*again, Permission::policies_edit));
}

TEST_F(Tokens, AreForANameThatIsOne) {
  const auto root = run(RotateAdminToken{"root"});
  const Caller caller = caller_of(*root);
  for (const auto& principal :
       {std::string("job:7"), std::string("a b"), std::string("\n"), std::string("server"), std::string(65, 'a')})
    EXPECT_EQ(pointer_of(CreateToken{.principal = principal}, caller), "/principal") << principal;
  EXPECT_EQ(pointer_of(CreateToken{.principal = "bob", .scopes = scopes({"viewer", "queue:"})}, caller), "/scopes/1");
  EXPECT_EQ(pointer_of(CreateToken{.principal = "bob", .note = std::string(201, 'x')}, caller), "/note");
}

TEST_F(Tokens, OfAnEarlierVersionGoOnAsTheyWere) {
  const std::vector<TokenRecord> records{{hash_token(Secret("one")), "root", "admin", {1}},
                                         {hash_token(Secret("two")), "bob", "user", {2}},
                                         {hash_token(Secret("three")), "eve", std::string(kRevoked), {3}}};
  for (auto& event : import_of(tables_, records)) add(std::move(event));
  const auto access_of = [&](const char* secret) {
    return book_.access_of(book_.authenticate(Secret(secret), kMorning).value(), kMorning);
  };
  EXPECT_TRUE(allows(access_of("one"), Permission::queues_edit, {}));
  EXPECT_TRUE(allows(access_of("two"), Permission::jobs_cancel, {}));
  EXPECT_FALSE(allows(access_of("two"), Permission::queues_edit, {}));
  EXPECT_FALSE(book_.authenticate(Secret("three"), kMorning));
  set_mode(AccessMode::by_bindings);
  EXPECT_TRUE(allows(access_of("one"), Permission::queues_edit, {}));
  EXPECT_FALSE(allows(access_of("two"), Permission::jobs_list, {})) << "no binding gives bob anything";
  EXPECT_TRUE(import_of(tables_, records).empty()) << "a second time";
}

TEST(TokenText, CanBeToldFromOtherText) {
  const auto token = make_token(PrincipalKind::service, TokenKind::made).reveal();
  EXPECT_TRUE(token.starts_with("yms_"));
  EXPECT_TRUE(is_token_text(token));
  EXPECT_TRUE(is_token_text(make_token(PrincipalKind::user, TokenKind::made).reveal()));
  EXPECT_TRUE(make_token(PrincipalKind::service, TokenKind::login).reveal().starts_with("ymc_"));
  for (std::size_t i = 0; i < token.size(); ++i) {
    auto wrong = token;
    wrong[i] = wrong[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(is_token_text(wrong)) << i;
  }
  EXPECT_FALSE(is_token_text(""));
}

}  // namespace
}  // namespace ym
