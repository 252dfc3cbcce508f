// Pods and nodes that are not what they seem, and invalid answers: B63 to B65, F6.
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "executor/testing/recorded_responses/kubernetes/recorded_kubernetes.h"

namespace ym::recorded {
namespace {

class Shown : public RecordedKubernetes {
 protected:
  std::optional<Node> node(const std::string& name) const {
    for (const auto& each : seen.nodes())
      if (each.name == name) return each;
    return std::nullopt;
  }
  // Healthy GPUs of a node.
  std::size_t gpus_of(const std::string& name) const {
    const auto found = node(name);
    if (!found || !found->withheld.empty()) return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(found->devices, [](const Device& d) { return d.healthy && !d.foreign; }));
  }
};

TEST_F(Shown, B63AForeignPodOfOurNameIsLeftAlone) {
  play("B63-foreign-pod");
  launch();
  ASSERT_TRUE(seen.await<LaunchRefused>(kToken));
  EXPECT_TRUE(seen.of<LaunchRefused>(kToken)[0].of_executor);
  EXPECT_FALSE(seen.of<LaunchRefused>(kToken)[0].permanent);
  executor->release(kToken);
  pass(minutes(10));
  EXPECT_EQ(times(kDelete), 0U);
  EXPECT_EQ(seen.count<LaunchAccepted>(kToken), 0U);
}

TEST_F(Shown, B64APodWithContradictingLabelsIsLeftAlone) {
  play("B64-contradicting-labels");
  launch();
  ASSERT_TRUE(seen.await<LaunchRefused>(kToken));
  executor->release(kToken);
  pass(minutes(10));
  EXPECT_EQ(times(kDelete), 0U);
}

TEST_F(Shown, B64MalformedLabelsSayNothing) {
  play("B64-malformed-labels");
  run();
  see("malformed");
  pass(minutes(10));
  EXPECT_EQ(seen.count<TaskHasEnded>(kToken), 0U) << seen.words();
  EXPECT_EQ(times(kDelete), 0U);
  end();
  EXPECT_EQ(the_end().exit_code, 0);
}

TEST_F(Shown, B65ANodeWithNonsensicalGpusOffersNone) {
  for (const char* name : {"B65-nine-of-eight", "B65-gpus-negative", "B65-gpus-huge", "B65-gpus-text",
                           "B65-gpus-thousands", "B65-nonsense-memory"}) {
    SCOPED_TRACE(name);
    play(name);
    ASSERT_TRUE(eventually([&] { return gpus_of("n1") == 8 && gpus_of("n2") == 8; }));
    enter("fault");
    EXPECT_TRUE(eventually([&] { return gpus_of("n1") == 0; }));
    EXPECT_FALSE(node("n1") && node("n1")->withheld.empty()) << "the reason is reported";
    EXPECT_EQ(gpus_of("n2"), 8U);
    again();
  }
}

TEST_F(Shown, B65AReplyOfAGigabyteIsRefusedInBoundedMemory) {
  for (const char* name : {"B65-endless-list", "B65-unannounced-list", "B65-endless-event"}) {
    SCOPED_TRACE(name);
    play(name);
    run();
    reset_peak();
    const auto before = peak_mib();
    enter("endless");
    EXPECT_LT(server_->wait_for_filled(), std::uint64_t{256} << 20);
    EXPECT_LT(peak_mib() - before, 512);
    EXPECT_TRUE(nothing_concluded());
    see("back");
    pass(minutes(1));
    EXPECT_TRUE(nothing_concluded());
    end();
    EXPECT_EQ(the_end().exit_code, 0);
    again();
  }
}

TEST_F(Shown, B65WhatIsOfAnOlderEpochIsNotOurs) {
  play("B65-old-epoch");
  run();
  see("old");
  pass(minutes(1));
  EXPECT_TRUE(nothing_concluded());
  for (const auto& each : asked(kDelete)) EXPECT_TRUE(matches("*/ym-00000001-1-6-0", each.question)) << each.question;
  const auto old = PlayedAgent(executor->task_link(), {JobId{1}, 1, 6}).waits();
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().code, ErrorCode::not_found) << "it is to end";
  EXPECT_TRUE(agent().runs());
}

