#include "net/url.h"

#include "net/http_client.h"

namespace ym::net {
namespace {

using Kind = Address::Kind;

TEST(Url, ReadsAddresses) {
  EXPECT_EQ(*parse_url("http://127.0.0.1:8470"), (Address{Kind::tcp, "127.0.0.1", 8470}));
  EXPECT_EQ(*parse_url("http://host/"), (Address{Kind::tcp, "host", 80}));
  EXPECT_EQ(*parse_url("https://a-b.c"), (Address{Kind::tls, "a-b.c", 443}));
  EXPECT_EQ(*parse_url("https://[fe80::1]:6443"), (Address{Kind::tls, "fe80::1", 6443}));
  EXPECT_EQ(*parse_url("http://[::1]"), (Address{Kind::tcp, "::1", 80}));
  EXPECT_EQ(*parse_url("unix:/run/a.sock"), (Address{Kind::unix_socket, "/run/a.sock", 0}));
  EXPECT_EQ(*parse_url("unix:///run/a.sock"), (Address{Kind::unix_socket, "/run/a.sock", 0}));
}

TEST(Url, RefusesWhatIsNone) {
  for (const std::string bad : {"",
                                "host:1",
                                "ftp://x",
                                "http://",
                                "http://:1",
                                "http://a:b",
                                "http://a:",
                                "http://a:0",
                                "http://a:65536",
                                "http://u@h",
                                "http://a/b",
                                "http://a b",
                                "http://a\r\nb",
                                "http://[::1",
                                "http://[]",
                                "http://[::1]x",
                                "http://::1",
                                "http://a:1:2",
                                "unix:",
                                "unix:relative",
                                "unix://relative"}) {
    const auto address = parse_url(bad);
    ASSERT_FALSE(address) << bad;
    EXPECT_EQ(address.error().code, ErrorCode::invalid);
    EXPECT_FALSE(HttpClient::make({.url = bad})) << bad;
  }
  EXPECT_FALSE(parse_url("unix:/" + std::string(200, 'x')));
}

TEST(Url, NamesTheHostAsServersExpectIt) {
  EXPECT_EQ(parse_url("http://a")->authority(), "a");
  EXPECT_EQ(parse_url("http://a:443")->authority(), "a:443");
  EXPECT_EQ(parse_url("https://a:443")->authority(), "a");
  EXPECT_EQ(parse_url("https://[::1]:6443")->authority(), "[::1]:6443");
  EXPECT_EQ(parse_url("unix:/a")->authority(), "localhost");
}

TEST(Url, PercentEncodes) {
  EXPECT_EQ(percent_encoded("aZ09-_.~"), "aZ09-_.~");
  EXPECT_EQ(percent_encoded("a b/c?d=e&\xff"), "a%20b%2Fc%3Fd%3De%26%FF");
}

}  // namespace
}  // namespace ym::net
