#include "api/http/tls.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "api/http/self_signed.h"
#include "api/testing/fixture.h"
#include "net/http_client.h"

namespace ym::api {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const Instant kNow{1'790'000'000'000};

class TlsServer : public ym::testing::ApiTest {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / fmt::format("ym_api_tls_{}", ::getpid());
    fs::create_directories(folder_);
    replace("127.0.0.1");
  }
  void TearDown() override {
    server.reset();
    fs::remove_all(folder_);
  }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  void write(const char* name, const std::string& text) const {
    std::ofstream(path("new")) << text;
    fs::rename(path("new"), path(name));
  }
  // A new pair for this name.
  void replace(const std::string& name) {
    made_ = make_self_signed(std::vector{name}, kNow).value();
    write("key", made_.key.reveal());
    write("cert", made_.certificate);
  }
  TlsFiles files() const { return {.certificate = path("cert"), .key = path("key"), .client_ca = {}}; }

  std::unique_ptr<net::HttpClient> client(net::TlsOptions tls) const {
    net::ClientOptions options{.url = fmt::format("https://127.0.0.1:{}", port()), .tls = std::move(tls)};
    options.headers = [this]() -> std::map<std::string, std::string> {
      return {{"Authorization", "Bearer " + kAdmin}};
    };
    return net::HttpClient::make(std::move(options)).value();
  }
  static int status(net::HttpClient& asking) {
    const auto reply = asking.send({.target = "/api/v1/jobs"});
    return reply ? reply->status : 0;
  }

  fs::path folder_;
  SelfSigned made_;
};

TEST_F(TlsServer, ServesClientsThatTrustOrPinIt) {
  start({.tls = files()});
  const auto shown = server->certificate().value();
  EXPECT_EQ(shown.fingerprint.size(), std::string("sha256:").size() + 64);
  EXPECT_LT(shown.not_before, kNow);
  EXPECT_GT(shown.not_after, kNow + hours(24 * 3600));
  EXPECT_EQ(status(*client({.ca_data = made_.certificate})), 200);
  EXPECT_EQ(status(*client({.fingerprint = shown.fingerprint})), 200);
  EXPECT_EQ(status(*client({})), 0);
  EXPECT_EQ(status(*client({.ca_data = made_.certificate, .server_name = "other.test"})), 0);
  const auto metrics = client({.ca_data = made_.certificate})->send({.target = "/metrics"});
  EXPECT_THAT(metrics->body, HasSubstr("yardmaster_tls_not_after_seconds 2105273600"));
}

TEST_F(TlsServer, TakesALargeBodyAndManyRequestsOnOneConnection) {
  start({.tls = files()});
  const auto asking = client({.ca_data = made_.certificate});
  std::string env;
  for (int i = 0; i < 100; ++i) env += fmt::format("  V{}: {}\n", i, std::string(1000, 'x'));
  const auto sent = asking->send({.method = "POST",
                                  .target = "/api/v1/jobs",
                                  .headers = {{"Content-Type", "application/yaml"}},
                                  .body = "run: x\nqueue: default\nenv:\n" + env});
  EXPECT_EQ(sent->status, 201) << sent->body;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(status(*asking), 200);
  EXPECT_EQ(server->traffic().accepted, 1u);
}

TEST_F(TlsServer, ANewCertificateIsForNewConnections) {
  start({.tls = files()});
  const auto old = made_.certificate;
  const auto before = client({.ca_data = old});
  EXPECT_EQ(status(*before), 200);
  EXPECT_FALSE(server->refresh_certificate()) << "nothing has changed";
  replace("127.0.0.1");
  EXPECT_TRUE(server->refresh_certificate().value());
  EXPECT_EQ(status(*before), 200) << "its connection goes on";
  EXPECT_EQ(status(*client({.ca_data = old})), 0);
  EXPECT_EQ(status(*client({.ca_data = made_.certificate})), 200);
}

