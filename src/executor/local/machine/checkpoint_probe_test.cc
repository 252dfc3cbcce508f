#include "executor/local/machine/checkpoint_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <latch>

namespace ym::local {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Checkpoint at(std::string uri, std::int64_t step = 0) { return {.uri = std::move(uri), .step = step}; }

Resume find(CheckpointSearch search) {
  EventLoop loop;
  std::promise<Resume> found;
  loop.post([&] { find_checkpoint(loop, std::move(search), [&](Resume r) { found.set_value(std::move(r)); }); });
  loop.start();
  auto resume = found.get_future().get();
  loop.stop();
  return resume;
}

TEST(LocalPath, PathsAndFileAddressesAreHere) {
  EXPECT_EQ(local_path("/a/b", "/w"), "/a/b");
  EXPECT_EQ(local_path("ck/1.pt", "/w"), "/w/ck/1.pt");
  EXPECT_EQ(local_path("file:/a/b", "/w"), "/a/b");
  EXPECT_EQ(local_path("file:///a%20b%2", "/w"), "/a b%2");
  EXPECT_EQ(local_path("file://localhost/a", "/w"), "/a");
  EXPECT_EQ(local_path("a/b:c", "/w"), "/w/a/b:c");
}

TEST(LocalPath, OthersAreNot) {
  for (const char* uri : {"s3://bucket/x", "gs://b/x", "file://host/a", "hf:org/model", "https://x/y"})
    EXPECT_EQ(local_path(uri, "/w"), std::nullopt) << uri;
}

TEST(CheckpointProbe, TheNewestThatIsThereIsTaken) {
  const auto resume = find({.candidates = {at("/c"), at("/b"), at("/a")},
                            .workdir = "/",
                            .timeout = minutes(1),
                            .is_none = [](const std::string& path) { return path != "/b"; }});
  EXPECT_EQ(resume.from, at("/b"));
  EXPECT_THAT(resume.gone, ElementsAre(at("/c")));
}

TEST(CheckpointProbe, WhatIsElsewhereIsPassedOnUnseen) {
  const auto gone = [](const std::string&) { return true; };
  const CheckpointSearch search{
      .candidates = {at("/c"), at("s3://b/x"), at("/a")}, .workdir = "/", .timeout = minutes(1), .is_none = gone};
  EXPECT_EQ(find(search).from, at("s3://b/x"));
}

TEST(CheckpointProbe, OfNoneThereIsNone) {
  EXPECT_EQ(find({}).from, std::nullopt);
  const auto resume = find({.candidates = {at("/no/such")}, .workdir = "/", .timeout = minutes(1)});
  EXPECT_EQ(resume.from, std::nullopt);
  EXPECT_THAT(resume.gone, ElementsAre(at("/no/such")));
}

TEST(CheckpointProbe, AFileSystemThatHangsIsNotWaitedForAndWhatIsOnItIsNotGone) {
  const auto answered = std::make_shared<std::latch>(1);
  const auto hangs_at_b = [answered](const std::string& path) {
    if (path == "/b") answered->wait();
    return true;
  };
  const auto resume = find(
      {.candidates = {at("/c"), at("/b"), at("/a")}, .workdir = "/", .timeout = seconds(3), .is_none = hangs_at_b});
  EXPECT_EQ(resume.from, at("/b"));
  EXPECT_THAT(resume.gone, ElementsAre(at("/c")));
  answered->count_down();
}

TEST(CheckpointProbe, OnlyFilesAndFoldersCountAndLinksThatStayInTheirFolder) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "checkpoint_probe";
  fs::remove_all(folder);
  fs::create_directories(folder / "job" / "step-1");
  std::ofstream(folder / "job" / "step-2.pt") << "weights";
  std::ofstream(folder / "other") << "of another user";
  ASSERT_EQ(::mkfifo((folder / "job" / "pipe").c_str(), 0600), 0);
  fs::create_symlink("step-1", folder / "job" / "latest");
  fs::create_symlink("../other", folder / "job" / "out");
  fs::create_symlink("pipe", folder / "job" / "to-pipe");
  fs::create_symlink("nothing", folder / "job" / "dangling");
  fs::create_directory_symlink(folder / "job", folder / "scratch");
  for (const auto* path : {"job/step-1", "job/step-2.pt", "job/latest", "scratch/step-1", "scratch/latest"})
    EXPECT_FALSE(is_no_checkpoint(folder / path)) << path;
  for (const auto* path : {"job/none", "job/pipe", "job/out", "job/to-pipe", "job/dangling", "other/below"})
    EXPECT_TRUE(is_no_checkpoint(folder / path)) << path;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ym::local
