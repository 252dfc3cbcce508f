#include <gtest/gtest.h>

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

TEST(AuthConfiguration, AnIssuerNamesTheAccountOfItsProvider) {
  const auto read = parse_configuration(R"(
auth:
  issuers:
    - {name: a, url: "https://a.example", client_id: ym, scim: scim-a, external_id_is_subject: true}
    - {name: b, url: "https://b.example", client_id: ym}
    - {name: c, url: "https://c.example", client_id: ym}
)");
  ASSERT_TRUE(read) << message(read);
  const auto& issuers = read->auth->issuers;
  EXPECT_EQ(issuers.at(0).scim, "scim-a");
  EXPECT_TRUE(issuers.at(0).external_id_is_subject);
  EXPECT_EQ(issuers.at(1).scim, "");
}

TEST(AuthConfiguration, AnAccountSpeaksForOneProvider) {
  const auto read = parse_configuration(R"(
auth:
  issuers:
    - {name: a, url: "https://a.example", client_id: ym, scim: scim-a}
    - {name: b, url: "https://b.example", client_id: ym, scim: scim-a}
)");
  ASSERT_FALSE(read);
  EXPECT_EQ(pointer(read), "/auth/issuers");
}

}  // namespace
}  // namespace ym::spec
