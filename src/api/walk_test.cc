// Every route x every method x with and without a token: everything that is not declared is denied.
#include "api/routes/route.h"
#include "api/testing/fixture.h"
#include "base/testing/sentences.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::FakeBackend;
using ym::testing::HttpReply;

constexpr std::array<std::string_view, 9> kMethods{"GET",    "HEAD",    "POST",  "PUT",     "PATCH",
                                                   "DELETE", "OPTIONS", "TRACE", "PROPFIND"};

class RouteWalk : public ApiTest {
 protected:
  // An existing path for the pattern, so that a refusal never means that the object is missing.
  std::string path_of(std::string_view pattern) {
    std::string path(pattern);
    const bool node = path.find("/nodes/") != std::string::npos;
    if (const auto id = path.find("{id}"); id != std::string::npos) path.replace(id, 4, node ? "n1" : to_string(job_));
    if (const auto attempt = path.find("{n}"); attempt != std::string::npos) path.replace(attempt, 3, "1");
    if (const auto task = path.find("{t}"); task != std::string::npos) path.replace(task, 3, "0");
    return path;
  }

  void SetUp() override {
    ApiTest::SetUp();
    backend.add_node({.name = "n1", .cluster = "local"});
    job_ = backend.add_job(ym::testing::simple_spec()).id;
    backend.add_attempt(ym::testing::running_attempt(job_));
  }

  HttpReply call(std::string_view method, const std::string& path, std::string_view token) {
    return ym::testing::fetch(port(), {.method = std::string(method), .target = path, .token = std::string(token)});
  }

  static const Route* declared(std::string_view method, std::string_view pattern) {
    for (const auto& route : all_routes()) {
      const bool fits = to_string(route.method) == method || (method == "HEAD" && route.method == Method::get);
      if (fits && route.pattern == pattern) return &route;
    }
    return nullptr;
  }

  JobId job_;
};

TEST_F(RouteWalk, UndeclaredMethodsAreRefusedWithTheDeclaredOnes) {
  for (const auto& route : all_routes()) {
    for (const auto method : kMethods) {
      if (declared(method, route.pattern) != nullptr) continue;
      const auto reply = call(method, path_of(route.pattern), FakeBackend::kAdminToken);
      EXPECT_EQ(reply.status, 405) << method << " " << route.pattern;
      EXPECT_THAT(reply.headers.at("allow"), ::testing::HasSubstr(std::string(to_string(route.method))));
    }
  }
}

TEST_F(RouteWalk, WithoutAValidTokenOnlyOpenRoutesAnswer) {
  for (const auto& route : all_routes()) {
    for (const auto method : kMethods) {
      const auto* found = declared(method, route.pattern);
      if (found == nullptr) continue;
      for (const std::string_view token : {"", "wrong-token"}) {
        const auto reply = call(method, path_of(route.pattern), token);
        if (found->needs.admits() == Admits::anyone) {
          EXPECT_EQ(reply.status, 200) << method << " " << route.pattern;
        } else if (found->needs.admits() == Admits::logins) {
          EXPECT_TRUE(reply.status != 200 && reply.status != 401 && reply.status < 500)
              << method << " " << route.pattern << " " << reply.status;
        } else {
          EXPECT_EQ(reply.status, 401) << method << " " << route.pattern;
          EXPECT_THAT(reply.headers.at("www-authenticate"), ::testing::StartsWith("Bearer"));
        }
      }
    }
  }
  EXPECT_EQ(backend.submits(), 0u);
}

TEST_F(RouteWalk, ATokenReachesWhatItsScopesHave) {
  const auto of_users = find_built_in_role(kUserRole)->permissions;
  const auto of_viewers = find_built_in_role("viewer")->permissions;
  for (const auto& route : all_routes()) {
    if (route.needs.is_open() || route.serve == rotate_admin_token) continue;
    for (const auto& [token, permissions] :
         {std::pair{FakeBackend::kAdminToken, Permissions::all()}, std::pair{FakeBackend::kUserToken, of_users},
          std::pair{FakeBackend::kViewerToken, of_viewers}}) {
      const auto wanted = route.needs.permission();
      const bool may = !route.needs.admits_attempts_only() && (!wanted || permissions.has(*wanted));
      const auto reply = call(to_string(route.method), path_of(route.pattern), token);
      EXPECT_EQ(reply.status != 403, may) << token << " " << route.pattern << " " << reply.status;
      EXPECT_TRUE(reply.status != 401 && reply.status < 500) << token << " " << route.pattern << " " << reply.status;
    }
  }
}