// Whether a text was logged while it lives.
class Logged final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit Logged(std::string text) : text_(std::move(text)) {}
  bool yet() const { return yet_; }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (std::string_view(message.payload.data(), message.payload.size()).find(text_) != std::string_view::npos)
      yet_ = true;
  }
  void flush_() override {}
  const std::string text_;
  std::atomic<bool> yet_ = false;
};

// The other server has taken these attempts over, and acts on them.
TEST_F(Shown, B65AServerThatWasReplacedCreatesAndDeletesNothing) {
  const auto before = spdlog::default_logger();
  const auto taken_over = std::make_shared<Logged>("another server leads");
  // It is never freed: the executor may be about to use it when another takes its place.
  static const auto logger = std::make_shared<spdlog::logger>("test", taken_over);
  spdlog::set_default_logger(logger);
  play("B65-newer-epoch");
  run();
  see("taken-over");
  EXPECT_TRUE(eventually([&] { return taken_over->yet(); })) << "what is asked for before that is done";
  executor->launch(one_task({JobId{3}, 1, 7}));
  Flavor flavor{.name = "burst", .cluster = "lab", .labels = {}, .elastic = ElasticCapacity{.max_nodes = 3}};
  flavor.wanted.nodes = 3;
  executor->provision(flavor);
  executor->stop(kToken, {.cause = StopCause::cancel});
  executor->release(kToken);
  for (int i = 0; i < 3; ++i) pass(minutes(1));
  EXPECT_EQ(times(kCreate), 1U);
  EXPECT_EQ(times(kDelete), 0U);
  see("given-back");
  pass(Duration{0});
  pass(minutes(5));
  EXPECT_TRUE(eventually([&] { return times(kCreate) >= 3 && times(kDelete) >= 1; }))
      << times(kCreate) << " " << times(kDelete);
  for (const auto& each : asked(kDelete)) EXPECT_TRUE(matches("*/ym-00000001-1-7-0", each.question)) << each.question;
  spdlog::set_default_logger(before);
}

class Garbage : public RecordedKubernetes, public testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(F6, Garbage,
                         testing::Values("F6-empty-body", "F6-half-json", "F6-html", "F6-length-too-long",
                                         "F6-length-too-short", "F6-no-version", "F6-status-object", "F6-half-pages"),
                         [](const auto& info) {
                           auto text = info.param;
                           std::ranges::replace(text, '-', '_');
                           return text;
                         });

TEST_P(Garbage, WhatIsNoListSaysNothing) {
  play(GetParam());
  run();
  enter("garbage");
  EXPECT_TRUE(eventually([&] { return times(kList) >= 3; }));
  EXPECT_TRUE(eventually([&] { return clock.forward(seconds(1)), seen.available() == false; }))
      << "nothing is reported";
  EXPECT_TRUE(nothing_concluded());
  see("back");
  EXPECT_TRUE(eventually([&] { return clock.forward(seconds(1)), seen.available() == true; }));
  EXPECT_TRUE(nothing_concluded());
  end();
  EXPECT_EQ(the_end().exit_code, 0);
}

TEST_F(Shown, F6HalfAnEventIsHeardAgain) {
  play("F6-half-event");
  run();
  see("cut");
  pass(minutes(1));
  EXPECT_TRUE(nothing_concluded());
  end();
  EXPECT_EQ(the_end().exit_code, 0);
  EXPECT_EQ(times(kList), 1U);
}

TEST_F(Shown, F6NonsenseEndsInAList) {
  play("F6-nonsense-events");
  run();
  see("nonsense");
  EXPECT_TRUE(eventually([&] { return times(kList) == 2; }));
  pass(minutes(1));
  EXPECT_TRUE(nothing_concluded());
  end();
  EXPECT_EQ(the_end().exit_code, 0);
}

}  // namespace
}  // namespace ym::recorded
