// What this folder's tests share: a PostgreSQL of their own.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "store/postgres/postgres_store.h"
#include "store/rows/testing/test_support.h"

namespace ym::postgres {

// A database server on a Unix socket in a folder that vanishes. Not run as root: PostgreSQL
// refuses that, so it is started as `nobody` then.
class TestServer {
 public:
  TestServer();
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  // Returns when it answers. It lives no longer than the thread that calls this.
  void start();
  void kill();  // SIGKILL, to all of its processes; returns when they are gone

  // Where its socket is.
  const std::filesystem::path& folder() const { return folder_; }
  // Of a database that nobody has used yet.
  PostgresOptions fresh_place();

 private:
  std::string conninfo(std::string_view database, std::string_view role) const;

  std::filesystem::path folder_;
  pid_t process_ = -1;
  int places_ = 0;
};

// One for all tests of this program, started by the first that needs it.
TestServer& shared_server();

using rows::grow;
using rows::must;
using rows::next_commit;

// Whether what is loaded and all events are what the history says.
void expect_whole(Store& store, const testing::RandomHistory& history);

}  // namespace ym::postgres
