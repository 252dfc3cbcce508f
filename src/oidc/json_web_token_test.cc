#include "oidc/json_web_token.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "base/base64url.h"

namespace ym::oidc {
namespace {

constexpr Instant kNow{1'790'000'000'000};

// A key of Ed25519: it is made at once.
class Signer {
 public:
  Signer() : key_(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free) {}

  std::string token(const std::string& head, const std::string& claims) const {
    const auto text = to_base64url(head) + "." + to_base64url(claims);
    std::string signature(64, '\0');
    std::size_t size = signature.size();
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get());
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                   reinterpret_cast<const unsigned char*>(text.data()), text.size());
    return text + "." + to_base64url(signature);
  }
  JsonWebKey key() const {
    std::string raw(32, '\0');
    std::size_t size = raw.size();
    EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char*>(raw.data()), &size);
    const auto json =
        fmt::format(R"({{"keys":[{{"kty":"OKP","crv":"Ed25519","kid":"k","x":"{}"}}]}})", to_base64url(raw));
    return read_keys(*spec::read_json(json)).value().front();
  }

 private:
  std::shared_ptr<evp_pkey_st> key_;
};

const std::string kHead = R"({"alg":"EdDSA","kid":"k"})";

TEST(WebToken, IsSignedByItsKeyAndNoOther) {
  const Signer signer, other;
  const auto token = read_web_token(signer.token(kHead, R"({"sub":"ada"})"));
  ASSERT_TRUE(token);
  EXPECT_EQ(token->key_id, "k");
  EXPECT_TRUE(is_signed(signer.key(), token->algorithm, token->signed_text, token->signature));
  EXPECT_FALSE(is_signed(other.key(), token->algorithm, token->signed_text, token->signature));
  EXPECT_FALSE(is_signed(signer.key(), Algorithm::rs256, token->signed_text, token->signature));
  EXPECT_FALSE(is_signed(signer.key(), token->algorithm, token->signed_text, ""));
}

TEST(WebToken, CountsAsAWhole) {
  const Signer signer;
  const auto good = signer.token(kHead, R"({"sub":"ada"})");
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto wrong = good;
    wrong[i] = wrong[i] == 'A' ? 'B' : 'A';
    const auto token = read_web_token(wrong);
    EXPECT_FALSE(token && token->algorithm == Algorithm::eddsa &&
                 is_signed(signer.key(), token->algorithm, token->signed_text, token->signature))
        << i;
  }
}

TEST(WebToken, RefusesWhatItDoesNotKnow) {
  const Signer signer;
  for (const auto* head : {R"({"alg":"none"})", R"({"alg":"HS256"})", R"({"alg":"EdDSA","crit":[]})", R"({})", "[]",
                           "{", R"({"alg":"EdDSA","alg":"EdDSA"})"})
    EXPECT_FALSE(read_web_token(signer.token(head, "{}"))) << head;
  for (const auto* text : {"", ".", "..", "a.b", "a.b.c.d"}) EXPECT_FALSE(read_web_token(text)) << text;
  EXPECT_FALSE(read_web_token(std::string(JsonWebToken::kMostBytes + 1, 'a')));
}

TEST(WebKeys, LeavesOutKeysOfNoUse) {
  const auto read = [](const std::string& key) {
    return read_keys(*spec::read_json(R"({"keys":[)" + key + "]}")).has_value();
  };
  EXPECT_FALSE(read(R"({"kty":"OKP","crv":"Ed25519","x":"AA"})"));
  EXPECT_FALSE(read(R"({"kty":"OKP","crv":"X25519","x":"AA"})"));
  EXPECT_FALSE(read(R"({"kty":"EC","crv":"P-256","x":"AA","y":"AA"})"));
  EXPECT_FALSE(read(R"({"kty":"EC","crv":"P-384"})"));
  EXPECT_FALSE(read(R"({"kty":"RSA","n":"","e":""})"));
  EXPECT_FALSE(read(R"({"kty":"RSA","n":"AQAB","e":"AQAB"})")) << "too short";
  EXPECT_FALSE(read(R"({"kty":"oct","k":"AAAA"})"));
  EXPECT_FALSE(read("5"));
}

class ClaimsTest : public ::testing::Test {
 protected:
  static bool accepts(const std::string& claims, ExpectedClaims expected = {}) {
    expected.issuer = "https://idp";
    expected.audience = "ym";
    expected.now = kNow;
    return check_claims(*spec::read_json("{" + claims + "}"), expected).has_value();
  }
  static std::string with(const std::string& more, std::int64_t ends_in = 60) {
    return fmt::format(R"("iss":"https://idp","aud":"ym","exp":{}{}{})", kNow.ms / 1000 + ends_in,
                       more.empty() ? "" : ",", more);
  }
};

TEST_F(ClaimsTest, TimesCountWithAMinuteOfLeeway) {
  EXPECT_TRUE(accepts(with("")));
  EXPECT_TRUE(accepts(with("", -59)));
  EXPECT_FALSE(accepts(with("", -60)));
  const auto at = [](std::int64_t s) { return kNow.ms / 1000 + s; };
  EXPECT_TRUE(accepts(with(fmt::format(R"("nbf":{})", at(60)))));
  EXPECT_FALSE(accepts(with(fmt::format(R"("nbf":{})", at(61)))));
  EXPECT_FALSE(accepts(with(fmt::format(R"("iat":{})", at(61)))));
  EXPECT_TRUE(accepts(with(fmt::format(R"("iat":{}.75)", at(0))))) << "fractions are allowed";
  EXPECT_FALSE(accepts(with(R"("iat":"soon")")));
}

TEST_F(ClaimsTest, ATokenIsForOneClient) {
  const ExpectedClaims of_id{.is_id_token = true};
  EXPECT_TRUE(accepts(with(R"("azp":"ym")"), of_id));
  EXPECT_FALSE(accepts(with(R"("azp":"other")"), of_id));
  const auto two = fmt::format(R"("iss":"https://idp","aud":["a","ym"],"exp":{})", kNow.ms / 1000 + 60);
  EXPECT_TRUE(accepts(two));
  EXPECT_FALSE(accepts(two, of_id));
  EXPECT_TRUE(accepts(two + R"(,"azp":"ym")", of_id));
  EXPECT_FALSE(accepts(fmt::format(R"("iss":"https://idp","aud":["ym",5],"exp":{})", kNow.ms / 1000 + 60)));
}

TEST_F(ClaimsTest, ANonceBelongsToOneLogin) {
  const ExpectedClaims expected{.nonce = "n"};
  EXPECT_TRUE(accepts(with(R"("nonce":"n")"), expected));
  EXPECT_FALSE(accepts(with(R"("nonce":"m")"), expected));
  EXPECT_FALSE(accepts(with(""), expected));
}

TEST(Places, AreNamesOrPointers) {
  const auto json = *spec::read_json(R"({"a/b":{"c~d":["x"]},"n":null})");
  EXPECT_NE(find(json, "a/b"), nullptr);
  EXPECT_EQ(texts_at(json, "/a~1b/c~0d")->items, std::vector<std::string>{"x"});
  EXPECT_EQ(find(json, "/a"), nullptr);
  EXPECT_FALSE(texts_at(json, "n"));
}

}  // namespace
}  // namespace ym::oidc
