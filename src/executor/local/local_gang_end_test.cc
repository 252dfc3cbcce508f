// The ends of a gang, in the order in which they happened.
#include <csignal>
#include <fstream>

#include "executor/local/testing/host.h"

namespace ym::local {
namespace {

using testing::count;
using testing::describe;
using testing::Session;
using testing::wait_until;

const StopRequest kPreempted{.cause = StopCause::preemption, .signal = "SIGTERM", .grace = seconds(60)};

std::vector<std::int32_t> order(const Session::Seen& seen) {
  std::vector<std::int32_t> tasks;
  for (const auto& observation : seen)
    if (const auto* ended = std::get_if<TaskHasEnded>(&observation.what)) tasks.push_back(ended->task);
  return tasks;
}

// Rank 0 saves and ends. Rank 1 waits for data of its peer, as in a collective, and dies of the peer's end.
constexpr const char* kPeers = R"(import os, signal, socket, sys, time
rank = os.environ["YM_NODE_RANK"]
if rank == "0":
    def leave(number, frame):
        with open("saved", "w"):
            os._exit(75)
    signal.signal(signal.SIGTERM, leave)
    listener = socket.create_server(("127.0.0.1", 0))
    with open("port.new", "w") as file:
        file.write(str(listener.getsockname()[1]))
    os.rename("port.new", "port")
    peer, _ = listener.accept()
    while True:
        time.sleep(1)
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a handler of Python is gone before Python is
while not os.path.exists("port"):
    time.sleep(0.02)
peer = socket.create_connection(("127.0.0.1", int(open("port").read())))
open("ready", "w").close()
if not peer.recv(1):
    raise ConnectionError("the peer is gone")
)";

TEST(LocalGangEnd, ATaskThatDiesOfItsPeersEndEndsAfterIt) {
  if (!has_python()) GTEST_SKIP() << "no python3 here";
  TestHost host;
  std::ofstream(host.scratch() / "train.py") << kPeers;
  Session session{host};
  JobSpec spec{.name = "peers", .run = {Program::Form::argv, {"python3", "train.py"}}, .workdir = host.scratch()};
  spec.nodes = 2;
  session.launch(kToken, spec);
  wait_until("ready", [&] { return std::filesystem::exists(host.scratch() / "ready"); });
  session.executor().stop(kToken, kPreempted);
  const auto exits = session.wait_ended(kToken, 2);
  EXPECT_EQ(exits[0].exit_code, 75) << exits[0].message;
  EXPECT_EQ(exits[1].exit_code, 1) << exits[1].message;
  for (const auto& exit : exits) EXPECT_EQ(exit.by, EndedBy::preempted) << exit.message;
  EXPECT_EQ(order(session.seen(kToken)), (std::vector<std::int32_t>{0, 1})) << describe(session.seen(kToken));
}

// Each rank ends when its file appears, and writes a line when it ignores signals.
constexpr const char* kWaits =
    "trap '' TERM; : > deaf.$YM_NODE_RANK; while [ ! -e go.$YM_NODE_RANK ]; do sleep 0.02; done; exit 75";

class LocalGangOrder : public ::testing::Test {
 protected:
  void wait_deaf() {
    for (const auto* name : {"deaf.0", "deaf.1"})
      wait_until(name, [&] { return std::filesystem::exists(host_.scratch() / name); });
  }
  void let_end(int rank) {
    std::ofstream(host_.scratch() / ("go." + std::to_string(rank))).close();
    wait_until("its record", [&] { return std::filesystem::exists(host_.folder(kToken, rank) / kExitFile); });
  }
  TestHost host_;
};

TEST_F(LocalGangOrder, OfAStopIsToldWhenAllHaveEnded) {
  Session session{host_};
  session.launch(kToken, kWaits, 2);
  wait_deaf();
  session.executor().stop(kToken, kPreempted);
  let_end(1);
  const Token next{JobId{2}, 1, 7};
  session.launch(next, "true");
  session.wait_end(next);
  EXPECT_EQ(count<TaskHasEnded>(session.seen(kToken)), 0U) << describe(session.seen(kToken));
  let_end(0);
  session.wait_ended(kToken, 2);
  EXPECT_EQ(order(session.seen(kToken)), (std::vector<std::int32_t>{1, 0}));
}

TEST_F(LocalGangOrder, IsThatOfTheEndsForAServerThatFindsThem) {
  {
    Session session{host_};
    session.launch(kToken, kWaits, 2);
    session.wait_running(kToken, 2);
  }
  let_end(1);
  let_end(0);
  Session session{host_, {kToken}};
  session.wait_ended(kToken, 2);
  EXPECT_EQ(order(session.seen(kToken)), (std::vector<std::int32_t>{1, 0}));
}

TEST_F(LocalGangOrder, WithoutAStopEachEndIsToldAtOnce) {
  Session session{host_};
  session.launch(kToken, kWaits, 2);
  session.wait_running(kToken, 2);
  let_end(1);
  session.wait(kToken, "the first end", [](const auto& seen) { return count<TaskHasEnded>(seen) == 1; });
  EXPECT_EQ(order(session.seen(kToken)), std::vector<std::int32_t>{1});
}

}  // namespace
}  // namespace ym::local
