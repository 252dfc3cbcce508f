#include "model/queue.h"

#include <gtest/gtest.h>

namespace ym {
namespace {

TEST(ServersOwnQueue, IsStillThatHeldAndClosed) {
  Queue queue = servers_own_queue();
  EXPECT_TRUE(is_servers_own(queue));
  queue.stop = StopPolicy::hold;
  queue.accepts_jobs = false;
  queue.shrunk_at = Instant{7};
  EXPECT_TRUE(is_servers_own(queue));
}

TEST(ServersOwnQueue, IsNoneThatAUserMade) {
  Queue applied = servers_own_queue(), with_quota = servers_own_queue(), other = servers_own_queue();
  applied.applied = true;
  EXPECT_FALSE(is_servers_own(applied));
  with_quota.quota.emplace();
  EXPECT_FALSE(is_servers_own(with_quota)) << "of a state from before it was marked";
  other.name = "a";
  EXPECT_FALSE(is_servers_own(other));
  EXPECT_FALSE(is_servers_own(Queue{.name = std::string(kDefaultQueue), .managed_by = ManagedBy::file}));
}

}  // namespace
}  // namespace ym
