// Lost launches of which one has damaged its folder; and searches that fail.
#include <atomic>
#include <thread>

#include "executor/local/testing/descriptors.h"
#include "executor/local/testing/log.h"
#include "executor/local/testing/lost.h"

namespace ym::local {
namespace {

namespace fs = std::filesystem;

using testing::Session;
using testing::wait_until;

// Two running launches: one on n0, with a damaged folder, and after it by token one on n1. The environment of user code
// names the node of the first.
class LocalLostOdd : public LostTest {
 public:
  ~LocalLostOdd() override { put_back(); }

 protected:
  enum class StandIn : std::uint8_t { file, link, locked };

  LocalLostOdd() {
    for (auto& node : host_.options.nodes)
      for (auto& device : node.devices) device.physical = node.name + "-gpu" + device.id;
  }

  void run_both() {
    Session session{host_};
    launch(session, kWaits);
    JobSpec spec{.name = "x", .run = {Program::Form::shell, {kWaits}}, .workdir = host_.scratch()};
    auto request = session.request(other_, std::move(spec));
    request.placement.front() = {0, "n1", {"3"}};
    request.nodes = {host_.options.nodes[1]};
    session.launch(std::move(request));
    session.wait_running(token_);
    session.wait_running(other_);
  }
  // False: the test cannot do this here.
  bool damage(StandIn how) {
    const auto folder = host_.folder(token_);
    if (how == StandIn::locked && ::geteuid() == 0) return false;  // root can read everything
    if (how == StandIn::locked) return fs::permissions(folder, fs::perms::none), true;
    fs::rename(folder, aside());
    if (how == StandIn::file) std::ofstream(folder) << "x";
    else fs::create_symlink(aside(), folder);
    return true;
  }
  void put_back() {
    std::error_code ignored;
    fs::permissions(host_.folder(token_), fs::perms::owner_all, ignored);
    if (!fs::exists(aside())) return;
    fs::remove(host_.folder(token_), ignored);
    fs::rename(aside(), host_.folder(token_), ignored);
  }
  fs::path aside() const { return host_.scratch() / "aside"; }

  const Token other_{token_.job, 2, 7};
};

TEST_F(LocalLostOdd, AFolderThatCannotBeReadIsALaunchOfWhichNotAllIsKnown) {
  run_both();
  for (const auto how : {StandIn::file, StandIn::link, StandIn::locked}) {
    if (!damage(how)) continue;
    const auto found = lost();
    ASSERT_EQ(found.size(), 2U) << "the search goes on";
    EXPECT_EQ(found[0].token, token_);
    EXPECT_TRUE(found[0].lives && found[0].placement.empty() && !found[0].by_record);
    EXPECT_EQ(found[0].where, attempt_path(token_.key()) + ", which cannot be read");
    EXPECT_EQ(found[1].token, other_);
    EXPECT_TRUE(found[1].by_record);
    EXPECT_EQ(found[1].placement, (std::vector<TaskPlacement>{{0, "n1", {"3"}}}));
    put_back();
  }
}

TEST_F(LocalLostOdd, NothingNeedsToLiveForIt) {
  end_with("exit 3");
  ASSERT_TRUE(damage(StandIn::file));
  const Token without_epoch{token_.job, token_.attempt, 0};
  wait_until("nothing says its epoch", [&] { return lost().at(0).token == without_epoch; });
  EXPECT_TRUE(lost().at(0).lives) << "it cannot be told";
  EXPECT_TRUE(lost().at(0).placement.empty());
}

TEST_F(LocalLostOdd, DevicesOfAllAreHeldAsLongAsTheyLive) {
  run_both();
  for (const auto how : {StandIn::file, StandIn::link, StandIn::locked}) {
    if (!damage(how)) continue;
    Session session{host_};
    EXPECT_EQ(unhealthy(session), "n0:1 n0:2 n1:3 ");
    put_back();
  }
  damage(StandIn::file);
  Session session{host_};
  let_go();
  wait_until("given back, although its folder stays so", [&] { return unhealthy(session).empty(); });
}

// From the first question about lost launches on, this process cannot open any file.
class LocalLostUnseen : public LocalLostOdd {
 protected:
  void SetUp() override {
    run_both();
    host_.is_lost = [this](const Token&) {
      if (!asked_) none_.emplace();
      asked_ = true;
      return true;
    };
  }
  void TearDown() override { host_.is_lost = nullptr; }

  std::atomic<bool> asked_ = false;
  std::optional<testing::NoDescriptors> none_;
};

TEST_F(LocalLostUnseen, AServerThatCannotLookDoesNotStart) {
  const LoggedLines logged;
  {
    const auto executor = host_.make();
    const auto started = executor->start([](const Observation&) {}, {});
    none_.reset();
    ASSERT_FALSE(started) << "what they have would be given away";
    EXPECT_EQ(started.error().code, ErrorCode::io);
  }
  EXPECT_NE(logged.text().find("cannot be searched for"), std::string::npos) << logged.text();
}

TEST_F(LocalLostUnseen, ItWaitsUntilItCan) {
  std::thread mends{[this] {
    while (!asked_) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    none_.reset();
  }};
  Session session{host_};
  mends.join();
  EXPECT_EQ(unhealthy(session), "n0:1 n0:2 n1:3 ");
}

}  // namespace
}  // namespace ym::local
