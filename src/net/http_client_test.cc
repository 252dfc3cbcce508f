#include "net/http_client.h"

#include "net/testing/server.h"

namespace ym::net {
namespace {

using testing::HasSubstr;

TEST(Send, WritesTheRequestAndReadsTheReply) {
  TestServer server(echo());
  auto made =
      HttpClient::make({.url = server.url() + "/", .headers = [] {
                          return std::map<std::string, std::string>{{"Authorization", "Bearer a"}, {"X-A", "1"}};
                        }});
  ASSERT_TRUE(made);
  const auto reply =
      (*made)->send({.method = "PATCH", .target = "/a?b=c", .headers = {{"x-a", "2"}}, .body = "the body"});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->body, fmt::format("PATCH /a?b=c HTTP/1.1\r\nauthorization: Bearer a\r\nhost: 127.0.0.1:{}\r\n"
                                     "user-agent: ym/{}\r\nx-a: 2\r\ncontent-length: 8\r\n\r\nthe body",
                                     server.port(), YM_VERSION));
}

TEST(Send, UsesAConnectionAgain) {
  TestServer server(echo());
  const auto client = server.client();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(client->send({.method = i % 2 ? "POST" : "GET"}));
  EXPECT_EQ(server.connections(), 1);
}

TEST(Send, KeepsNoConnectionThatTheServerWillClose) {
  TestServer server(always("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"));
  const auto client = server.client();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(client->send({.method = "POST"}));
  EXPECT_EQ(server.connections(), 3);
}

// A byte after the reply would look like the beginning of the next one.
TEST(Send, KeepsNoConnectionWithSomethingLeftInIt) {
  TestServer server(
      always("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"));
  const auto client = server.client();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client->send({.method = "POST"})->status, 200);
  EXPECT_EQ(server.connections(), 3);
}

TEST(Send, HasNoBodyWhereHttpSaysSo) {
  TestServer server([](Peer& peer) {
    while (const auto request = peer.read_request()) {
      if (request->starts_with("HEAD")) peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      else if (request->starts_with("DELETE")) peer.write("HTTP/1.1 204 No Content\r\n\r\n");
      else peer.write("HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n");
    }
  });
  const auto client = server.client();
  EXPECT_EQ(client->send({.method = "HEAD"})->headers.at("content-length"), "1000");
  EXPECT_EQ(client->send({.method = "DELETE"})->status, 204);
  EXPECT_EQ(client->send({.method = "GET"})->status, 304);
  EXPECT_EQ(server.connections(), 1);
}

TEST(Send, JoinsRepeatedFieldsAndSkipsInterimReplies) {
  TestServer server(
      always("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
             "HTTP/1.1 404 Not Found\r\nX-Warning: one\r\nContent-Length: 2\r\nx-warning: two\r\n\r\nno"));
  const auto reply = server.client()->send({});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 404);
  EXPECT_EQ(reply->body, "no");
  EXPECT_EQ(reply->headers.at("x-warning"), "one, two");
  EXPECT_FALSE(reply->headers.contains("link"));
}

TEST(Send, ReadsAReplyThatTheEndOfTheConnectionEnds) {
  TestServer server([](Peer& peer) {
    peer.read_request();
    peer.write("HTTP/1.0 200 OK\r\n\r\nsome bytes");
  });
  EXPECT_EQ(server.client()->send({})->body, "some bytes");
}

TEST(Send, ReadsChunks) {
  TestServer server([](Peer& peer) {
    peer.read_request();
    peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    peer.write_chunk("some ");
    peer.write_chunk("bytes");
    peer.write("0\r\n\r\n");
  });
  EXPECT_EQ(server.client()->send({})->body, "some bytes");
}

TEST(Send, CarriesLargeBodies) {
  TestServer server(echo());
  std::string body(std::size_t{5} << 20, 'x');
  const auto reply = server.client()->send({.method = "PUT", .body = body});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_TRUE(reply->body.ends_with("\r\n\r\n" + body));
}

// The client is still writing when the server refuses the request.
TEST(Send, ReadsARefusalThatComesBeforeTheBodyIsSent) {
  TestServer server([](Peer& peer) { peer.write("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig"); });
  const auto reply = server.client()->send({.method = "PUT", .body = std::string(std::size_t{8} << 20, 'x')});
  if (reply) EXPECT_EQ(reply->status, 413);
  else EXPECT_EQ(reply.error().code, ErrorCode::unavailable);  // the reset overtook the reply
}

TEST(Send, RefusesWhatCannotBeWritten) {
  TestServer server(echo());
  const auto client = server.client();
  for (const Request& bad :
       {Request{.method = "GE T"}, Request{.method = ""}, Request{.target = "x"}, Request{.target = "/a b"},
        Request{.target = "/\r\n"}, Request{.headers = {{"a b", ""}}}, Request{.headers = {{"a", "secret\r\nb: c"}}},
        Request{.headers = {{"", "x"}}}, Request{.headers = {{"Content-Length", "3"}}},
        Request{.headers = {{"Transfer-Encoding", "chunked"}}}}) {
    const auto reply = client->send(bad);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::invalid);
    EXPECT_EQ(reply.error().message.find("secret"), std::string::npos);
  }
  EXPECT_EQ(server.connections(), 0);
}

TEST(Send, ServesManyThreadsAtOnce) {
  TestServer server(echo());
  const auto client = server.client();
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        const auto own = fmt::format("/{}/{}", t, i);
        const auto reply = client->send({.target = own});
        good += reply && reply->body.starts_with("GET " + own + " HTTP/1.1\r\n");
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, 16 * 25);
  // A request that found no free connection opened one. Kept connections were used again.
  EXPECT_LT(server.connections(), 16 * 25);
}

TEST(Send, SpeaksOverAUnixSocket) {
  const std::string path = testing::TempDir() + fmt::format("ym_net_{}.sock", ::getpid());
  ::unlink(path.c_str());
  {
    TestServer server(echo(), path);
    const auto client = server.client();
    EXPECT_THAT(client->send({.target = "/v"})->body, HasSubstr("host: localhost\r\n"));
    EXPECT_TRUE(client->send({.method = "POST", .body = "x"}));
    EXPECT_EQ(server.connections(), 1);
  }
  ::unlink(path.c_str());
  const auto reply = (*HttpClient::make({.url = "unix:" + path}))->send({});
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("cannot connect to unix:" + path));
  EXPECT_TRUE(reply.error().retryable);
}

TEST(Send, FindsAServerByItsName) {
  TestServer server(echo());
  const auto client = *HttpClient::make({.url = fmt::format("http://localhost:{}", server.port())});
  const auto reply = client->send({});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_THAT(reply->body, HasSubstr(fmt::format("host: localhost:{}\r\n", server.port())));
}

}  // namespace
}  // namespace ym::net
