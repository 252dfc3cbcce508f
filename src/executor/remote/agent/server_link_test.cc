#include "executor/remote/agent/server_link.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <utility>

namespace ym::remote {
namespace {

// A server with news for each request.
class News final : public net::HttpClient {
 public:
  Result<net::Reply> send(const net::Request& request, const net::Cancel& /*cancel*/) override {
    if (request.method == "GET") ++questions;
    return net::Reply{
        .status = 200, .headers = {}, .body = encode(TaskOrders{.version = ++version, .end_stored = stored})};
  }
  Result<net::Reply> stream(const net::Request& request, const std::function<bool(std::string_view)>& /*take*/,
                            const net::Cancel& cancel) override {
    return send(request, cancel);
  }

  std::atomic<bool> stored = true;  // the end is stored
  std::atomic<int> questions = 0;
  std::atomic<std::uint64_t> version = 0;
};

class Link : public ::testing::Test {
 protected:
  LinkListener listener() {
    return {.orders = [this](const TaskOrders&) { ++answers_; }, .refused = [](Refusal) {}, .problem = [](auto) {}};
  }
  bool answered(int times) const {
    for (int n = 0; n < 3'000 && answers_ < times; ++n) std::this_thread::sleep_for(std::chrono::milliseconds{10});
    return answers_ >= times;
  }

  News client_;
  std::atomic<int> answers_ = 0;
  ServerLink link_{client_, {.target = "/t", .nonce = "n", .token = {}, .token_file = {}}, listener()};
};

TEST_F(Link, AsksForOrdersAsLongAsTheTaskLives) {
  link_.say("running");
  EXPECT_TRUE(answered(5)) << "an end that the server knows counts only after this task has reported it";
}

TEST_F(Link, AsksNothingMoreOnceItsEndIsStored) {
  link_.say_last("ended");
  ASSERT_TRUE(answered(1));
  std::this_thread::sleep_for(std::chrono::milliseconds{200});
  EXPECT_LE(client_.questions, 1) << "but for one that was under way";
}

TEST_F(Link, AsksUntilItIs) {
  client_.stored = false;
  link_.say_last("ended");
  EXPECT_TRUE(answered(5));
  client_.stored = true;
  int before = -1;
  for (int n = 0; n < 100 && std::exchange(before, client_.questions.load()) != client_.questions; ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
  EXPECT_EQ(before, client_.questions);
}

}  // namespace
}  // namespace ym::remote
