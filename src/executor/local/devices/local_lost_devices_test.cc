// Devices of lost launches.
#include "executor/local/testing/lost.h"

namespace ym::local {
namespace {

namespace fs = std::filesystem;

using testing::Session;
using testing::wait_until;

class LocalLostDevices : public LostTest {
 protected:
  void wait_given_back(Session& session) {
    session.wait(kNoToken, "given back", [](const auto& seen) {
      return !seen.empty() && std::get<DevicesAreUnhealthy>(seen.back().what).devices.empty();
    });
    EXPECT_EQ(unhealthy(session), "");
  }
};

TEST_F(LocalLostDevices, TheirDevicesAreGivenToNoJobAsLongAsTheyLive) {
  run();
  Session session{host_};
  ASSERT_EQ(session.seen(kNoToken).size(), 1U) << "said before anything can be launched";
  EXPECT_EQ(last_said(session).node, "n0");
  EXPECT_EQ(ids_of(last_said(session)), (std::set<std::string>{"1", "2"}));
  EXPECT_EQ(last_said(session).message.substr(0, 15), "held by attempt");
  EXPECT_EQ(unhealthy(session), "n0:1 n0:2 ");
  session.wait(kNoToken, "said again", [](const auto& seen) { return seen.size() > 3; });
  EXPECT_EQ(unhealthy(session), "n0:1 n0:2 ");
  EXPECT_TRUE(session.seen(token_).empty()) << "it is left alone";
  let_go();
  wait_given_back(session);
  wait_until("marked", [&] { return is_released(); });
}

TEST_F(LocalLostDevices, AreNamedByTheirLaunch) {
  run();
  Session session{host_};
  EXPECT_TRUE(last_said(session).message.contains("attempt 1 of job " + to_string(token_.job)));
}

TEST_F(LocalLostDevices, AreHeldAgainAfterAnyRestart) {
  run(1, "(echo ran >> ledger; while [ ! -e go ]; do sleep 0.02; done) & wait");
  for (int round = 0; round < 2; ++round) {
    Session session{host_};
    EXPECT_EQ(unhealthy(session), "n0:1 n0:2 ");
  }
  // It has no supervisor and its leader has ended, but some of its processes live.
  host_.kill_watcher(token_, 0);
  Session session{host_};
  EXPECT_EQ(unhealthy(session), "n0:1 n0:2 ");
  let_go();
  wait_given_back(session);
}

TEST_F(LocalLostDevices, OfAGangAreHeldUntilItsLastTaskHasEnded) {
  run(2, "[ $YM_NODE_RANK = 0 ] && exit 0; while [ ! -e go ]; do sleep 0.02; done");
  wait_until("one has ended", [&] { return fs::exists(host_.folder(token_, 0) / kExitFile); });
  Session session{host_};
  EXPECT_EQ(unhealthy(session), "n0:1 n0:2 n1:1 n1:2 ");
  let_go();
  wait_until("given back", [&] { return unhealthy(session).empty(); });
}

TEST_F(LocalLostDevices, OfAnotherLaunchOfALiveAttemptAreHeldToo) {
  run();
  const Token second{token_.job, token_.attempt, token_.epoch + 1};
  known_.insert(second);
  Session session{host_, {second}};
  EXPECT_EQ(unhealthy(session), "n0:1 n0:2 ");
  let_go();
  wait_given_back(session);
}

// By the devices that user code got.
TEST_F(LocalLostDevices, WithoutTheirPlaceAreThoseThatUserCodeHas) {
  for (auto& node : host_.options.nodes)
    for (auto& device : node.devices) device.physical = node.name + "-gpu" + device.id;
  {
    Session session{host_};
    JobSpec spec{.name = "x", .run = {Program::Form::shell, {kWaits}}, .workdir = host_.scratch()};
    auto request = session.request(token_, std::move(spec));
    request.placement.front() = {0, "n3", {"0", "2"}};
    request.nodes = {host_.options.nodes[3]};
    session.launch(std::move(request));
    session.wait_running(token_);
  }
  {
    const auto folder = open_folder(AT_FDCWD, host_.folder(token_));
    auto launch = read_launch(folder->get()).value();
    launch.placement.clear();
    ASSERT_TRUE(replace_file(folder->get(), kLaunchFile, encode(launch)));
    Session session{host_};
    EXPECT_EQ(unhealthy(session), "n3:0 n3:2 ");
  }
  const auto supervisor = host_.claim(token_)->supervisor;
  fs::remove_all(host_.folder(token_));
  Session session{host_};
  EXPECT_EQ(unhealthy(session), "n3:0 n3:2 ");
  let_go();
  wait_given_back(session);
  wait_until("gone", [&] { return !alive(supervisor); });
}

TEST_F(LocalLostDevices, AreHeldByTheNamesThatTheirNodesHaveNow) {
  for (auto& node : host_.options.nodes)
    for (auto& device : node.devices) device.physical = node.name + "-gpu" + device.id;
  {
    Session session{host_};
    launch(session, kWaits);
    session.wait_running(token_);
  }
  host_.options.nodes[0].name = "renamed";
  Session session{host_};
  EXPECT_EQ(unhealthy(session), "renamed:1 renamed:2 ");
  let_go();
  wait_until("given back", [&] { return unhealthy(session).empty(); });
}

// It has the mark of a release, or an end was stored that did not happen.
TEST_F(LocalLostDevices, TheirFoldersStayAsLongAsTheyLive) {
  run();
  ASSERT_TRUE(replace_file(open_folder(AT_FDCWD, host_.folder(token_))->get(), kReleasedFile, "1"));
  host_.options.retention = {.age = {}, .bytes = 0, .every = Duration{20}};
  Session session{host_};
  session.wait(kNoToken, "looked at", [](const auto& seen) { return seen.size() > 3; });
  EXPECT_TRUE(fs::exists(host_.folder(token_) / kLaunchFile));
  let_go();
  wait_until("removed", [&] { return !fs::exists(host_.folder(token_)); });
}

}  // namespace
}  // namespace ym::local
