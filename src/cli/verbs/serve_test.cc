#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

TEST(Serve, PassesItsOptionsOn) {
  FakeSession fake;
  EXPECT_EQ(
      fake.run({"serve", "--state", "/s", "--config", "/c.yaml", "--listen", "0.0.0.0:0", "--port-file", "/p",
                "--idle-exit", "10m", "--init", "--log-level", "debug", "--advertise-url", "https://ym.lab:8470/"}),
      0);
  ASSERT_EQ(fake.served.size(), 1u);
  const auto& options = fake.served[0];
  EXPECT_EQ(options.state, "/s");
  EXPECT_EQ(options.config, "/c.yaml");
  EXPECT_EQ(options.listen_host, "0.0.0.0");
  EXPECT_EQ(options.listen_port, 0);
  EXPECT_EQ(options.port_file, "/p");
  EXPECT_EQ(options.idle_exit, minutes(10));
  EXPECT_TRUE(options.init);
  EXPECT_FALSE(options.take_over) << "only who says so";
  EXPECT_EQ(options.log_level, "debug");
  EXPECT_EQ(options.advertise_url, "https://ym.lab:8470");
  for (const char* url : {"ym.lab:8470", "ftp://ym.lab", "https://", "https://u:p@ym.lab", "https://ym.lab/api",
                          "http://:80", "https://[]:80", "https://ym.lab:", "https://ym.lab:0", "https://ym.lab:65536",
                          "https://ym.lab:8x", "https://[::1", "https://[::1]x:80", "http://fe80::1:80", "http://::1",
                          "https://a:b:80", "https://a]:80", "https://a'b"})
    EXPECT_EQ(fake.run({"serve", "--state", "/s", "--advertise-url", url}), 2) << url;
  for (const char* url : {"https://ym.lab", "http://head-1:8470", "https://[fe80::1]:8470", "https://[::1]"})
    EXPECT_EQ(fake.run({"serve", "--state", "/s", "--advertise-url", url}), 0) << url;
  EXPECT_EQ(fake.run({"serve", "--state", "/s", "--take-over"}), 0);
  EXPECT_TRUE(fake.served.back().take_over);
  EXPECT_EQ(fake.run({"serve", "--listen", "8470"}), 2);
  EXPECT_EQ(fake.run({"serve", "--idle-exit", "soon"}), 2);
}

TEST(Serve, GivesHeadsToSeveralPlaces) {
  FakeSession fake;
  const std::vector<std::string> places{"/h", "syslog+tls://log.lab:6514", "https://siem.lab/in"};
  EXPECT_EQ(fake.run({"serve", "--state", "/s", "--audit-heads", places[0], "--audit-heads", places[1], "--audit-heads",
                      places[2], "--audit-heads-ca", "/ca", "--audit-heads-token-file", "/t"}),
            0);
  const auto& options = fake.served.at(0);
  EXPECT_EQ(options.audit_heads, places);
  EXPECT_EQ(options.audit_heads_ca + options.audit_heads_token, "/ca/t");
  EXPECT_EQ(fake.run({"serve", "--state", "/s", "--audit-heads", "heads"}), 0);
  EXPECT_TRUE(fake.served.back().audit_heads.at(0).starts_with("/"));
  for (const auto* bad : {"syslog://log.lab", "ftp://log.lab/x", "http://siem.lab/in", "https://u:p@siem.lab"})
    EXPECT_EQ(fake.run({"serve", "--state", "/s", "--audit-heads", bad}), 2) << bad;
  EXPECT_EQ(fake.run({"serve", "--state", "/s", "--audit-heads", "/h", "--audit-heads-token-file", "/t"}), 2);
}

TEST(Serve, TakesCertificates) {
  FakeSession fake;
  EXPECT_EQ(fake.run({"serve", "--state", "/s", "--tls-cert", "/c", "--tls-key", "/k", "--tls-client-ca", "/a",
                      "--tls-ca", "/b", "--trusted-proxies", "10.0.0.1,10.1.0.0/16"}),
            0);
  const auto& options = fake.served.at(0);
  EXPECT_TRUE(options.has_tls());
  EXPECT_EQ(options.tls_cert + options.tls_key + options.tls_client_ca + options.tls_ca, "/c/k/a/b");
  EXPECT_THAT(options.trusted_proxies, ::testing::ElementsAre("10.0.0.1", "10.1.0.0/16"));
  EXPECT_EQ(fake.run({"serve", "--state", "/s", "--tls-self-signed"}), 0);
  EXPECT_TRUE(fake.served.back().has_tls());
}

TEST(Serve, RefusesCertificatesThatContradict) {
  FakeSession fake;
  const std::vector<std::vector<std::string>> bad{
      {"--tls-cert", "/c"},
      {"--tls-key", "/k"},
      {"--tls-client-ca", "/a"},
      {"--tls-self-signed", "--tls-ca", "/a"},
      {"--tls-self-signed", "--tls-cert", "/c", "--tls-key", "/k"},
      {"--tls-self-signed", "--advertise-url", "http://ym.lab:8470"},
  };
  for (auto words : bad) {
    words.insert(words.begin(), {"serve", "--state", "/s"});
    EXPECT_EQ(fake.run(words), 2) << words[3];
  }
  EXPECT_TRUE(fake.served.empty());
}

}  // namespace
}  // namespace ym::cli
