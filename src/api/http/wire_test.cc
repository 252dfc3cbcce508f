#include "api/http/wire.h"

namespace ym::api {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Wire, EveryHeadForbidsSniffingAndStoring) {
  const Response response{.status = 404, .content_type = "application/problem+json"};
  const auto head = render_head(response, {.length = 7}, 1'790'000'000);
  EXPECT_TRUE(head.starts_with("HTTP/1.1 404 Not Found\r\nDate: Mon, 21 Sep 2026 14:13:20 GMT\r\n")) << head;
  EXPECT_THAT(head, HasSubstr("X-Content-Type-Options: nosniff\r\n"));
  EXPECT_THAT(head, HasSubstr("Cache-Control: no-store\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Length: 7\r\n\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("Connection")));
}

TEST(Wire, ALineBreakInAValueCannotEndTheHead) {
  Response response;
  response.headers.push_back({"Location", "/x\r\nSet-Cookie: a=b"});
  EXPECT_THAT(render_head(response, {}, 0), HasSubstr("Location: /x  Set-Cookie: a=b\r\n"));
}

TEST(Wire, SaysHowTheConnectionGoesOn) {
  EXPECT_THAT(render_head({}, {.keep_alive = false}, 0), HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(render_head({}, {.http_1_0 = true, .keep_alive = true}, 0),
              ::testing::AllOf(HasSubstr("HTTP/1.0 200"), HasSubstr("Connection: keep-alive\r\n")));
  EXPECT_THAT(render_head({}, {.chunked = true}, 0), HasSubstr("Transfer-Encoding: chunked\r\n"));
}

TEST(Wire, AnAnswerWithoutContentDoesNotSpeakOfIt) {
  for (const auto& [status, line] :
       {std::pair{204, "HTTP/1.1 204 No Content\r\n"}, std::pair{304, "HTTP/1.1 304 Not Modified\r\n"}}) {
    const auto head = render_head({.status = status}, {.length = 0}, 0);
    EXPECT_TRUE(head.starts_with(line)) << head;
    EXPECT_THAT(head, Not(HasSubstr("Content-Length")));
    EXPECT_THAT(head, Not(HasSubstr("Content-Type:")));
    EXPECT_THAT(head, HasSubstr("Cache-Control: no-store\r\n"));
  }
}

TEST(Wire, AnAnswerMaySayThatItMayBeKept) {
  const auto head = render_head({.cache = kCacheAndAsk}, {.length = 0}, 0);
  EXPECT_THAT(head, HasSubstr("Cache-Control: no-cache\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("no-store")));
}

TEST(Wire, ChunksCarryTheirLengthInHex) {
  std::string data(26, 'x');
  make_chunk(data);
  EXPECT_EQ(data, "1a\r\n" + std::string(26, 'x') + "\r\n");
}

}  // namespace
}  // namespace ym::api
