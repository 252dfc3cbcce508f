#include <openssl/ssl.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "net/http_client.h"
#include "net/sinks/sink.h"
#include "net/testing/server.h"

namespace ym::net {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

// Two authorities, and certificates of the first one for a server and a client, made by the openssl program.
class Tls : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fs::path(testing::TempDir()) / fmt::format("ym_net_tls_{}", ::getpid());
    fs::create_directories(folder_);
    made_ = authority("ca") && authority("other") && certificate("server", "DNS:good.test,IP:127.0.0.1") &&
            certificate("client", "DNS:client.test") && certificate("wrong", "DNS:other.test");
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }
  void SetUp() override {
    if (!made_) GTEST_SKIP() << "the openssl program is not installed";
  }

  static bool openssl(const std::string& arguments) {
    const auto command = fmt::format("cd '{}' && openssl {} >openssl.log 2>&1", folder_.string(), arguments);
    return std::system(command.c_str()) == 0;
  }
  static bool authority(const std::string& name) {
    return openssl(
        fmt::format("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout {0}.key -out {0}.pem "
                    "-days 30 -subj /CN={0}",
                    name));
  }
  static bool certificate(const std::string& name, const std::string& names) {
    std::ofstream(folder_ / (name + ".ext")) << "subjectAltName=" << names << "\n";
    return openssl(fmt::format("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout {0}.key -out {0}.csr "
                               "-subj /CN={0}",
                               name)) &&
           openssl(fmt::format("x509 -req -in {0}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out {0}.pem -days 30 "
                               "-extfile {0}.ext",
                               name));
  }
  static std::string pem(const std::string& name) { return read_file(folder_ / name); }

  static Context server_context(const std::string& name = "server") {
    Context context(SSL_CTX_new(TLS_server_method()), &SSL_CTX_free);
    EXPECT_EQ(SSL_CTX_use_certificate_file(context.get(), (folder_ / (name + ".pem")).c_str(), SSL_FILETYPE_PEM), 1);
    EXPECT_EQ(SSL_CTX_use_PrivateKey_file(context.get(), (folder_ / (name + ".key")).c_str(), SSL_FILETYPE_PEM), 1);
    return context;
  }
  static Result<Reply> get(const TestServer& server, TlsOptions tls) {
    auto client = HttpClient::make({.url = server.url(), .tls = std::move(tls)});
    if (!client) return std::unexpected(client.error());
    return (*client)->send({.timeout = seconds(20)});
  }
  static void expect_refused(const Result<Reply>& reply, const std::string& why) {
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::unavailable);
    EXPECT_TRUE(reply.error().retryable);
    EXPECT_THAT(reply.error().message, HasSubstr(why));
  }

  static inline fs::path folder_;
  static inline bool made_ = false;
};

TEST_F(Tls, TrustsAKnownAuthority) {
  const auto context = server_context();
  TestServer server(echo(), {}, context.get());
  EXPECT_TRUE(get(server, {.ca_data = pem("other.pem") + pem("ca.pem")}));
  EXPECT_TRUE(get(server, {.ca_file = folder_ / "ca.pem"}));
  EXPECT_TRUE(get(server, {.ca_data = pem("ca.pem"), .server_name = "good.test"}));
}

