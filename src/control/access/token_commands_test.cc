#include "control/access/token_commands.h"

#include <gtest/gtest.h>

#include "control/access/access_book.h"
#include "control/access/token_import.h"
#include "control/access/token_text.h"
#include "model/access/roles.h"

namespace ym {
namespace {

constexpr Instant kMorning{1'000'000};

// The tables of a server after commands.
class Tokens : public ::testing::Test {
 protected:
  Result<TokenReply> run(const auto& command, const Caller& caller = Caller::server()) {
    auto change =
        change_of(command, AccessContext{.tables = tables_, .cache = cache_, .caller = caller, .now = kMorning});
    if (!change) return std::unexpected(change.error());
    for (auto& payload : change->events) add(std::move(payload));
    return std::move(*change->token);
  }
  void add(EventPayload payload) {
    const std::vector<Event> events{{.seq = tables_.last_seq + 1, .time = kMorning, .payload = std::move(payload)}};
    apply(tables_, events.front());
    cache_.forget();
    book_.follow(events);
  }
  void set_mode(AccessMode mode) {
    cache_.set_mode(mode);
    book_.set_mode(mode);
  }

  Caller caller_of(const TokenReply& made, Instant now = kMorning) const {
    return book_.authenticate(*made.secret, now).value_or(Caller{});
  }
  bool admits(const TokenReply& made, Instant now = kMorning) const {
    return book_.authenticate(*made.secret, now).has_value();
  }
  std::string pointer_of(const CreateToken& command, const Caller& caller = Caller::server()) {
    const auto refused = run(command, caller);
    return refused || refused.error().fields.empty() ? "" : refused.error().fields.front().pointer;
  }
  ErrorCode code_of(const auto& command, const Caller& caller) {
    const auto refused = run(command, caller);
    EXPECT_FALSE(refused);
    return refused ? ErrorCode::internal : refused.error().code;
  }
  bool may(const TokenReply& made, Permission permission) const {
    return allows(book_.access_of(caller_of(made), kMorning), permission, {});
  }

  void SetUp() override { book_.reset(tables_, AccessMode::everything); }

  Tables tables_;
  AccessCache cache_;
  AccessBook book_;
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
  EXPECT_EQ(bob->token.scopes, std::vector<std::string>{"user"});
  EXPECT_TRUE(may(*bob, Permission::jobs_cancel));
  EXPECT_FALSE(may(*bob, Permission::queues_edit));
  const auto admin = run(CreateToken{.principal = "ann", .scopes = std::vector<std::string>{}});
  EXPECT_TRUE(may(*admin, Permission::queues_edit));
}

TEST_F(Tokens, MakeNoneThatCanDoMoreOrLivesLonger) {
  const auto bob = run(CreateToken{.principal = "bob", .lifetime = hours(1)});
  const Caller caller = caller_of(*bob);
  const auto same = run(CreateToken{}, caller);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->token.scopes, bob->token.scopes);
  EXPECT_EQ(same->token.expires_at, bob->token.expires_at);
  EXPECT_TRUE(run(CreateToken{.scopes = std::vector<std::string>{"jobs.get"}}, caller));
  EXPECT_EQ(code_of(CreateToken{.scopes = std::vector<std::string>{}}, caller), ErrorCode::forbidden);
  EXPECT_EQ(code_of(CreateToken{.scopes = std::vector<std::string>{"admin"}}, caller), ErrorCode::forbidden);
  EXPECT_EQ(pointer_of(CreateToken{.lifetime = hours(2)}, caller), "/ttl");
  EXPECT_EQ(code_of(CreateToken{.principal = "ann"}, caller), ErrorCode::forbidden);
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
  const auto own = run(CreateToken{.principal = "root", .scopes = std::vector<std::string>{"viewer"}});
  const auto other = run(CreateToken{.principal = "ann", .scopes = std::vector<std::string>{}});
  const auto rotated = run(RotateAdminToken{"root"}, caller_of(*one));
  ASSERT_TRUE(rotated);
  EXPECT_TRUE(admits(*rotated) && admits(*own) && admits(*other));
  EXPECT_FALSE(admits(*one));
  set_mode(AccessMode::by_bindings);
  EXPECT_TRUE(may(*rotated, Permission::policies_edit)) << "the binding is there before bindings decide";
  EXPECT_EQ(code_of(RotateAdminToken{"ann"}, caller_of(*other)), ErrorCode::forbidden);
}

TEST_F(Tokens, AreForANameThatIsOne) {
  for (const auto* principal : {"job:7", "a b", "\n"})
    EXPECT_EQ(pointer_of(CreateToken{.principal = principal}), "/principal") << principal;
  EXPECT_EQ(pointer_of(CreateToken{.principal = std::string(65, 'a')}), "/principal");
  EXPECT_EQ(pointer_of(CreateToken{.principal = "bob", .scopes = std::vector<std::string>{"viewer", "queue:"}}),
            "/scopes/1");
  EXPECT_EQ(pointer_of(CreateToken{.principal = "bob", .note = std::string(201, 'x')}), "/note");
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
  const auto token = make_token(PrincipalKind::service).reveal();
  EXPECT_TRUE(token.starts_with("yms_"));
  EXPECT_TRUE(is_token_text(token));
  EXPECT_TRUE(is_token_text(make_token(PrincipalKind::user).reveal()));
  for (std::size_t i = 0; i < token.size(); ++i) {
    auto wrong = token;
    wrong[i] = wrong[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(is_token_text(wrong)) << i;
  }
  EXPECT_FALSE(is_token_text(""));
}

}  // namespace
}  // namespace ym
