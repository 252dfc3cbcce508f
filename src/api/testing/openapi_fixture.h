// A server and its OpenAPI document, to compare answers with it.
#pragma once

#include <algorithm>
#include <cctype>

#include "api/testing/fixture.h"
#include "api/testing/schema.h"

namespace ym::testing {

class OpenApiTest : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    document_ = parse_json(fetch(port(), {.target = "/api/v1/openapi.json"}).body);
  }

  const boost::json::value* operation(std::string_view pattern, std::string_view method) const {
    const auto* path = document_.at("paths").as_object().if_contains(pattern);
    return path == nullptr ? nullptr : path->as_object().if_contains(method);
  }

  static std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
  }

  // Expects a documented status, and a body with the documented schema.
  void expect_documented(std::string_view pattern, std::string_view method, const HttpReply& reply) {
    const auto* found = operation(pattern, method);
    ASSERT_NE(found, nullptr) << pattern;
    const auto* response = found->at("responses").as_object().if_contains(std::to_string(reply.status));
    ASSERT_NE(response, nullptr) << method << " " << pattern << " answers " << reply.status << ": " << reply.body;
    if (reply.status == 204 || reply.status == 304) {
      EXPECT_FALSE(response->as_object().contains("content")) << pattern;
      EXPECT_EQ(reply.body, "");
      return;
    }
    const std::string type = reply.headers.at("content-type").substr(0, reply.headers.at("content-type").find(';'));
    const auto* content = response->at("content").as_object().if_contains(type);
    ASSERT_NE(content, nullptr) << pattern << " answers in " << type;
    if (!type.ends_with("json")) return;
    const auto wrong = check_schema(document_, content->at("schema"), parse_json(reply.body));
    EXPECT_EQ(wrong, "") << method << " " << pattern << ": " << reply.body.substr(0, 2000);
  }

  boost::json::value document_;
};

}  // namespace ym::testing
