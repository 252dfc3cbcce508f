// Refused requests are in the log, without the content of the requests.
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <sstream>

#include "api/testing/fixture.h"

namespace ym::api {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class RefusalLogged : public ym::testing::ApiTest {
 protected:
  void SetUp() override {
    before_ = spdlog::default_logger();
    auto logger = std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(lines_));
    logger->set_pattern("%v");
    spdlog::set_default_logger(std::move(logger));
    ApiTest::SetUp();
  }
  void TearDown() override { spdlog::set_default_logger(before_); }

  // The lines so far, after the server has finished every request.
  std::string log() {
    server.reset();
    return lines_.str();
  }

  std::ostringstream lines_;
  std::shared_ptr<spdlog::logger> before_;
};

TEST_F(RefusalLogged, WithPrincipalRouteStatusAndCode) {
  get("/api/v1/jobs/secret-name?token=secret-query");
  submit_json(R"({"run":["secret-word"],"priority":900})", {{"Idempotency-Key", "secret-key"}});
  ym::testing::fetch(port(), {.target = "/api/v1/jobs", .token = "secret-token"});
  ym::testing::fetch(port(), {.target = "/secret/path", .token = kAdmin});
  get("/api/v1/jobs");
  EXPECT_THAT(lines_of(log()),
              ::testing::UnorderedElementsAre(
                  "refused: principal ada, GET /api/v1/jobs/{id}, status 400, code invalid",
                  "refused: principal ada, POST /api/v1/jobs, status 422, code invalid",
                  "refused: principal -, GET /api/v1/jobs, status 401, code unauthenticated, from 127.0.0.1",
                  "refused: principal -, GET -, status 404, code not_found, from 127.0.0.1"));
}

TEST_F(RefusalLogged, OfAFloodOnlyTheBeginning) {
  for (int i = 0; i < 1000; ++i) get("/api/v1/nothing");
  const auto text = log();
  EXPECT_LT(std::ranges::count(text, '\n'), 900);
  EXPECT_GE(std::ranges::count(text, '\n'), 200);
}

class Rated : public ym::testing::ApiTest {
 protected:
  void SetUp() override {
    start();
    limit_users("requests_per_second: 2");
  }
};

TEST_F(Rated, APrincipalIsBoundedAndOthersAreNot) {
  int refused = 0;
  for (int i = 0; i < 50; ++i) refused += get("/api/v1/jobs").status == 429 ? 1 : 0;
  EXPECT_GE(refused, 20);
  const auto reply = get("/api/v1/jobs");
  EXPECT_EQ(code_of(reply), "rate_limited");
  EXPECT_EQ(reply.headers.at("retry-after"), "1");
  const auto bob = ym::testing::fetch(
      port(), {.target = "/api/v1/jobs", .token = std::string(ym::testing::FakeBackend::kUserToken)});
  EXPECT_EQ(bob.status, 200);
}

}  // namespace
}  // namespace ym::api
