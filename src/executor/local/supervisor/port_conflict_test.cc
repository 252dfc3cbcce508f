#include "executor/local/supervisor/port_conflict.h"

#include <gtest/gtest.h>

namespace ym::local {
namespace {

TEST(PortConflict, IsReadOffTorchrunsWords) {
  EXPECT_TRUE(
      says_port_is_taken("...\n[W socket.cpp:426] [c10d] The server socket has failed to bind to [::]:20345 "
                         "(errno: 98 - Address already in use).\n...",
                         20345));
  EXPECT_TRUE(says_port_is_taken("DistNetworkError: port: 20345, code: -98, name: EADDRINUSE", 20345));
}

TEST(PortConflict, AnotherPortIsTheJobsOwnAffair) {
  EXPECT_FALSE(says_port_is_taken("bind to [::]:8080 (Address already in use)\nrendezvous at 127.0.0.1:20345", 20345));
  EXPECT_FALSE(says_port_is_taken("bind to [::]:120345 (Address already in use)", 20345));
  EXPECT_FALSE(says_port_is_taken("", 20345));
}

}  // namespace
}  // namespace ym::local
