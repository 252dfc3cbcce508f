#include "control/commands/token_commands.h"

#include <gtest/gtest.h>

#include "control/serve/token_book.h"

namespace ym {
namespace {

// The records of a store after changes.
class Tokens : public ::testing::Test {
 protected:
  Result<TokenReply> apply(const TokenCommand& command) {
    auto change = change_of(command, records_, {1000});
    if (!change) return std::unexpected(change.error());
    replace_records(records_, std::move(change->records));
    book_.reset(records_);
    return std::move(change->reply);
  }
  std::string role_of(const TokenReply& reply) const {
    const auto caller = book_.authenticate(*reply.secret);
    return caller ? caller->role : "";
  }

  std::vector<TokenRecord> records_;
  TokenBook book_;
};

TEST_F(Tokens, AdmitUntilTheyAreRevoked) {
  const auto bob = apply(CreateToken{"bob", "user"});
  const auto scraper = apply(CreateToken{"prometheus", "viewer"});
  ASSERT_TRUE(bob && scraper);
  EXPECT_EQ(role_of(*bob), "user");
  EXPECT_EQ(book_.authenticate(*bob->secret)->principal, "bob");
  ASSERT_TRUE(apply(RevokeToken{bob->token.id}));
  EXPECT_EQ(role_of(*bob), "");
  EXPECT_EQ(role_of(*scraper), "viewer");
  EXPECT_EQ(apply(RevokeToken{bob->token.id}).error().code, ErrorCode::not_found);
  EXPECT_EQ(apply(RevokeToken{""}).error().code, ErrorCode::not_found);
}

TEST_F(Tokens, OfAnAdministratorAreRotatedTogether) {
  const auto one = apply(CreateToken{"root", "admin"}), two = apply(CreateToken{"root", "admin"});
  const auto own = apply(CreateToken{"root", "viewer"}), other = apply(CreateToken{"ann", "admin"});
  const auto rotated = apply(RotateAdminToken{"root"});
  ASSERT_TRUE(rotated);
  EXPECT_EQ(role_of(*rotated), "admin");
  for (const auto* old : {&*one, &*two}) EXPECT_EQ(role_of(*old), "");
  EXPECT_EQ(role_of(*own), "viewer");
  EXPECT_EQ(role_of(*other), "admin");
}

TEST_F(Tokens, AreForAUserAndOfARoleThatIsThere) {
  for (const auto& [principal, role, pointer] :
       {std::tuple{"", "user", "/principal"}, std::tuple{"job:7", "user", "/principal"},
        std::tuple{"a b", "user", "/principal"}, std::tuple{"bob", "revoked", "/role"},
        std::tuple{"bob", "job", "/role"}, std::tuple{"bob", "", "/role"}}) {
    const auto refused = apply(CreateToken{principal, role});
    ASSERT_FALSE(refused) << principal << " " << role;
    EXPECT_EQ(refused.error().fields.at(0).pointer, pointer);
  }
  EXPECT_FALSE(apply(CreateToken{std::string(65, 'a'), "user"}));
}

}  // namespace
}  // namespace ym
