#include "api/http/proxies.h"

#include <gtest/gtest.h>

namespace ym::api {
namespace {

TrustedProxies proxies(const std::vector<std::string>& texts) { return TrustedProxies::make(texts).value(); }

Request forwarded(const std::vector<std::string>& values) {
  Request head;
  for (const auto& value : values) head.headers.push_back({"x-forwarded-for", value});
  return head;
}

TEST(TrustedProxies, HoldsAddressesAndNetworks) {
  const auto some = proxies({"10.1.2.3", "192.168.7.9/16", "fd00::1/8", "fe80::/10", "::ffff:172.16.0.0/108"});
  for (const auto* inside : {"10.1.2.3", "192.168.0.1", "fd12::", "::ffff:10.1.2.3", "fe80::1%eth0", "172.31.0.1"})
    EXPECT_TRUE(some.contains(inside)) << inside;
  for (const auto* outside : {"", "proxy", "10.1.2.4", "192.169.0.1", "fe00::", "172.32.0.1", "::1", "127.0.0.1"})
    EXPECT_FALSE(some.contains(outside)) << outside;
  EXPECT_TRUE(proxies({"0.0.0.0/0"}).contains("8.8.8.8"));
  EXPECT_TRUE(proxies({}).empty());
}

TEST(TrustedProxies, RefusesWhatIsNoAddress) {
  for (const auto* bad : {"", "proxy.example", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/", "/8", "10.0.0.1/-1",
                          "::ffff:10.0.0.0/8"})
    EXPECT_FALSE(TrustedProxies::make(std::vector<std::string>{bad})) << bad;
}

TEST(TrustedProxies, OnlyAProxyMaySpeakForAClient) {
  const auto one = proxies({"10.0.0.1"});
  const auto of = [&](const char* peer, const std::vector<std::string>& values) {
    return one.client_of(peer, forwarded(values));
  };
  EXPECT_EQ(of("8.8.8.8", {"1.1.1.1"}), "8.8.8.8");
  EXPECT_EQ(of("10.0.0.1", {"1.1.1.1"}), "1.1.1.1");
  EXPECT_EQ(of("::ffff:10.0.0.1", {"1.1.1.1"}), "1.1.1.1");
  EXPECT_EQ(of("10.0.0.1", {}), "10.0.0.1");
}

TEST(TrustedProxies, BelievesTheLastThatIsNoProxy) {
  const auto two = proxies({"10.0.0.1", "10.0.0.2"});
  const auto of = [&](const std::vector<std::string>& values) { return two.client_of("10.0.0.1", forwarded(values)); };
  EXPECT_EQ(of({"6.6.6.6, 1.1.1.1"}), "1.1.1.1") << "a client may write what it likes before";
  EXPECT_EQ(of({"6.6.6.6, 1.1.1.1, 10.0.0.2"}), "1.1.1.1");
  EXPECT_EQ(of({"6.6.6.6", "1.1.1.1", "10.0.0.2"}), "1.1.1.1") << "repeated fields are one list";
  EXPECT_EQ(of({"10.0.0.2"}), "10.0.0.2");
  EXPECT_EQ(of({"6.6.6.6, unknown"}), "10.0.0.1");
  EXPECT_EQ(of({",", ""}), "10.0.0.1");
}

}  // namespace
}  // namespace ym::api
