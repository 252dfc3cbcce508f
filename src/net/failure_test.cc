// Servers that are gone or slow or send garbage, and calls that are cancelled.
#include "net/http_client.h"
#include "net/testing/server.h"

namespace ym::net {
namespace {

using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

constexpr auto kSoon = std::chrono::seconds(60);  // far below the timeout of minutes; enough for slow machines

void expect_unavailable(const Result<Reply>& reply, std::string_view why) {
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::unavailable);
  EXPECT_THAT(reply.error().message, HasSubstr(std::string(why)));
}

// On its first connection, serves one request, reads the next and closes without an answer.
TestServer::Serve hangs_up_once(std::atomic<int>& requests) {
  return [&requests](Peer& peer) {
    while (peer.read_request()) {
      if (++requests == 2) return;
      peer.reply("x");
    }
  };
}

TEST(KeptConnection, ClosedUnderAGetIsReplaced) {
  for (const std::string method : {"GET", "HEAD", "PUT", "DELETE"}) {
    std::atomic<int> requests = 0;
    TestServer server([&](Peer& peer) {
      while (const auto request = peer.read_request()) {
        if (++requests == 2) return;
        peer.write("HTTP/1.1 204 No\r\n\r\n");
      }
    });
    const auto client = server.client();
    ASSERT_TRUE(client->send({}));
    EXPECT_TRUE(client->send({.method = method})) << method;
    EXPECT_EQ(server.connections(), 2);
    EXPECT_EQ(requests, 3);
  }
}

TEST(KeptConnection, ClosedUnderAPostIsReplacedOnlyIfItIsRepeatable) {
  std::atomic<int> requests = 0;
  TestServer server(hangs_up_once(requests));
  const auto client = server.client();
  ASSERT_TRUE(client->send({}));
  const auto reply = client->send({.method = "POST"});
  expect_unavailable(reply, "no answer from " + server.url());
  EXPECT_FALSE(reply.error().retryable);
  EXPECT_EQ(requests, 2);

  requests = 0;
  ASSERT_TRUE(client->send({}));
  EXPECT_TRUE(client->send({.method = "POST", .repeatable = true}));
  EXPECT_EQ(requests, 3);
}

// Nothing was sent yet, so even a POST is sent on a new connection.
TEST(KeptConnection, FoundClosedIsNotUsed) {
  std::atomic<int> closed = 0;
  TestServer server([&](Peer& peer) {
    peer.read_request();
    peer.reply("x");
    peer.close();
    ++closed;
  });
  const auto client = server.client();
  for (int i = 1; i <= 5; ++i) {
    EXPECT_TRUE(client->send({.method = "POST"}));
    while (closed < i) std::this_thread::yield();
  }
  EXPECT_EQ(server.connections(), 5);
}

TEST(FreshConnection, IsNotReplaced) {
  TestServer server([](Peer& peer) { peer.read_request(); });
  expect_unavailable(server.client()->send({}), "closed");
  EXPECT_EQ(server.connections(), 1);
}

TEST(Failure, NothingListens) {
  std::string url;
  {
    url = TestServer(echo()).url();
  }
  const auto reply = (*HttpClient::make({.url = url}))->send({});
  expect_unavailable(reply, "cannot connect to " + url);
  EXPECT_TRUE(reply.error().retryable);
}

TEST(Failure, NoSuchHost) {
  const auto client = *HttpClient::make({.url = "http://no-such-host.invalid"});
  const auto reply = client->send({.timeout = seconds(20)});
  expect_unavailable(reply, "cannot connect to http://no-such-host.invalid");
}

TEST(Failure, TheReplyIsTooLarge) {
  TestServer exact(always("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789"));
  EXPECT_TRUE(exact.client()->send({.most_bytes = 10}));
  EXPECT_EQ(exact.client()->send({.most_bytes = 9}).error().code, ErrorCode::too_large);

  TestServer huge(always("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\n"));
  EXPECT_EQ(huge.client()->send({}).error().code, ErrorCode::too_large);

  TestServer chunked(always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n8\r\n01234567\r\n"));
  EXPECT_EQ(chunked.client()->send({.most_bytes = 10}).error().code, ErrorCode::too_large);

  TestServer endless([](Peer& peer) {
    peer.read_request();
    peer.write("HTTP/1.1 500 No\r\n\r\n" + std::string(100'000, 'x'));
  });
  EXPECT_EQ(endless.client()->send({.most_bytes = 10'000}).error().code, ErrorCode::too_large);
  const auto take = [](std::string_view) { return true; };
  EXPECT_EQ(endless.client()->stream({.most_bytes = 10'000}, take).error().code, ErrorCode::too_large);

  // A reply to HEAD has no body.
  EXPECT_TRUE(huge.client()->send({.method = "HEAD"}));

  TestServer head(always("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x')));
  EXPECT_EQ(head.client()->send({}).error().code, ErrorCode::too_large);
}

TEST(Failure, TheReplyIsNonsense) {
  for (const std::string& nonsense :
       {std::string("\r\n\r\n"), std::string("SSH-2.0-x\r\n"), std::string(200'000, 'x'), std::string(64, '\0'),
        std::string("HTTP/1.1 2000 x\r\n\r\n"), std::string("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(300'000, 'x'),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + std::string(300'000, 'x'),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"), std::string("HTTP/1.1 20")}) {
    TestServer server([&](Peer& peer) {
      peer.read_request();
      peer.write(nonsense);
    });
    const auto reply = server.client()->send({.timeout = seconds(20)});
    ASSERT_FALSE(reply) << nonsense.substr(0, 80);
    EXPECT_THAT(reply.error().message, testing::Not(HasSubstr("timed out")));
  }
}

TEST(Failure, InterimRepliesWithoutEnd) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "HTTP/1.1 102 Processing\r\n\r\n";
  TestServer server(always(many));
  const auto reply = server.client()->send({.timeout = seconds(20)});
  expect_unavailable(reply, "the reply does not begin");
}

TEST(Timeout, EndsACall) {
  TestServer server([](Peer& peer) { peer.wait_for_end(); });
  expect_unavailable(server.client()->send({.timeout = {50}}), "timed out");
}

// Each byte comes in time, but the whole reply does not.
TEST(Timeout, IsForTheWholeReply) {
  std::atomic<bool> over = false;
  TestServer server([&](Peer& peer) {
    peer.read_request();
    while (!over) {
      peer.write("H");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const auto client = server.client();
  const auto reply = client->send({.timeout = {200}});
  over = true;
  ASSERT_FALSE(reply);
}

TEST(Timeout, EndsAnUploadThatIsNotRead) {
  std::atomic<bool> over = false;
  TestServer server([&](Peer&) {
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  const auto client = server.client();
  const auto reply = client->send({.method = "PUT", .body = std::string(std::size_t{32} << 20, 'x'), .timeout = {200}});
  over = true;
  expect_unavailable(reply, "timed out");
}

TEST(CancelTest, EndsABlockedSend) {
  std::atomic<bool> asked = false;
  TestServer server([&](Peer& peer) {
    peer.read_request();
    asked = true;
    peer.wait_for_end();
  });
  const auto client = server.client();
  const Cancel cancel;
  std::thread other([&] {
    while (!asked) std::this_thread::yield();
    cancel.cancel();
  });
  const auto begin = Clock::now();
  const auto reply = client->send({.timeout = minutes(10)}, cancel);
  EXPECT_LT(Clock::now() - begin, kSoon);
  other.join();
  expect_unavailable(reply, "cancelled");
  const auto later = client->send({}, cancel);
  expect_unavailable(later, "cancelled");
  EXPECT_TRUE(later.error().retryable);
  EXPECT_EQ(server.connections(), 1);
}

TEST(CancelTest, EndsAStreamAndManyCallsAtOnce) {
  std::atomic<int> taken = 0;
  TestServer server([&](Peer& peer) {
    peer.read_request();
    peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    peer.write_chunk("x");
    peer.wait_for_end();
  });
  const auto client = server.client();
  const Cancel cancel;
  std::atomic<int> ended = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const auto take = [&](std::string_view) { return ++taken > 0; };
      const auto reply = client->stream({.timeout = minutes(10)}, take, cancel);
      ended += !reply && reply.error().code == ErrorCode::unavailable;
    });
  while (taken < 8) std::this_thread::yield();
  const auto begin = Clock::now();
  cancel.cancel();
  for (auto& thread : threads) thread.join();
  EXPECT_LT(Clock::now() - begin, kSoon);
  EXPECT_EQ(ended, 8);
}

}  // namespace
}  // namespace ym::net
