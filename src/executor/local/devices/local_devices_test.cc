// What jobs leave on GPUs, shown by the stand-in for NVIDIA's library (testing/stand_in_nvml.cc).
#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

#include "executor/local/devices/nvml.h"
#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::count;
using testing::describe;
using ::testing::ElementsAre;
using testing::Session;

constexpr Token kOther{JobId{2}, 1, 8}, kNoToken{};

class LocalDevices : public ::testing::Test {
 public:
  LocalDevices() {
    host_.options.nodes.clear();
    host_.options.nvml = YM_STAND_IN_NVML;
    host_.options.device_pause = Duration{20};
    ::setenv("YM_STAND_IN_GPUS", gpus().c_str(), 1);
    show("0 4294967296 77\n");
  }
  ~LocalDevices() override { ::unsetenv("YM_STAND_IN_GPUS"); }

 protected:
  std::filesystem::path gpus() const { return host_.scratch() / "gpus"; }
  // What is on them from now on: lines of "INDEX MEMORY PID...".
  void show(const std::string& lines) {
    std::ofstream(gpus().string() + ".new") << lines;
    std::filesystem::rename(gpus().string() + ".new", gpus());
  }

  // A job on both devices, or on these, until the test lets it go.
  void launch(Session& session, const Token& token = kToken, const std::vector<std::string>& devices = {"0", "1"}) {
    const std::string run =
        "while [ ! -e go" + to_string(token.job) + " ]; do sleep 0.02; done; echo $CUDA_VISIBLE_DEVICES";
    auto request =
        session.request(token, JobSpec{.name = "x", .run = {Program::Form::shell, {run}}, .workdir = host_.scratch()});
    request.nodes = session.executor().inventory().value();
    request.placement.front() = {.task = 0, .node = request.nodes.front().name, .devices = devices};
    session.launch(std::move(request));
    session.wait_running(token);
  }
  void let_go(const Token& token = kToken) { std::ofstream(host_.scratch() / ("go" + to_string(token.job))).close(); }

  static std::vector<std::string> devices(Session& session) {
    const auto nodes = session.executor().inventory().value();
    std::vector<std::string> list;
    for (const auto& device : nodes.front().devices) list.push_back(device.id + (device.healthy ? "" : " unhealthy"));
    return list;
  }
  static std::set<std::string> last_said(const Session::Seen& seen) {
    return seen.empty() ? std::set<std::string>{"nothing"} : ids_of(std::get<DevicesAreUnhealthy>(seen.back().what));
  }

  TestHost host_;
};

TEST_F(LocalDevices, WhatWasThereBeforeIsNoneOfTheJobs) {
  Session session{host_};
  EXPECT_THAT(devices(session), ElementsAre("0", "1"));
  launch(session);
  show("0 85899345920 77 4242\n1 85899345920 4242\n");
  EXPECT_THAT(devices(session), ElementsAre("0", "1")) << "it may use them";
  show("0 4294967296 77\n");
  let_go();
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0);
  EXPECT_EQ(session.log(kToken), "0,1\n");
  EXPECT_TRUE(session.seen(kNoToken).empty()) << describe(session.seen(kNoToken));
}

TEST_F(LocalDevices, WhatAJobLeavesKeepsItsDeviceFromOthersUntilItIsGone) {
  {
    Session session{host_};
    launch(session);
    show("0 4294967296 77\n1 85899345920\n");
    let_go();
    session.wait_end(kToken);
    EXPECT_EQ(last_said(session.seen(kNoToken)), std::set<std::string>{"1"}) << "said before the end";
    EXPECT_THAT(devices(session), ElementsAre("0", "1 unhealthy"));
  }
  Session session{host_};
  EXPECT_THAT(devices(session), ElementsAre("0", "1 unhealthy")) << "the next server knows it";
  show("0 4294967296 77\n");
  session.wait(kNoToken, "clean", [](const auto& seen) { return last_said(seen).empty(); });
  EXPECT_THAT(devices(session), ElementsAre("0", "1"));
}

TEST_F(LocalDevices, AJobThatANewServerFindsIsJudgedByWhatWasThereBeforeIt) {
  {
    Session session{host_};
    launch(session);
  }
  show("0 4294967296 77 4242\n1 0\n");
  Session session{host_, {kToken}};
  EXPECT_THAT(devices(session), ElementsAre("0", "1"));
  let_go();
  session.wait_end(kToken);
  EXPECT_EQ(last_said(session.seen(kNoToken)), std::set<std::string>{"0"});
}

