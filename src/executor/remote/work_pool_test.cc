#include "executor/remote/work_pool.h"

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <string>

namespace ym::remote {
namespace {

// One thread, which waits for go_on() before it does anything else.
class WorkPoolTest : public ::testing::Test {
 protected:
  WorkPoolTest() {
    pool_.submit([this] { may_go_on_.get_future().wait(); });
  }
  std::function<void()> note(char letter) {
    return [this, letter] { done_ += letter; };
  }
  // What was done, in order, once the last of it is over.
  std::string done() {
    std::promise<void> over;
    pool_.submit([&] { over.set_value(); });
    may_go_on_.set_value();
    over.get_future().wait();
    return done_;
  }

  std::promise<void> may_go_on_;
  std::string done_;
  WorkPool pool_{1};
};

TEST_F(WorkPoolTest, WorkBeginsInTheOrderInWhichItIsDue) {
  pool_.submit(note('a'));
  pool_.submit(note('b'));
  pool_.submit(note('z'), hours(1));
  pool_.submit_first(note('1'));
  pool_.submit_first(note('2'));
  EXPECT_EQ(done(), "12ab");
}

TEST_F(WorkPoolTest, AStopDropsWhatHasNotBegun) {
  pool_.submit(note('a'), hours(1));
  may_go_on_.set_value();
  pool_.stop();
  pool_.submit(note('b'));
  EXPECT_EQ(done_, "");
}

}  // namespace
}  // namespace ym::remote