TEST_F(RouteWalk, AJobsTokenAdmitsToItsOwnAttemptAndNothingElse) {
  const auto mine = FakeBackend::job_token({job_, 1});
  const auto of_another_attempt = FakeBackend::job_token({job_, 2});
  const auto of_another_job = FakeBackend::job_token({JobId{job_.value + 1}, 1});
  const auto for_jobs = [](const Route& route) { return route.needs.admits_attempts(); };
  const auto elsewhere = call("GET", "/api/v1/jobs", mine);
  ym::testing::expect_sentence(ym::testing::text_at(ym::testing::parse_json(elsewhere.body), "/detail"));
  int own = 0;
  for (const auto& route : all_routes()) {
    for (const auto method : kMethods) {
      if (declared(method, route.pattern) != &route) continue;
      for (const auto& token : {mine, of_another_attempt, of_another_job}) {
        const auto reply = call(method, path_of(route.pattern), token);
        const auto what = fmt::format("{} {} {}", method, route.pattern, reply.status);
        if (route.needs.admits() == Admits::anyone) {
          EXPECT_EQ(reply.status, 200) << what;
        } else if (route.needs.admits() == Admits::logins) {
          EXPECT_NE(reply.status, 200) << what << ": a token is no proof of a login";
        } else if (for_jobs(route) && token == mine) {
          // This job has no remote tasks.
          EXPECT_TRUE(reply.status == 204 || reply.status == 415 ||
                      (route.needs.admits() == Admits::task && reply.status == 404))
              << what;
          ++own;
        } else {
          EXPECT_EQ(reply.status, 403) << what;
          if (method != "HEAD" && route.produces != Produces::scim) EXPECT_EQ(reply.body, elsewhere.body) << what;
        }
      }
    }
  }
  EXPECT_EQ(own, 6) << "POST progress and report; GET and HEAD notice and orders";
  EXPECT_EQ(backend.reports().size() + backend.submits(), 0u);
}

TEST_F(RouteWalk, AJobsTokenNamesItsAttemptByNumbersOnly) {
  const auto token = FakeBackend::job_token({job_, 1});
  for (const auto* path : {"/api/v1/jobs/train/attempts/1/notice", "/api/v1/jobs/{}/attempts/01/notice",
                           "/api/v1/jobs/{}/attempts/2/notice", "/api/v1/jobs/{}/attempts/x/notice"}) {
    std::string target(path);
    if (const auto id = target.find("{}"); id != std::string::npos) target.replace(id, 2, to_string(job_));
    EXPECT_EQ(call("GET", target, token).status, 403) << target;
  }
}

TEST_F(RouteWalk, EveryAnswerCarriesTheSafetyHeaders) {
  for (const auto& route : all_routes()) {
    for (const auto method : kMethods) {
      const auto reply = call(method, path_of(route.pattern), FakeBackend::kAdminToken);
      EXPECT_EQ(reply.headers.at("x-content-type-options"), "nosniff") << route.pattern;
      // A file of the program is not secret. A client may store it, and must ask each time whether it is valid.
      const bool is_file = reply.status == 200 && route.pattern == "/api/v1/openapi.json";
      EXPECT_EQ(reply.headers.at("cache-control"), is_file ? "no-cache" : "no-store") << route.pattern;
    }
  }
}

TEST_F(RouteWalk, WhatIsNotInTheTableDoesNotExist) {
  for (const auto* path :
       {"/api", "/api/v1", "/api/v1/", "/api/v2/jobs", "/api/v1/job", "/api/v1/jobs/", "/api/v1//jobs", "/API/v1/jobs",
        "/api/v1/jobs/x/y", "/api/v1/jobs/x/y/z", "/admin", "/metrics/", "/.git/config"}) {
    for (const auto method : kMethods) {
      if (method == "HEAD") continue;
      const auto reply = call(method, path, FakeBackend::kAdminToken);
      EXPECT_EQ(reply.status, 404) << method << " " << path;
      EXPECT_EQ(reply.headers.at("content-type"), "application/problem+json");
    }
  }
}

}  // namespace
}  // namespace ym::api
