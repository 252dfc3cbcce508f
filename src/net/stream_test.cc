#include "net/http_client.h"
#include "net/testing/server.h"

namespace ym::net {
namespace {

using testing::HasSubstr;

constexpr std::string_view kChunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

// Lets the server continue only after the client has taken the previous piece.
class Turn {
 public:
  void pass() { ++count_; }
  void wait_for(int count) const {
    while (count_ < count) std::this_thread::yield();
  }

 private:
  std::atomic<int> count_ = 0;
};

TEST(Stream, GivesEachPieceAsItArrives) {
  Turn turn;
  TestServer server([&](Peer& peer) {
    peer.read_request();
    peer.write(kChunked);
    for (int i = 0; i < 5; ++i) {
      turn.wait_for(i);
      peer.write_chunk(fmt::format("event {}\n", i));
    }
    peer.write("0\r\n\r\n");
    peer.wait_for_end();
  });
  std::vector<std::string> pieces;
  const auto client = server.client();
  const auto reply = client->stream({}, [&](std::string_view piece) {
    pieces.emplace_back(piece);
    turn.pass();
    return true;
  });
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->body, "");
  EXPECT_THAT(pieces, testing::ElementsAre("event 0\n", "event 1\n", "event 2\n", "event 3\n", "event 4\n"));
}

// The rest of a chunk may take hours.
TEST(Stream, GivesAPartOfAChunk) {
  Turn turn;
  TestServer server([&](Peer& peer) {
    peer.read_request();
    peer.write(kChunked);
    peer.write("186a0\r\npart");
    turn.wait_for(1);
    peer.write(std::string(0x186a0 - 4, 'x') + "\r\n0\r\n\r\n");
    peer.wait_for_end();
  });
  std::size_t total = 0;
  const auto reply = server.client()->stream({}, [&](std::string_view piece) {
    if (total == 0) EXPECT_EQ(piece, "part");
    total += piece.size();
    turn.pass();
    return true;
  });
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(total, 0x186a0U);
}

TEST(Stream, PassesMoreThanTheBoundOfAReply) {
  const std::string chunk(10'000, 'x');
  TestServer server([&](Peer& peer) {
    peer.read_request();
    peer.write(kChunked);
    for (int i = 0; i < 100; ++i) peer.write_chunk(chunk);
    peer.write("0\r\n\r\n");
    peer.wait_for_end();
  });
  std::size_t total = 0;
  const auto reply = server.client()->stream({.most_bytes = 100}, [&](std::string_view piece) {
    total += piece.size();
    return true;
  });
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(total, 1'000'000U);
}

TEST(Stream, LeavesTheConnectionForTheNextWhenItEnded) {
  TestServer server(always(std::string(kChunked) + "1\r\nx\r\n0\r\n\r\n"));
  const auto client = server.client();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(client->stream({}, [](std::string_view) { return true; }));
  EXPECT_EQ(server.connections(), 1);
}

TEST(Stream, StopsWhenItIsTold) {
  TestServer server([](Peer& peer) {
    while (peer.read_request()) {
      peer.write(kChunked);
      peer.write_chunk("one");
      peer.wait_for_end();
    }
  });
  const auto client = server.client();
  for (int i = 0; i < 2; ++i) {
    int calls = 0;
    const auto reply = client->stream({}, [&](std::string_view) { return ++calls == 0; });
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(calls, 1);
  }
  EXPECT_EQ(server.connections(), 2);  // the first one has unread bytes of the old reply
}

TEST(Stream, CutInTheMiddleIsAFailure) {
  for (const std::string_view rest : {"5\r\nab", "2\r\nab\r\n", "2\r\nab", "2\r\nab\r\n0\r\n"}) {
    TestServer server([&](Peer& peer) {
      peer.read_request();
      peer.write(kChunked);
      peer.write(rest);
    });
    std::string got;
    const auto reply = server.client()->stream({}, [&](std::string_view piece) { return got += piece, true; });
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::unavailable);
    EXPECT_THAT(reply.error().message, HasSubstr("cut short"));
    EXPECT_EQ(got, "ab");
    EXPECT_EQ(server.connections(), 1);
  }
}

TEST(Stream, MayBeEndedByTheEndOfTheConnection) {
  TestServer server([](Peer& peer) {
    peer.read_request();
    peer.write("HTTP/1.1 200 OK\r\n\r\nab");
  });
  std::string got;
  const auto reply = server.client()->stream({}, [&](std::string_view piece) { return got += piece, true; });
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(got, "ab");
}

TEST(Stream, GivesAnotherStatusBackWhole) {
  TestServer server(always("HTTP/1.1 410 Gone\r\nContent-Length: 7\r\n\r\nexpired"));
  const auto reply = server.client()->stream({}, [](std::string_view) -> bool {
    ADD_FAILURE();
    return true;
  });
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 410);
  EXPECT_EQ(reply->body, "expired");
}

TEST(Stream, TimesOutBetweenTwoPieces) {
  TestServer server([](Peer& peer) {
    peer.read_request();
    peer.write(kChunked);
    peer.write_chunk("x");
    peer.wait_for_end();
  });
  int pieces = 0;
  const auto reply = server.client()->stream({.timeout = {2000}}, [&](std::string_view) { return ++pieces > 0; });
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("timed out"));
  EXPECT_EQ(pieces, 1);
}

// Together longer than the timeout, but each part is in time.
TEST(Stream, LivesLongerThanItsTimeout) {
  TestServer server([](Peer& peer) {
    peer.read_request();
    peer.write(kChunked);
    for (int i = 0; i < 50; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      peer.write_chunk("x");
    }
    peer.write("0\r\n\r\n");
    peer.wait_for_end();
  });
  int pieces = 0;
  const auto reply = server.client()->stream({.timeout = {4000}}, [&](std::string_view) { return ++pieces > 0; });
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(pieces, 50);
}

TEST(Stream, ShowsTheHeadBeforeTheFirstPiece) {
  TestServer server([](Peer& peer) {
    peer.read_request();
    peer.write("HTTP/1.1 200 OK\r\nLog-Offset: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
    peer.write_chunk("ab");
    peer.write("0\r\n\r\n");
    peer.read_request();
    peer.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  });
  const auto client = *HttpClient::make({.url = server.url()});
  std::string seen;
  Request request{.on_head = [&](const Reply& head) { seen += head.headers.at("log-offset") + ";"; }};
  const auto take = [&](std::string_view piece) { return seen += piece, true; };
  EXPECT_TRUE(client->stream(request, take));
  EXPECT_EQ(seen, "5;ab");
  EXPECT_TRUE(client->stream(request, take)) << "of a refusal nothing is shown";
  EXPECT_EQ(seen, "5;ab");
}

TEST(Stream, IsAskedWhetherItIsStillWanted) {
  TestServer server([](Peer& peer) {
    peer.read_request();
    peer.wait_for_end();
  });
  const auto client = *HttpClient::make({.url = server.url()});
  int asked = 0;
  const Request request{.timeout = minutes(10), .keep_going = [&] { return ++asked < 3; }};
  const auto reply = client->stream(request, [](std::string_view) { return true; });
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::unavailable);
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace ym::net
