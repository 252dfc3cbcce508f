#include "executor/kubernetes/pods/kept_logs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <utility>

namespace ym::kubernetes {
namespace {

namespace fs = std::filesystem;

// Streams pieces, and then an error if there is one.
class Streams final : public net::HttpClient {
 public:
  explicit Streams(std::vector<std::string> pieces, int status = 200) : pieces_(std::move(pieces)), status_(status) {}
  Result<net::Reply> send(const net::Request&, const net::Cancel&) override {
    return fail(ErrorCode::unavailable, "not here");
  }
  Result<net::Reply> stream(const net::Request&, const std::function<bool(std::string_view)>& take,
                            const net::Cancel&) override {
    for (const auto& piece : pieces_) {
      if (piece.empty()) return fail(ErrorCode::unavailable, "the connection was lost");
      if (!take(piece)) break;
    }
    return net::Reply{.status = status_, .headers = {}, .body = {}};
  }

 private:
  std::vector<std::string> pieces_;
  int status_;
};

class KeptLogsTest : public ::testing::Test {
 protected:
  KeptLogsTest() { fs::remove_all(folder); }
  ~KeptLogsTest() override { fs::remove_all(folder); }

  Result<void> save(std::vector<std::string> pieces, int status = 200) {
    ApiClient client(std::make_unique<Streams>(std::move(pieces), status));
    return logs.save(client, "/api/v1/namespaces/x/pods/p", {JobId{1}, 1}, 0);
  }
  std::string read() const {
    const auto chunk = logs.read({.attempt = {JobId{1}, 1}, .task = 0});
    return chunk ? chunk->data : "none";
  }
  // A saved log of an attempt, written at that time.
  fs::path kept(std::uint64_t job, std::int32_t number, std::int64_t at_seconds, std::size_t bytes = 10) {
    const auto attempt = folder / to_string(JobId{job}) / std::to_string(number);
    fs::create_directories(attempt);
    std::ofstream(attempt / "0.log") << std::string(bytes, 'x');
    const timespec time{.tv_sec = at_seconds, .tv_nsec = 0};
    const timespec times[2]{time, time};
    ::utimensat(AT_FDCWD, (attempt / "0.log").c_str(), times, 0);
    return attempt;
  }

  fs::path folder = fs::path(::testing::TempDir()) / ("kept-logs-" + std::to_string(::getpid()));
  KeptLogs logs{folder, 1 << 20};
};

TEST_F(KeptLogsTest, TheLastLookIsKept) {
  EXPECT_EQ(read(), "none");
  ASSERT_TRUE(save({"one\n"}));
  ASSERT_TRUE(save({"one\n", "two\n"}));
  EXPECT_EQ(read(), "one\ntwo\n");
}

TEST_F(KeptLogsTest, ALookThatFailsChangesNothing) {
  EXPECT_FALSE(save({"half", ""}));
  EXPECT_EQ(read(), "none");
  ASSERT_TRUE(save({"all\n"}));
  EXPECT_FALSE(save({"half", ""}));
  EXPECT_FALSE(save({}, 404)) << "its container is gone";
  EXPECT_EQ(read(), "all\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / to_string(JobId{1}) / "1"), {}), 1) << "nothing half is left";
}

// With status 200, in place of the log.
TEST_F(KeptLogsTest, WhatAKubeletSaysOfALogThatItHasLostIsNoLog) {
  ASSERT_TRUE(save({"all\n"}));
  EXPECT_EQ(save({"unable to retrieve ", "container logs for containerd://b2ad"}).error().code, ErrorCode::not_found);
  EXPECT_FALSE(save({"Unable to retrieve container logs for docker://b2ad"}));
  EXPECT_FALSE(save({R"(failed to try resolving symlinks in path "/a/0.log": lstat /a: no such file or directory)"}));
  EXPECT_FALSE(save({R"(failed to open log file "/a/0.log": open /a/0.log: no such file or directory)"}));
  EXPECT_EQ(read(), "all\n");
  ASSERT_TRUE(save({R"(failed to open log file "s3://b/x")"})) << "a program may say that, and no more";
  for (const std::string whole : {"unable", "unable to retrieve container logs for a day\n", "Un"}) {
    ASSERT_TRUE(save({whole.substr(0, 1), whole.substr(1), "more"})) << "a task may write what it likes";
    EXPECT_EQ(read(), whole + "more");
  }
}

// Whatever umask this process has inherited.
TEST_F(KeptLogsTest, AreForTheServersUserAlone) {
  const auto before = ::umask(0);
  const auto attempt = folder / to_string(JobId{1}) / "1";
  fs::create_directories(folder.parent_path());
  ASSERT_TRUE(save({"one\n"}));
  std::ofstream(attempt / "0.log.part") << "of a server that was killed";
  ASSERT_TRUE(save({"two\n"}));
  ::umask(before);
  EXPECT_EQ(read(), "two\n");
  for (const auto& path : {folder, attempt.parent_path(), attempt})
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all) << path;
  EXPECT_EQ(fs::status(attempt / "0.log").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(KeptLogsTest, WithoutAFolderNothingIsKept) {
  KeptLogs none{{}, 1 << 20};
  ApiClient client(std::make_unique<Streams>(std::vector<std::string>{"x"}));
  EXPECT_TRUE(none.save(client, "p", {JobId{1}, 1}, 0));
  EXPECT_EQ(none.read({.attempt = {JobId{1}, 1}}).error().code, ErrorCode::not_found);
  EXPECT_EQ(none.sweep({}, {}, {}), 0U);
}

TEST_F(KeptLogsTest, GoWhenTheyAreOldUnlessTheirAttemptLives) {
  const auto old = kept(1, 1, 1000), young = kept(1, 2, 5000), live = kept(2, 1, 1000);
  fs::create_directories(folder / "not-ours" / "1");
  EXPECT_EQ(logs.sweep({.age = seconds(3000)}, {{JobId{2}, 1}}, {6'000'000}), 1U);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(live));
  EXPECT_EQ(logs.sweep({.age = seconds(3000)}, {{JobId{2}, 1}}, {9'000'000}), 1U);
  EXPECT_FALSE(fs::exists(young.parent_path())) << "the job's folder goes with its last attempt";
  EXPECT_TRUE(fs::exists(folder / "not-ours" / "1"));
}

TEST_F(KeptLogsTest, GoOldestFirstWhenThereIsTooMuch) {
  const auto first = kept(1, 1, 1000, 20'000), second = kept(2, 1, 2000, 20'000), third = kept(3, 1, 3000, 20'000);
  EXPECT_EQ(logs.sweep({.age = hours(1), .bytes = 50'000}, {}, {3'000'000}), 1U);
  EXPECT_FALSE(fs::exists(first));
  EXPECT_TRUE(fs::exists(second));
  EXPECT_TRUE(fs::exists(third));
}

}  // namespace
}  // namespace ym::kubernetes
