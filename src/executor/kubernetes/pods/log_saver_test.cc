#include "executor/kubernetes/pods/log_saver.h"

#include "executor/kubernetes/testing/executor.h"

namespace ym::kubernetes {
namespace {

using testing::eventually;
using testing::StillClock;

// Answers for each pod whether its log can be read.
class Kubelets final : public net::HttpClient {
 public:
  Result<net::Reply> send(const net::Request&, const net::Cancel&) override {
    return fail(ErrorCode::unavailable, "not here");
  }
  Result<net::Reply> stream(const net::Request&, const std::function<bool(std::string_view)>& take,
                            const net::Cancel&) override {
    ++asked;
    if (status == 0) return fail(ErrorCode::unavailable, "no route to the API server");
    if (status == 200) take("x");
    return net::Reply{.status = status, .headers = {}, .body = "{}"};
  }
  std::atomic<int> asked = 0, status = 500;
};

class LogSaverTest : public ::testing::Test {
 protected:
  ~LogSaverTest() override {
    saver.stop();
    std::filesystem::remove_all(folder);
  }
  // Whether the log was saved.
  bool save(const std::string& node, Duration wait = minutes(1)) {
    std::atomic<int> answer = -1;
    saver.save({.key = {{JobId{1}, 1, 7}, 0}, .pod = "/p", .node = node, .until = clock.now() + wait},
               [&](bool kept) { answer = kept; });
    EXPECT_TRUE(eventually([&] { return answer >= 0; }));
    return answer == 1;
  }
  void fail_on(const std::string& node, int times) {
    kubelets->status = 500;
    for (int i = 0; i < times; ++i) EXPECT_FALSE(save(node));
  }

  std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("log-saver-" + std::to_string(::getpid()));
  StillClock clock;
  std::unique_ptr<Kubelets> http = std::make_unique<Kubelets>();
  Kubelets* kubelets = http.get();
  ApiClient client{std::move(http)};
  KeptLogs logs{folder, 1 << 20};
  LogSaver saver{logs, client, clock, 2};
};

TEST_F(LogSaverTest, ANodeThatFailedThreeTimesIsNotAskedForAMinute) {
  fail_on("n1", 3);
  kubelets->status = 200;
  EXPECT_FALSE(save("n1"));
  EXPECT_EQ(kubelets->asked, 3);
  EXPECT_TRUE(save("n2"));
  clock.advance(seconds(59));
  EXPECT_FALSE(save("n1"));
  clock.advance(seconds(1));
  EXPECT_TRUE(save("n1"));
  fail_on("n1", 2);
  kubelets->status = 200;
  EXPECT_TRUE(save("n1")) << "three in a row";
}

TEST_F(LogSaverTest, ANodeThatStillFailsAfterAMinuteIsAskedOnceAMinute) {
  fail_on("n1", 3);
  clock.advance(minutes(1));
  fail_on("n1", 2);
  EXPECT_EQ(kubelets->asked, 4);
}

TEST_F(LogSaverTest, ThatThereIsNoLogIsNoFailure) {
  kubelets->status = 404;
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(save("n1"));
  kubelets->status = 200;
  EXPECT_TRUE(save("n1"));
}

TEST_F(LogSaverTest, AServerThatIsOutOfReachSaysNothingOfItsNodes) {
  kubelets->status = 0;
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(save("n1"));
  kubelets->status = 200;
  EXPECT_TRUE(save("n1"));
}

TEST_F(LogSaverTest, WhatIsTooLateIsNotRead) {
  EXPECT_FALSE(save("n1", seconds(-1)));
  EXPECT_EQ(kubelets->asked, 0);
}

}  // namespace
}  // namespace ym::kubernetes
