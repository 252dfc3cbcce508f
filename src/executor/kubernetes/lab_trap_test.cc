// Answers of a real API server that are easily misread.
#include <fmt/format.h>

#include <atomic>
#include <boost/json/serialize.hpp>
#include <future>
#include <thread>

#include "executor/kubernetes/api/connection.h"
#include "executor/kubernetes/api/kubeconfig.h"
#include "executor/kubernetes/executor_impl.h"
#include "executor/kubernetes/testing/lab_fixture.h"

namespace ym::kubernetes {
namespace {

using testing::eventually;

class Traps : public testing::LabTest {
 protected:
  std::unique_ptr<net::HttpClient> http() {
    const auto access = read_kubeconfig(lab->kubeconfig(), "");
    auto made = connect(*access, clock, 4);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  std::string config_maps() const { return "/api/v1/namespaces/" + name_space + "/configmaps"; }
  json::value config_map(int number, std::size_t bytes) const {
    return json::object{{"apiVersion", "v1"},
                        {"kind", "ConfigMap"},
                        {"metadata", json::object{{"name", fmt::format("c{}", number)}}},
                        {"data", json::object{{"x", std::string(bytes, 'x')}}}};
  }
};

TEST_F(Traps, AWatchFromBeforeARestartIsAnsweredBy200AndThenAnError410) {
  ApiClient client(http());
  const auto list = client.get(config_maps());
  ASSERT_TRUE(list);
  const auto version = text_at(*list, "/metadata/resourceVersion");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(client.create(config_maps(), config_map(i, 1)));
  lab->run("apiserver-kill");
  ASSERT_EQ(lab->start_api_server(), "");
  std::string events;
  const auto done = client.stream(
      config_maps() + "?watch=1&resourceVersion=" + version,
      [&](std::string_view piece) {
        events += piece;
        return events.find('\n') == std::string::npos;
      },
      seconds(30));
  ASSERT_TRUE(done) << done.error().message;
  const auto event = parse_json(events.substr(0, events.find('\n')));
  ASSERT_TRUE(event) << events;
  EXPECT_EQ(text_at(*event, "/type"), "ERROR");
  EXPECT_EQ(number_at(*event, "/object/code"), 410);
  EXPECT_EQ(read_status(200, boost::json::serialize(*find(*event, "/object"))).kind, ApiError::Kind::gone);
}

// A client that does not keep up is disconnected: it resumes from its version, without another list.
TEST_F(Traps, AWatchThatEndsInTheMiddleIsResumed) {
  ApiClient client(http()), maker(http());
  constexpr int kMany = 300;
  std::promise<void> go_on;
  const auto barrier = go_on.get_future().share();
  std::atomic<int> changes = 0;
  WatchSink sink;
  sink.listed = [](const json::value&) {};
  sink.end_list = [] {};
  sink.deleted = [](const json::value&) {};
  sink.changed = [&](const json::value& object) {
    barrier.wait();
    if (text_at(object, "/metadata/name").starts_with('c')) ++changes;
  };
  ApiWatchSource source(client, config_maps(), {});
  std::thread watcher([&] { Watch(source, std::move(sink), 1).run(); });
  EXPECT_TRUE(eventually([&] { return client.requests().contains("watch configmaps"); }));
  for (int i = 0; i < kMany; ++i) EXPECT_TRUE(maker.create(config_maps(), config_map(i, 100'000)));
  go_on.set_value();
  EXPECT_TRUE(eventually([&] { return changes == kMany; })) << changes;
  const auto requests = client.requests();
  client.close();
  watcher.join();
  EXPECT_EQ(requests.at("list configmaps"), 1U);
  EXPECT_GE(requests.at("watch configmaps"), 2U) << "it was never cut off";
}

// Forwards requests, and loses the replies to creations.
class LosesReplies final : public net::HttpClient {
 public:
  LosesReplies(std::unique_ptr<net::HttpClient> inner, int most) : inner_(std::move(inner)), left_(most) {}
  Result<net::Reply> send(const net::Request& request, const net::Cancel& cancel) override {
    auto reply = inner_->send(request, cancel);
    if (request.method != "POST" || left_-- <= 0) return reply;
    if (left_ % 2 == 0) return fail(ErrorCode::unavailable, "the connection was lost");
    return net::Reply{.status = 504, .headers = {}, .body = R"({"kind":"Status","reason":"Timeout","code":504})"};
  }
  Result<net::Reply> stream(const net::Request& request, const std::function<bool(std::string_view)>& take,
                            const net::Cancel& cancel) override {
    return inner_->stream(request, take, cancel);
  }

 private:
  std::unique_ptr<net::HttpClient> inner_;
  std::atomic<int> left_;
};

TEST_F(Traps, ACreationThatTimedOutAndWasDoneIsAdopted) {
  auto with = options();
  with.pod.name_space = name_space;
  executor = std::make_unique<ExecutorImpl>(with, std::make_unique<LosesReplies>(http(), 3), clock);
  ASSERT_TRUE(executor->start(seen.sink(), {}));
  const auto launch = request({"n1", "n2"});
  executor->launch(launch);
  ASSERT_TRUE(eventually([&] { return phase_of(launch.token, 0) + phase_of(launch.token, 1) == "RunningRunning"; }));
  claim_and_open(launch);
  EXPECT_EQ(seen.of<LaunchAccepted>(launch.token).size(), 1U);
  EXPECT_TRUE(seen.of<LaunchRefused>(launch.token).empty());
  EXPECT_EQ(lab->kubectl("get pods --no-headers -n " + name_space + " | wc -l"), "2");
}

class Throttled : public Traps {
 protected:
  // The account has all rights, but only one creation may run at a time: the server refuses others meanwhile.
  void throttle() {
    const auto group = "/apis/flowcontrol.apiserver.k8s.io/v1/";
    const auto level = parse_json(fmt::format(
        R"({{"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"PriorityLevelConfiguration",
            "metadata":{{"name":"{}"}},"spec":{{"type":"Limited","limited":{{"nominalConcurrencyShares":0,
            "lendablePercent":0,"borrowingLimitPercent":0,"limitResponse":{{"type":"Reject"}}}}}}}})",
        name_space));
    const auto flow = parse_json(fmt::format(
        R"({{"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"FlowSchema","metadata":{{"name":"{0}"}},
            "spec":{{"matchingPrecedence":2,"priorityLevelConfiguration":{{"name":"{0}"}},"rules":[{{
            "subjects":[{{"kind":"ServiceAccount","serviceAccount":{{"name":"default","namespace":"{0}"}}}}],
            "resourceRules":[{{"verbs":["create"],"apiGroups":[""],"resources":["pods"],"namespaces":["*"]}}]}}]}}}})",
        name_space));
    ApiClient client(http());
    ASSERT_TRUE(client.create(std::string(group) + "prioritylevelconfigurations", *level));
    ASSERT_TRUE(client.create(std::string(group) + "flowschemas", *flow));
    lab->kubectl(fmt::format("create clusterrolebinding {0} --clusterrole=cluster-admin --serviceaccount={0}:default",
                             name_space));
    const auto levels = "get --raw /debug/api_priority_and_fairness/dump_priority_levels";
    ASSERT_TRUE(eventually([&] { return lab->kubectl(levels).find(name_space + ",") != std::string::npos; }));
  }
};

// Priority and fairness answers 429 while it has no room, and says when to try again.
TEST_F(Throttled, WhatIsSentAwayIsAskedForAgain) {
  throttle();
  auto with = options();
  with.kubeconfig = kubeconfig_of("default");
  with.writers = 16;
  make(with);
  std::vector<LaunchRequest> launches;
  for (int i = 0; i < 30; ++i) executor->launch(launches.emplace_back(request({"n1"})));
  for (const auto& launch : launches) {
    EXPECT_TRUE(seen.wait_for<LaunchAccepted>(launch.token));
    EXPECT_TRUE(seen.of<LaunchRefused>(launch.token).empty());
  }
  EXPECT_GT(executor->requests()["create pods"], 30U) << "no request was refused";
  lab->kubectl("delete flowschema " + name_space);
  lab->kubectl(fmt::format("delete prioritylevelconfiguration/{0} clusterrolebinding/{0}", name_space));
}

}  // namespace
}  // namespace ym::kubernetes
