// Which pattern matches a path, and which of several wins.
#include "api/router.h"

#include <gtest/gtest.h>

namespace ym::api {
namespace {

using enum Method;

void nothing(Context&, Call) {}

Route route(Method method, std::string_view pattern, Needs needs = Needs::nothing()) {
  return {.method = method, .pattern = pattern, .needs = needs, .serve = nothing};
}

// A router with these patterns for GET.
class Patterns {
 public:
  Patterns(std::initializer_list<std::string_view> patterns) {
    for (const auto pattern : patterns) routes_.push_back(route(get, pattern));
    router_.emplace(routes_);
  }
  Router::Match find(const std::vector<std::string>& path) const { return router_->find(get, path); }
  std::string_view pattern_of(const std::vector<std::string>& path) const { return find(path).pattern; }

 private:
  std::vector<Route> routes_;
  std::optional<Router> router_;
};

TEST(Router, ParametersHaveTheNamesOfThePattern) {
  const Patterns patterns{"/teams/{team}/jobs/{id}", "/teams/{team}"};
  const auto match = patterns.find({"teams", "vision", "jobs", "a b"});
  EXPECT_EQ(match.pattern, "/teams/{team}/jobs/{id}");
  EXPECT_EQ(match.parameters.at("team"), "vision");
  EXPECT_EQ(match.parameters.at("id"), "a b");
  EXPECT_EQ(match.parameters.find("n"), nullptr);
  EXPECT_EQ(patterns.find({"teams", "vision"}).parameters.at("team"), "vision");
}

TEST(Router, AParameterIsOneSegmentThatIsNotEmpty) {
  const Patterns patterns{"/jobs/{id}"};
  EXPECT_EQ(patterns.pattern_of({"jobs", ""}), "");
  EXPECT_EQ(patterns.pattern_of({"jobs"}), "");
  EXPECT_EQ(patterns.pattern_of({"jobs", "a", "b"}), "");
  EXPECT_EQ(patterns.pattern_of({"Jobs", "a"}), "");
  EXPECT_EQ(patterns.pattern_of({}), "");
}

TEST(Router, TheRootIsAPathWithoutSegments) {
  const Patterns patterns{"/", "/{path*}"};
  EXPECT_EQ(patterns.pattern_of({}), "/");
  EXPECT_EQ(patterns.pattern_of({"a"}), "/{path*}");
}

TEST(Router, AWildcardTakesTheRest) {
  const Patterns patterns{"/ui/{path*}"};
  EXPECT_EQ(patterns.find({"ui", "index.html"}).parameters.at("path"), "index.html");
  EXPECT_EQ(patterns.find({"ui", "assets", "icons", "x.svg"}).parameters.at("path"), "assets/icons/x.svg");
  EXPECT_EQ(patterns.pattern_of({"ui"}), "") << "at least one segment";
  EXPECT_EQ(patterns.pattern_of({"api", "index.html"}), "");
}

TEST(Router, AWildcardFitsNoPathThatCouldLeaveItsFolder) {
  const Patterns patterns{"/ui/{path*}"};
  const std::vector<std::string> hostile{"..", ".", "", "a/b", "..\\x", "a\\b", std::string("a\0b", 3), "a\nb", "\x7f"};
  for (const auto& segment : hostile) {
    EXPECT_EQ(patterns.pattern_of({"ui", segment}), "") << segment;
    EXPECT_EQ(patterns.pattern_of({"ui", segment, "index.html"}), "") << segment;
    EXPECT_EQ(patterns.pattern_of({"ui", "assets", segment, "index.html"}), "") << segment;
    EXPECT_EQ(patterns.pattern_of({"ui", "assets", segment}), "") << segment;
  }
  for (const auto* harmless : {"...", "..a", ".hidden", "%2e%2e", "a..b"})
    EXPECT_EQ(patterns.find({"ui", harmless}).parameters.at("path"), harmless) << "a name, decoded once";
}

TEST(Router, TheMoreSpecificPatternWinsWhateverTheOrderOfTheTable) {
  const std::vector<std::string_view> all{"/{path*}",     "/a/{path*}", "/a/{x}/{path*}", "/a/b/{path*}",
                                          "/{x}/{y}/{z}", "/a/{y}/{z}", "/a/{y}/c",       "/a/b/c"};
  auto order = all;
  for (int i = 0; i < 8; ++i) {
    std::ranges::rotate(order, order.begin() + 1);
    std::vector<Route> routes;
    for (const auto pattern : order) routes.push_back(route(get, pattern));
    const Router router(routes);
    const auto found = [&](std::vector<std::string> path) { return router.find(get, path).pattern; };
    EXPECT_EQ(found({"a", "b", "c"}), "/a/b/c");
    EXPECT_EQ(found({"a", "x", "c"}), "/a/{y}/c");
    EXPECT_EQ(found({"a", "b", "x"}), "/a/{y}/{z}") << "one without a wildcard before one with";
    EXPECT_EQ(found({"x", "b", "c"}), "/{x}/{y}/{z}");
    EXPECT_EQ(found({"a", "b", "c", "d"}), "/a/b/{path*}");
    EXPECT_EQ(found({"a", "x", "c", "d"}), "/a/{x}/{path*}");
    EXPECT_EQ(found({"a", "x"}), "/a/{path*}");
    EXPECT_EQ(found({"x"}), "/{path*}");
  }
}

TEST(Router, ParametersOfPatternsThatDidNotFitAreForgotten) {
  const Patterns patterns{"/{x}/{y}/end", "/{path*}"};
  const auto match = patterns.find({"a", "b", "c"});
  EXPECT_EQ(match.parameters.find("x"), nullptr);
  EXPECT_EQ(match.parameters.at("path"), "a/b/c");
}

TEST(Router, MethodsOfAPatternGoTogether) {
  const std::array routes{route(get, "/jobs"), route(post, "/jobs"), route(del, "/{path*}")};
  const Router router(routes);
  const std::vector<std::string> jobs{"jobs"};
  EXPECT_EQ(router.find(post, jobs).route, &routes[1]);
  EXPECT_EQ(router.find(head, jobs).route, &routes[0]);
  const auto match = router.find(del, jobs);
  EXPECT_EQ(match.route, nullptr) << "the less specific pattern is not asked";
  EXPECT_EQ(match.allow, "GET, HEAD, POST");
}

TEST(RouterDeathTest, WrongTablesEndTheProgramAtItsStart) {
  const auto build = [](std::vector<Route> routes) { const Router router(routes); };
  for (const auto* pattern : {"jobs", "/jobs/", "/a//b", "/{}", "/{*}", "/{id", "/id}", "/x{id}", "/{a}{b}",
                              "/{id}/{id}", "/{path*}/more", "/{a*b}"})
    EXPECT_DEATH(build({route(get, pattern)}), "") << pattern;
  EXPECT_DEATH(build({route(get, "/a"), route(get, "/a")}), "") << "the same twice";
  EXPECT_DEATH(build({route(get, "/jobs/{id}"), route(post, "/jobs/{name}")}), "") << "the second would never be asked";
  EXPECT_DEATH(build({route(get, "/jobs/{id}", Needs::attempt())}), "") << "the attempt has no number";
  EXPECT_DEATH(build({route(get, "/jobs/{id}/{n}", Needs::task())}), "") << "the task has no number";
}

TEST(RouterDeathTest, ARouteThatAsksForAParameterThatItDoesNotHaveEndsTheProgram) {
  PathParameters parameters;
  parameters.add("id", "7");
  EXPECT_EQ(parameters.at("id"), "7");
  EXPECT_DEATH((void)parameters.at("n"), "");
}

}  // namespace
}  // namespace ym::api
