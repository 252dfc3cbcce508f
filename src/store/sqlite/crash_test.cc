// SIGKILL at random moments: acknowledged commits are there, and no commit is there in part.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

constexpr std::uint64_t kSeed = 99;

// The history that the writer and the check share: the same calls give the same events.
void next_batch(testing::RandomHistory& history, testing::RandomHistory::Batch& batch) {
  batch = history.next(1 + history.events().size() % 23);
}

testing::RandomHistory history_up_to(std::uint64_t seq) {
  testing::RandomHistory history(kSeed);
  testing::RandomHistory::Batch batch;
  while (history.events().size() < seq) next_batch(history, batch);
  return history;
}

// Commits until it is killed, and writes the number of each acknowledged event.
[[noreturn]] void write_forever(const TempDir& dir, int acknowledgements) {
  auto options = dir.options();
  options.checkpoint_pages = 40;
  const auto store = open_sqlite_store(dir.state(), options);
  if (!store) ::_exit(3);
  const auto loaded = (*store)->load();
  if (!loaded) ::_exit(4);
  auto history = history_up_to(loaded->tables.last_seq);
  testing::RandomHistory::Batch batch;
  while (true) {
    next_batch(history, batch);
    if (!(*store)->commit(make_commit(history.tables(), batch.touched, batch.events))) ::_exit(5);
    const std::uint64_t seq = history.tables().last_seq;
    if (::write(acknowledgements, &seq, sizeof seq) != sizeof seq) ::_exit(6);
  }
}

// Starts a writer and kills it `moment` after `acks` acknowledgements. Returns the last acknowledged number.
std::uint64_t run_and_kill(const TempDir& dir, std::uint64_t acks, useconds_t moment) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t writer = ::fork();
  if (writer == 0) {
    ::close(ends[0]);
    write_forever(dir, ends[1]);
  }
  ::close(ends[1]);
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < acks && ::read(ends[0], &last, sizeof last) == sizeof last; ++i) continue;
  ::usleep(moment);
  ::kill(writer, SIGKILL);
  int status = 0;
  ::waitpid(writer, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer gave up with exit code " << WEXITSTATUS(status);
  while (::read(ends[0], &last, sizeof last) == sizeof last) continue;
  ::close(ends[0]);
  return last;
}

// The life of one server: it is killed and started again on the same state.
void kill_and_restart(std::uint64_t seed) {
  const TempDir dir;
  Random random(seed);
  std::uint64_t acknowledged = 0;
  for (int round = 0; round < 25; ++round) {
    SCOPED_TRACE(fmt::format("seed {} round {}", seed, round));
    const auto moment = static_cast<useconds_t>(random.below(3000));
    acknowledged = std::max(acknowledged, run_and_kill(dir, random.below(30), moment));
    const auto store = must_open(dir);
    const auto everything = read_everything(*store);
    ASSERT_TRUE(everything) << everything.error().message;
    const auto seq = everything->loaded.tables.last_seq;
    ASSERT_GE(seq, acknowledged);
    const auto history = history_up_to(seq);
    ASSERT_EQ(history.events().size(), seq) << "half a commit is there";
    ASSERT_TRUE(is_whole(*everything, history));
  }
  EXPECT_GT(acknowledged, 0U);
}

TEST(Crash, AcknowledgedCommitsSurviveKills) {
  for (int seed = 1; seed <= campaign(1) && !::testing::Test::HasFatalFailure(); ++seed)
    kill_and_restart(static_cast<std::uint64_t>(seed));
}

}  // namespace
}  // namespace ym::sqlite