TEST_F(TlsServer, WhatCannotBeUsedChangesNothing) {
  start({.tls = files()});
  const auto good = made_;
  const auto stays = [&](const char* why) {
    const auto refreshed = server->refresh_certificate();
    ASSERT_TRUE(refreshed) << why;
    EXPECT_EQ(refreshed->error().code, ErrorCode::invalid) << why;
    EXPECT_FALSE(server->refresh_certificate()) << "said once: " << why;
    EXPECT_EQ(status(*client({.ca_data = good.certificate})), 200) << why;
  };
  const auto other = make_self_signed(std::vector<std::string>{"127.0.0.1"}, kNow).value();
  write("key", other.key.reveal());
  stays("the key of another certificate");
  write("cert", other.certificate.substr(0, other.certificate.size() / 2));
  stays("half a certificate");
  fs::remove(path("cert"));
  stays("none");
  write("cert", other.certificate);
  EXPECT_TRUE(server->refresh_certificate().value()) << "now they fit";
  EXPECT_FALSE(server->refresh_certificate());
  EXPECT_EQ(status(*client({.ca_data = other.certificate})), 200);
}

TEST_F(TlsServer, DoesNotStartWithoutAGoodPair) {
  for (const auto& [cert, key] : {std::pair{"none", "key"}, {"cert", "none"}, {"key", "key"}, {"cert", "cert"}}) {
    const auto opened =
        HttpServer::open({.tls = TlsFiles{.certificate = path(cert), .key = path(key), .client_ca = {}}});
    ASSERT_FALSE(opened) << cert << " " << key;
    EXPECT_EQ(opened.error().code, ErrorCode::invalid);
    EXPECT_THAT(opened.error().message, HasSubstr(folder_.string()));
  }
}

TEST_F(TlsServer, PlainHttpGetsNoAnswer) {
  start({.tls = files()});
  ym::testing::RawClient plain(port());
  plain.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_FALSE(plain.read_reply());
}

TEST_F(TlsServer, ASilentClientIsDroppedInItsHandshake) {
  HttpOptions options{.tls = files()};
  options.limits.header_time = Duration{200};
  start(options);
  ym::testing::RawClient silent(port());
  EXPECT_TRUE(silent.read_end());
}

// By TLS, what arrives cannot be looked at without reading it.
TEST_F(TlsServer, AStreamEndsWhenItsClientHasGone) {
  HttpOptions options{.tls = files()};
  options.limits.heartbeat = hours(1);
  start(options);
  {
    const auto asking = client({.ca_data = made_.certificate});
    const auto reply = asking->stream({.target = "/api/v1/events", .keep_going = [n = 0]() mutable { return ++n < 3; }},
                                      [](std::string_view) { return true; });
    EXPECT_FALSE(reply);
  }
  EXPECT_TRUE(ym::eventually([&] { return server->traffic().open == 0; }));
}

TEST_F(TlsServer, AConnectionGoesOnAfterALongPoll) {
  start({.tls = files()});
  const auto job = backend.add_job(ym::testing::simple_spec()).id;
  backend.add_attempt(ym::testing::running_attempt(job));
  backend.set_state(job, JobState::running);
  const auto asking = client({.ca_data = made_.certificate});
  for (int i = 0; i < 20; ++i) {
    const auto reply = asking->send({.target = "/api/v1/jobs/train/attempts/1/notice?wait=10ms"});
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 204);
  }
  EXPECT_EQ(server->traffic().accepted, 1u);
}

TEST(Listener, PlainHttpOffLoopbackNeedsAProxy) {
  const auto open = HttpServer::open({.address = "0.0.0.0"});
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ErrorCode::invalid);
  EXPECT_TRUE(HttpServer::open({.address = "0.0.0.0", .trusted_proxies = {"10.0.0.1"}}));
  EXPECT_FALSE(HttpServer::open({.address = "0.0.0.0", .trusted_proxies = {"proxy"}}));
}

}  // namespace
}  // namespace ym::api
