#include "net/sinks/sink.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "net/sinks/sink_queue.h"
#include "net/testing/server.h"

namespace ym::net {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(SinkAddresses, AreReadAsUsersWriteThem) {
  using enum SinkAddress::Kind;
  EXPECT_EQ(*parse_sink("/var/log/heads"), (SinkAddress{.kind = file, .text = "/var/log/heads"}));
  EXPECT_EQ(*parse_sink("syslog+tls://log.lab:6514"),
            (SinkAddress{.kind = syslog,
                         .text = "syslog+tls://log.lab:6514",
                         .server = {.kind = Address::Kind::tls, .host = "log.lab", .port = 6514}}));
  EXPECT_EQ(parse_sink("syslog://[fe80::1]:514")->server,
            (Address{.kind = Address::Kind::tcp, .host = "fe80::1", .port = 514}));
  EXPECT_EQ(
      *parse_sink("https://siem.lab/in?a=b"),
      (SinkAddress{.kind = http, .text = "https://siem.lab/in?a=b", .base = "https://siem.lab", .target = "/in?a=b"}));
  EXPECT_EQ(parse_sink("https://siem.lab?a=b")->target, "/?a=b");
  EXPECT_EQ(parse_sink("http://127.0.0.1:8088")->target, "/");
  EXPECT_EQ(parse_sink("https://siem.lab/in?key=secret")->shown(), "https://siem.lab/in");
}

TEST(SinkAddresses, OthersAreRefused) {
  for (const std::string bad :
       {"", "syslog://log.lab", "syslog+tls://log.lab", "syslog+tls://[::1]", "syslog://log.lab:514/", "syslog://:514",
        "syslog+udp://log.lab:514", "ftp://log.lab/x", "https://", "https://siem.lab/a b", "https://siem.lab/#x",
        "http://siem.lab/in", "https://siem.lab:x/", "syslog://a/b:1"})
    EXPECT_EQ(parse_sink(bad).error().code, ErrorCode::invalid) << bad;
}

TEST(SinkAddresses, SecretsInThemAreRefusedAndNotRepeated) {
  for (const std::string bad : {"https://user:hunter2@siem.lab/in", "syslog+tls://hunter2@log.lab:6514"}) {
    const auto address = parse_sink(bad);
    ASSERT_FALSE(address);
    EXPECT_THAT(address.error().message, Not(HasSubstr("hunter2")));
  }
  EXPECT_THAT(parse_sink("https://siem.lab/a b?key=hunter2").error().message, Not(HasSubstr("hunter2")));
  EXPECT_TRUE(parse_sink("https://siem.lab/@in"));
}

class Sinks : public ::testing::Test {
 protected:
  ~Sinks() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static Sink open(const SinkOptions& options) {
    auto sink = Sink::open(options);
    EXPECT_TRUE(sink) << sink.error().message;
    return std::move(*sink);
  }
  static ErrorCode code_of(const Sink& sink) {
    const auto sent = sink.send(kTwo);
    EXPECT_FALSE(sent);
    return sent ? ErrorCode::internal : sent.error().code;
  }

  static inline const std::vector<SinkRecord> kTwo{{.time = "2026-11-30T10:02:11.318Z", .text = "one"},
                                                   {.time = "2026-11-30T10:02:12.000Z", .text = "two"}};
  const fs::path folder_ = [] {
    auto folder = fs::path(::testing::TempDir()) / fmt::format("ym_sinks_{}", ::getpid());
    fs::create_directories(folder);
    return folder;
  }();
};

TEST_F(Sinks, AFileIsAppendedTo) {
  const auto sink = open({.address = path("heads")});
  EXPECT_TRUE(sink.send(kTwo));
  std::ofstream(path("heads"), std::ios::app) << "half a li";
  EXPECT_TRUE(sink.send(kTwo));
  EXPECT_EQ(text_of(path("heads")), "one\ntwo\nhalf a li\none\ntwo\n");
  EXPECT_EQ(Sink::open({.address = path("none/heads")}).error().code, ErrorCode::invalid);
  fs::remove_all(folder_);
  EXPECT_EQ(code_of(sink), ErrorCode::unavailable);
}

TEST_F(Sinks, SyslogHasArrivedWhenTheServerHasReadAll) {
  std::string got;
  {
    TestServer server([&](Peer& peer) { got += peer.read_to_end(); });
    const auto sink = open({.address = fmt::format("syslog://127.0.0.1:{}", server.port()), .kind = "audit"});
    const auto sent = sink.send(kTwo);
    EXPECT_TRUE(sent) << sent.error().message;
    EXPECT_TRUE(sink.send(kTwo));
    EXPECT_EQ(server.connections(), 2);
  }
  EXPECT_THAT(got, AllOf(HasSubstr("<110>1 2026-11-30T10:02:11.318Z "), HasSubstr(" yardmaster - audit - two")));
}

TEST_F(Sinks, SyslogThatIsNotReadHasNotArrived) {
  // With unread bytes the system resets the connection.
  TestServer server([](Peer& peer) { peer.close(); });
  const auto sink = open({.address = fmt::format("syslog://127.0.0.1:{}", server.port())});
  const std::vector<SinkRecord> many(2000, {.time = "-", .text = std::string(5000, 'x')});
  const auto sent = sink.send(many);
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::unavailable);
}