TEST_F(Tls, UsesAConnectionAgain) {
  const auto context = server_context();
  TestServer server(echo(), {}, context.get());
  const auto client = *HttpClient::make({.url = server.url(), .tls = {.ca_data = pem("ca.pem")}});
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(client->send({.method = "POST", .body = std::string(100'000, 'x')}));
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(Tls, RefusesAnUnknownAuthority) {
  const auto context = server_context();
  TestServer server(echo(), {}, context.get());
  expect_refused(get(server, {.ca_data = pem("other.pem")}), "unable to get local issuer certificate");
  expect_refused(get(server, {}), "unable to get local issuer certificate");
  EXPECT_TRUE(get(server, {.verify = false}));
}

TEST_F(Tls, RefusesAWrongHost) {
  const auto context = server_context("wrong");
  TestServer server(echo(), {}, context.get());
  expect_refused(get(server, {.ca_data = pem("ca.pem")}), "IP address mismatch");
  expect_refused(get(server, {.ca_data = pem("ca.pem"), .server_name = "good.test"}), "ostname mismatch");
  EXPECT_TRUE(get(server, {.ca_data = pem("ca.pem"), .server_name = "other.test"}));
}

TEST_F(Tls, APinIsEnough) {
  const auto context = server_context("wrong");
  TestServer server(echo(), {}, context.get());
  ASSERT_TRUE(openssl("x509 -in wrong.pem -noout -fingerprint -sha256 -out wrong.pin"));
  auto colons = pem("wrong.pin");  // "sha256 Fingerprint=AA:BB..."
  colons = colons.substr(colons.find('=') + 1, 95);
  EXPECT_TRUE(get(server, {.fingerprint = "sha256:" + colons}));
  auto other = colons;
  other.back() = other.back() == '0' ? '1' : '0';
  expect_refused(get(server, {.fingerprint = "sha256:" + other}), "another certificate");
  EXPECT_FALSE(get(server, {.ca_data = pem("ca.pem"), .fingerprint = "sha256:" + other}))
      << "an authority does not help";
}

TEST_F(Tls, ShowsItsCertificate) {
  const auto context = server_context();
  ASSERT_EQ(SSL_CTX_load_verify_file(context.get(), (folder_ / "ca.pem").c_str()), 1);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  TestServer server(echo(), {}, context.get());
  const TlsOptions shown{.ca_data = pem("ca.pem"),
                         .client_certificate = Secret(pem("client.pem")),
                         .client_key = Secret(pem("client.key"))};
  const auto reply = get(server, shown);
  EXPECT_TRUE(reply) << reply.error().message;
  const auto refused = get(server, {.ca_data = pem("ca.pem")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
}

TEST_F(Tls, RefusesWhatItCannotUse) {
  const Secret certificate(pem("client.pem"));
  ASSERT_TRUE(openssl("ec -in client.key -out locked.key -aes128 -passout pass:x"));
  for (const auto& bad :
       {TlsOptions{.ca_file = folder_ / "none.pem"}, TlsOptions{.ca_data = "nonsense"},
        TlsOptions{.client_certificate = certificate}, TlsOptions{.client_key = Secret(pem("client.key"))},
        TlsOptions{.client_certificate = certificate, .client_key = Secret(pem("server.key"))},
        TlsOptions{.client_certificate = certificate, .client_key = Secret(pem("locked.key"))},
        TlsOptions{.fingerprint = "sha256:00"}, TlsOptions{.fingerprint = "sha256:" + std::string(64, 'g')},
        TlsOptions{.fingerprint = std::string(64, '0')},
        TlsOptions{.client_certificate = Secret("x"), .client_key = Secret("y")}}) {
    const auto client = HttpClient::make({.url = "https://localhost", .tls = bad});
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, ErrorCode::invalid);
  }
}

TEST_F(Tls, RefusesAnOldProtocol) {
  const auto context = server_context();
  SSL_CTX_set_security_level(context.get(), 0);
  SSL_CTX_set_min_proto_version(context.get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(context.get(), TLS1_1_VERSION);
  TestServer server(echo(), {}, context.get());
  expect_refused(get(server, {.ca_data = pem("ca.pem")}), "TLS: ");
}

TEST_F(Tls, StreamsAndTellsTheEndFromACut) {
  const auto context = server_context();
  TestServer server(
      [](Peer& peer) {
        peer.read_request();
        peer.write("HTTP/1.1 200 OK\r\n\r\nab");  // closes without TLS's end: an attacker could have cut it
      },
      {}, context.get());
  const auto client = *HttpClient::make({.url = server.url(), .tls = {.ca_data = pem("ca.pem")}});
  std::string got;
  const auto reply = client->stream({}, [&](std::string_view piece) { return got += piece, true; });
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::unavailable);
  EXPECT_EQ(got, "ab");
}

TEST_F(Tls, SyslogHasArrivedWhenTheServerHasReadAll) {
  const auto context = server_context();
  std::string got;
  {
    TestServer server([&](Peer& peer) { got += peer.read_to_end(); }, {}, context.get());
    const auto address = fmt::format("syslog+tls://127.0.0.1:{}", server.port());
    const auto sink = Sink::open({.address = address, .ca_file = folder_ / "ca.pem", .kind = "audit"});
    ASSERT_TRUE(sink) << sink.error().message;
    const SinkRecord record{.time = "2026-11-30T10:02:11.318Z", .text = "one"};
    const auto sent = sink->send({&record, 1});
    EXPECT_TRUE(sent) << sent.error().message;
    const auto distrusted = Sink::open({.address = address, .ca_file = folder_ / "other.pem"});
    EXPECT_EQ(distrusted->send({&record, 1}).error().code, ErrorCode::unavailable);
  }
  EXPECT_THAT(got, HasSubstr(" yardmaster - audit - one"));
}

TEST_F(Tls, IsCancelledInItsHandshake) {
  std::atomic<bool> connected = false;
  TestServer server([&](Peer& peer) {
    connected = true;
    peer.wait_for_end();
  });
  const auto client = *HttpClient::make({.url = fmt::format("https://127.0.0.1:{}", server.port())});
  const Cancel cancel;
  std::thread other([&] {
    while (!connected) std::this_thread::yield();
    cancel.cancel();
  });
  const auto reply = client->send({.timeout = minutes(10)}, cancel);
  other.join();
  expect_refused(reply, "cancelled");
  // A handshake that is not cancelled ends by its timeout.
  const auto hasty =
      *HttpClient::make({.url = fmt::format("https://127.0.0.1:{}", server.port()), .connect_timeout = {100}});
  expect_refused(hasty->send({.timeout = minutes(10)}), "timed out");
}

}  // namespace
}  // namespace ym::net
