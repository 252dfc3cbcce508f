// A server on a free port over a FakeBackend, for tests.
#pragma once

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <thread>

#include "api/server.h"
#include "api/testing/fake_backend.h"
#include "api/testing/raw_client.h"
#include "control/testing/eventually.h"

namespace ym::testing {

using ym::eventually;

inline boost::json::value parse_json(std::string_view text) {
  boost::system::error_code error;
  auto value = boost::json::parse({text.data(), text.size()}, error);
  EXPECT_FALSE(error) << "not JSON: " << text;
  return value;
}

inline std::string text_at(const boost::json::value& value, std::string_view pointer) {
  boost::system::error_code error;
  const auto* found = value.find_pointer({pointer.data(), pointer.size()}, error);
  if (found == nullptr) return "(nothing at " + std::string(pointer) + ")";
  return found->is_string() ? std::string(found->get_string()) : boost::json::serialize(*found);
}

class ApiTest : public ::testing::Test {
 protected:
  ApiTest() { door.set(backend.handle()); }
  void start(HttpOptions options = {}) {
    auto started = HttpServer::start(door, options);
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
  }
  void SetUp() override { start(); }

  // By the site's policy.
  void limit_users(const std::string& setting) {
    EXPECT_EQ(post("/api/v1/policy", "application/yaml", "user_limits: {" + setting + "}").status, 200);
  }

  std::uint16_t port() const { return server->port(); }

  // Sends as ada, who is an admin.
  HttpReply get(const std::string& target, std::vector<std::pair<std::string, std::string>> headers = {}) {
    return fetch(port(), {.target = target, .token = kAdmin, .headers = std::move(headers)});
  }
  HttpReply post(const std::string& target, const std::string& type = "", const std::string& body = "",
                 std::vector<std::pair<std::string, std::string>> headers = {}) {
    if (!type.empty()) headers.emplace_back("Content-Type", type);
    return fetch(port(), {.method = "POST", .target = target, .token = kAdmin, .headers = headers, .body = body});
  }
  HttpReply submit_json(const std::string& body, std::vector<std::pair<std::string, std::string>> headers = {}) {
    return post("/api/v1/jobs", "application/json", body, std::move(headers));
  }
  static std::string code_of(const HttpReply& reply) { return text_at(parse_json(reply.body), "/code"); }

  const std::string kAdmin{FakeBackend::kAdminToken};
  FakeBackend backend;
  BackendSwitch door;
  std::unique_ptr<HttpServer> server;
};

// A job in memory, for tests that do not submit one over HTTP.
inline JobSpec simple_spec(std::string name = "train") {
  JobSpec spec;
  spec.name = std::move(name);
  spec.run.words = {"python", "train.py"};
  spec.workdir = "/home/ada";
  return spec;
}

inline Attempt running_attempt(JobId job, std::int32_t number = 1) {
  Attempt attempt{.job = job, .number = number, .epoch = 1, .state = AttemptState::running};
  attempt.cluster = "local";
  attempt.flavor = "t4";
  attempt.placement = {{.task = 0, .node = "n1", .devices = {"0", "1"}}};
  attempt.tasks.resize(1);
  return attempt;
}

}  // namespace ym::testing