TEST_F(Sinks, AnUrlGetsABatchAndTheTokenOfTheFile) {
  std::ofstream(path("token")) << "s3cret\n";
  std::string got;
  {
    TestServer server([&](Peer& peer) {
      got = peer.read_request().value_or("");
      peer.reply("");
    });
    const auto sink = open({.address = server.url() + "/in?a=b", .token_file = path("token")});
    EXPECT_TRUE(sink.send(kTwo));
  }
  EXPECT_THAT(got, AllOf(HasSubstr("POST /in?a=b HTTP/1.1\r\n"), HasSubstr("authorization: Bearer s3cret\r\n"),
                         HasSubstr("content-type: application/x-ndjson\r\n"), HasSubstr("\r\n\r\none\ntwo\n")));
  std::ofstream(path("token")) << "two words";
  const auto refused = Sink::open({.address = "http://127.0.0.1:1", .token_file = path("token")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  EXPECT_THAT(refused.error().message, Not(HasSubstr("words")));
  EXPECT_FALSE(Sink::open({.address = "http://127.0.0.1:1", .token_file = path("none")}));
}

TEST_F(Sinks, AnswersThatGoAwayAreToldFromOthers) {
  const std::vector<std::pair<int, ErrorCode>> answers{
      {500, ErrorCode::unavailable}, {503, ErrorCode::unavailable}, {408, ErrorCode::unavailable},
      {429, ErrorCode::unavailable}, {401, ErrorCode::forbidden},   {403, ErrorCode::forbidden},
      {413, ErrorCode::too_large},   {404, ErrorCode::invalid},     {302, ErrorCode::invalid}};
  for (const auto& [status, code] : answers) {
    TestServer server(always(fmt::format("HTTP/1.1 {} X\r\nContent-Length: 0\r\n\r\n", status)));
    EXPECT_EQ(code_of(open({.address = server.url()})), code) << status;
  }
  EXPECT_EQ(code_of(open({.address = "http://127.0.0.1:1"})), ErrorCode::unavailable);
}

TEST_F(Sinks, AQueueGivesAgainAndSaysWhenItFails) {
  std::atomic<int> requests = 0;
  std::string last;
  std::vector<bool> reports;
  std::mutex mutex;  // guards the two above
  std::condition_variable changed;
  TestServer server([&](Peer& peer) {
    while (const auto request = peer.read_request()) {
      if (requests++ == 0) {
        peer.write("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n");
        continue;
      }
      peer.reply("");
      const std::lock_guard lock(mutex);
      last = *request;
      changed.notify_all();
    }
  });
  SinkQueue queue(
      open({.address = server.url()}),
      [&](const Result<void>& sent) {
        const std::lock_guard lock(mutex);
        reports.push_back(sent.has_value());
        changed.notify_all();
      },
      Backoff(Duration{1}));
  queue.push(kTwo[0]);
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return reports == std::vector{false, true}; });
  EXPECT_TRUE(last.ends_with("\r\n\r\none\n"));
}

TEST_F(Sinks, AQueueEndsWhileItsSinkIsAway) {
  TestServer server([](Peer& peer) { peer.wait_for_end(); });
  SinkQueue queue(open({.address = server.url()}), [](const Result<void>&) {});
  for (int i = 0; i < 1000; ++i) queue.push(kTwo[0]);
  while (server.connections() == 0) std::this_thread::yield();
}

}  // namespace
}  // namespace ym::net
