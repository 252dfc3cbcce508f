#include "api/browser_session.h"

#include <gtest/gtest.h>

#include "api/form.h"
#include "api/pages.h"
#include "api/routes/login_command.h"

namespace ym::api {
namespace {

Request request_of(std::vector<HeaderField> headers) {
  Request request;
  request.headers = std::move(headers);
  request.headers.push_back({"Host", "ym.test"});
  return request;
}

TEST(Cookies, AreFoundByTheirWholeName) {
  const auto request = request_of({{"Cookie", "a=1; __Host-ym-csrf=c;__Host-ym=t=1; b"}});
  EXPECT_EQ(cookie_of(request, kSessionCookie), "t=1");
  EXPECT_EQ(cookie_of(request, kCsrfCookie), "c");
  EXPECT_EQ(cookie_of(request, "b"), "");
  EXPECT_EQ(cookie_of(request_of({}), kSessionCookie), "");
}

TEST(Changes, NeedAPageOfThisServer) {
  const auto csrf = csrf_of("token");
  EXPECT_TRUE(check_change(request_of({{"Origin", "https://ym.test"}}), "token", csrf));
  EXPECT_TRUE(check_change(request_of({{"Sec-Fetch-Site", "same-origin"}}), "token", csrf));
  EXPECT_FALSE(check_change(request_of({{"Origin", "https://ym.test"}}), "token", csrf_of("other")));
  EXPECT_FALSE(check_change(request_of({{"Origin", "https://evil.test"}}), "token", csrf));
  EXPECT_FALSE(
      check_change(request_of({{"Origin", "https://ym.test"}, {"Sec-Fetch-Site", "cross-site"}}), "token", csrf));
  EXPECT_FALSE(check_change(request_of({}), "token", csrf)) << "no browser sends neither";
}

TEST(FormFields, AreReadOnce) {
  const auto form = FormFields::parse("a=1+2%20%2B&b=&c");
  ASSERT_TRUE(form);
  EXPECT_EQ(form->get("a"), "1 2 +");
  EXPECT_EQ(form->get("b"), "");
  EXPECT_EQ(form->get("d"), "");
  EXPECT_FALSE(FormFields::parse("a=1&a=2")) << "twice";
  EXPECT_FALSE(FormFields::parse("a=%zz"));
  EXPECT_TRUE(FormFields::parse(""));
  std::string many;
  for (std::size_t i = 0; i <= FormFields::kMostFields; ++i) many += std::to_string(i) + "&";
  EXPECT_FALSE(FormFields::parse(many));
  EXPECT_FALSE(FormFields::parse("a=" + std::string(FormFields::kMostBytes, 'x')));
}

TEST(Pages, ShowTextAndNoMarkup) {
  EXPECT_EQ(escaped("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(page(200, "t", {"<script>"}).body.find("<script"), std::string::npos);
}

TEST(LocalPaths, LeadToThisServer) {
  EXPECT_EQ(local_path("/device?user_code=a"), "/device?user_code=a");
  for (const auto* path : {"//evil.test", "https://evil.test", "/\\evil.test", "", "/a\nb", "javascript:1"})
    EXPECT_EQ(local_path(path), "/") << path;
}

}  // namespace
}  // namespace ym::api
