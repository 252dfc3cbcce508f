// Helpers of this folder's tests: PostgreSQL servers.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "store/postgres/postgres_store.h"
#include "store/rows/testing/test_support.h"

namespace ym::postgres {

// A database server on a Unix socket in a temporary folder. PostgreSQL refuses to run as root, so it runs as
// `unprivileged` then.
class TestServer {
 public:
  TestServer();
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  // Returns when the server answers. The server ends with the thread that calls this.
  void start();
  void kill();  // SIGKILL to all of its processes; returns when they are gone

  // The folder with its socket.
  const std::filesystem::path& folder() const { return folder_; }
  // A new database.
  PostgresOptions fresh_place();

 private:
  std::string conninfo(std::string_view database, std::string_view role) const;

  std::filesystem::path folder_;
  pid_t process_ = -1;
  int places_ = 0;
};

// One server for all tests of this program. The first test that needs it starts it.
TestServer& shared_server();

using rows::grow;
using rows::must;
using rows::next_commit;

// Expects that the loaded state and all events are those of the history.
void expect_whole(Store& store, const testing::RandomHistory& history);

}  // namespace ym::postgres