TEST_F(LocalDevices, AJobThatLeavesASharedDeviceIsNotBlamedForTheOthers) {
  {
    Session session{host_};
    launch(session, kToken, {"1"});
    launch(session, kOther, {"1"});
    show("0 4294967296 77\n1 85899345920 4242\n");
    let_go(kToken);
    session.wait_end(kToken);
    EXPECT_TRUE(session.seen(kNoToken).empty()) << describe(session.seen(kNoToken));
  }
  Session session{host_, {kOther}};
  let_go(kOther);
  session.wait_end(kOther);
  EXPECT_EQ(last_said(session.seen(kNoToken)), std::set<std::string>{"1"}) << "the last of them has gone";
}

TEST_F(LocalDevices, WhatIsLeftOnASliceIsSeenToo) {
  show("mig\n");
  Session session{host_};
  EXPECT_THAT(devices(session), ElementsAre("0", "MIG-00000005", "MIG-00000006"));
  launch(session, kToken, {"MIG-00000005"});
  show("mig\n5 9663676416 4242\n");
  let_go();
  session.wait_end(kToken);
  EXPECT_EQ(session.log(kToken), "MIG-00000005\n");
  EXPECT_EQ(last_said(session.seen(kNoToken)), std::set<std::string>{"MIG-00000005"});
}

// For a server with a state that was set back.
TEST_F(LocalDevices, WhatTheStateDoesNotKnowHasIsKeptBesideWhatIsLeftOnOthers) {
  {
    Session session{host_};
    launch(session, kToken, {"1"});
    show("0 4294967296 77\n1 85899345920\n");
    let_go(kToken);
    session.wait_end(kToken);
    launch(session, kOther, {"0"});
  }
  host_.options.retry_pause = Duration{50};
  host_.is_lost = [](const Token& token) { return token == kOther; };
  Session session{host_};
  EXPECT_EQ(last_said(session.seen(kNoToken)), (std::set<std::string>{"0", "1"}));
  EXPECT_THAT(devices(session), ElementsAre("0 unhealthy", "1 unhealthy"));
  show("0 85899345920 77 4242\n");
  session.wait(kNoToken, "the other is clean",
               [](const auto& seen) { return last_said(seen) == std::set<std::string>{"0"}; });
  let_go(kOther);
  session.wait(kNoToken, "it has left something", [](const auto& seen) {
    const auto& said = std::get<DevicesAreUnhealthy>(seen.back().what);
    return ids_of(said) == std::set<std::string>{"0"} && said.message.find("held by") == std::string::npos;
  });
  show("0 4294967296 77\n");
  session.wait(kNoToken, "clean", [](const auto& seen) { return last_said(seen).empty(); });
  EXPECT_THAT(devices(session), ElementsAre("0", "1"));
}

TEST_F(LocalDevices, WhatTheStateDoesNotKnowHasIsKeptAlsoWhereTheMachineHasAnotherNameNow) {
  {
    Session session{host_};
    launch(session, kToken, {"1"});
  }
  const auto folder = open_folder(AT_FDCWD, host_.folder(kToken));
  auto launched = read_launch(folder->get()).value();
  launched.placement.front().node = "its-old-name";
  ASSERT_TRUE(replace_file(folder->get(), kLaunchFile, encode(launched)));
  host_.is_lost = [](const Token& token) { return token == kToken; };
  Session session{host_};
  EXPECT_THAT(devices(session), ElementsAre("0", "1 unhealthy"));
}

TEST_F(LocalDevices, ADriverThatDoesNotAnswerTakesNoDeviceAway) {
  {
    Session session{host_};
    launch(session);
  }
  show("down\n");
  EXPECT_FALSE(find_gpus(YM_STAND_IN_NVML).has_value());
  Session session{host_, {kToken}};
  EXPECT_THAT(devices(session), ElementsAre("0", "1"));
  let_go();
  EXPECT_EQ(session.wait_end(kToken).exit_code, 0) << "and no end is kept back";
  EXPECT_TRUE(session.seen(kNoToken).empty());
}

}  // namespace
}  // namespace ym::local
