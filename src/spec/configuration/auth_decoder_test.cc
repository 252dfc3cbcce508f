#include <gtest/gtest.h>

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

TEST(AuthConfiguration, AnIssuerNamesTheAccountOfItsProvider) {
  const auto read = parse_configuration(R"(
auth:
  issuers:
    - {name: a, url: "https://a.example", client_id: ym, scim: scim-a, external_id_is_subject: true}
    - {name: b, url: "https://b.example", client_id: ym, groups_prefix: "b:"}
    - {name: c, url: "https://c.example", client_id: ym, groups: ""}
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

TEST(AuthConfiguration, ProvidersDoNotNameTheSameGroups) {
  const auto read = [](const std::string& more, const std::string& accounts) {
    return parse_configuration(R"(
auth:
  issuers:
    - {name: a, url: "https://a.example", client_id: ym}
    - {name: b, url: "https://b.example", client_id: ym)" +
                               more + "}\n" + accounts);
  };
  EXPECT_FALSE(read("", ""));
  EXPECT_TRUE(read(R"(, groups_prefix: "b:")", ""));
  EXPECT_TRUE(read(R"(, groups: "")", ""));
  EXPECT_FALSE(read(R"(, groups_prefix: "b:")", "  accounts: {munge: true}\n"));
  EXPECT_TRUE(read(R"(, groups_prefix: "b:")", "  accounts: {munge: true, groups_prefix: \"unix:\"}\n"));
}

TEST(AuthConfiguration, ATokenOfAPodGoesToOneCluster) {
  const auto read = [](const std::string& second, const std::string& require) {
    return parse_configuration(R"(
auth:
  exchange:
    - {name: a, kubernetes: here, audience: "https://ym", service: s, require: {namespace: n, serviceaccount: t}}
    - {name: b, )" + second + ", service: s, require: {" +
                               require + "}}\n");
  };
  const std::string account = "namespace: n, serviceaccount: u";
  EXPECT_TRUE(read(R"(kubernetes: here, audience: "https://ym")", account));
  EXPECT_TRUE(read(R"(kubernetes: /k, audience: "https://ym/k")", account));
  EXPECT_FALSE(read(R"(kubernetes: /k, audience: "https://ym")", account)) << "that cluster could use the token here";
  EXPECT_FALSE(read(R"(kubernetes: k, audience: "https://ym/k")", account)) << "no path";
  EXPECT_FALSE(read(R"(kubernetes: here, audience: "https://ym")", "serviceaccount: u")) << "of any namespace";
  EXPECT_FALSE(read(R"(audience: "https://ym")", account)) << "of no issuer";
  EXPECT_FALSE(read(R"(kubernetes: here, issuer: "https://i", audience: "https://ym")", account)) << "of both";
}

}  // namespace
}  // namespace ym::spec
