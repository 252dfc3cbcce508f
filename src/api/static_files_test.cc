// Static files, alone and over HTTP.
#include "api/static_files.h"

#include "api/testing/fixture.h"

namespace ym::api {
namespace {

constexpr std::array kFiles{StaticFile{"ui/index.html", "text/html; charset=utf-8", "<p>hello</p>"},
                            StaticFile{"ui/app.js", "text/javascript", "let x = 1;"},
                            StaticFile{"other.js", "text/javascript", "let x = 1;"}};

std::string etag_of(const Response& response) {
  for (const auto& field : response.headers)
    if (field.name == "ETag") return field.value;
  return "";
}

Request asks(const std::string& tags) { return {.headers = {{"if-none-match", tags}}}; }

TEST(StaticFiles, AreAnsweredWithTheirTypeAndTag) {
  const StaticFiles files(kFiles);
  const auto page = files.answer({}, "ui/index.html");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->content_type, "text/html; charset=utf-8");
  EXPECT_EQ(page->body, "<p>hello</p>");
  EXPECT_EQ(page->cache, "no-cache");
  const auto tag = etag_of(*page);
  EXPECT_EQ(tag.size(), 34u);
  EXPECT_TRUE(tag.starts_with('"') && tag.ends_with('"'));
  EXPECT_NE(etag_of(*files.answer({}, "ui/app.js")), tag);
  EXPECT_EQ(etag_of(*files.answer({}, "ui/app.js")), etag_of(*files.answer({}, "other.js"))) << "of the content alone";
}

TEST(StaticFiles, AClientThatHasOneGetsNoContent) {
  const StaticFiles files(kFiles);
  const auto tag = etag_of(*files.answer({}, "ui/app.js"));
  for (const auto& tags : {tag, "W/" + tag, "\"x\", " + tag, tag + " , \"y\"", std::string(" * ")}) {
    const auto answer = files.answer(asks(tags), "ui/app.js");
    EXPECT_EQ(answer->status, 304) << tags;
    EXPECT_EQ(answer->body, "") << tags;
    EXPECT_EQ(etag_of(*answer), tag) << tags;
  }
  for (const auto& tags : {std::string("\"x\""), std::string(), std::string(","), tag.substr(1), "w/" + tag})
    EXPECT_EQ(files.answer(asks(tags), "ui/app.js")->status, 200) << tags;
}

TEST(StaticFiles, ThereIsNothingElse) {
  const StaticFiles files(kFiles);
  for (const auto* name : {"", "ui", "ui/", "index.html", "ui/index.htm", "UI/index.html", "../other.js",
                           "ui/../other.js", "/other.js", "ui/index.html/", "ui//index.html", "zzz"})
    EXPECT_FALSE(files.answer({}, name)) << name;
  EXPECT_FALSE(StaticFiles({}).answer({}, "ui/index.html"));
}

using StaticFilesApi = ym::testing::ApiTest;

TEST_F(StaticFilesApi, HeadAndConditionalRequestsOverHttp) {
  const auto whole = get("/api/v1/openapi.json");
  EXPECT_EQ(whole.status, 200);
  const auto tag = whole.headers.at("etag");
  EXPECT_EQ(whole.headers.at("cache-control"), "no-cache");
  const auto head = ym::testing::fetch(port(), {.method = "HEAD", .target = "/api/v1/openapi.json"});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), std::to_string(whole.body.size()));
  EXPECT_EQ(head.headers.at("etag"), tag);
  EXPECT_EQ(head.body, "");
  for (const auto* method : {"GET", "HEAD"}) {
    const auto known = ym::testing::fetch(
        port(), {.method = method, .target = "/api/v1/openapi.json", .headers = {{"If-None-Match", tag}}});
    EXPECT_EQ(known.status, 304) << method;
    EXPECT_EQ(known.body, "") << method;
    EXPECT_EQ(known.headers.at("etag"), tag);
    EXPECT_FALSE(known.headers.contains("content-type"));
    EXPECT_FALSE(known.headers.contains("content-length"));
  }
}

TEST_F(StaticFilesApi, AConnectionGoesOnAfterANotModified) {
  const auto tag = get("/api/v1/openapi.json").headers.at("etag");
  ym::testing::RawClient client(port());
  for (int i = 0; i < 2; ++i) {
    client.send(ym::testing::to_bytes({.target = "/api/v1/openapi.json", .headers = {{"If-None-Match", tag}}}));
    EXPECT_EQ(client.read_reply().value_or(ym::testing::HttpReply{}).status, 304);
  }
  client.send(ym::testing::to_bytes({.target = "/healthz"}));
  EXPECT_EQ(client.read_reply().value_or(ym::testing::HttpReply{}).status, 200);
}

}  // namespace
}  // namespace ym::api
