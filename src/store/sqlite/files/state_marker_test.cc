#include "store/sqlite/files/state_marker.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;
using Kind = Marking::Kind;

constexpr std::string_view kHere = "11111111111111111111111111111111";
constexpr std::string_view kThere = "22222222222222222222222222222222";

class StateMarker : public ::testing::Test {
 protected:
  StateMarker() {
    fs::create_directories(dir_.state());
    must(write_marking(dir_.state(), kHere));
  }
  // Copies as cp does.
  fs::path copied() const {
    const auto to = dir_.path() / "copy";
    fs::copy(dir_.state(), to);
    return to;
  }
  fs::path marker() const { return dir_.state() / kMarker; }

  TempDir dir_;
};

TEST_F(StateMarker, OfAnOriginalIsRight) {
  EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::right);
  EXPECT_TRUE(read_file(marker()).starts_with("This folder holds the state of a Yardmaster server.\n"));
  must(write_marking(dir_.state(), kHere));
  EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::right);
  EXPECT_EQ(read_marking(dir_.path(), kHere).kind, Kind::none);
}

TEST_F(StateMarker, OfACopyNamesTheOriginal) {
  const auto marking = read_marking(copied(), kHere);
  EXPECT_EQ(marking.kind, Kind::copy);
  EXPECT_EQ(marking.origin.directory, dir_.state());
  EXPECT_EQ(marking.origin.machine, kHere);
}

TEST_F(StateMarker, OfOneThatWasPutBackIsACopys) {
  const auto copy = copied();
  fs::remove_all(dir_.state());
  fs::copy(copy, dir_.state());
  EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::copy);
}

TEST_F(StateMarker, OfAnotherMachineIsACopysWhereBothAreKnown) {
  const auto marking = read_marking(dir_.state(), kThere);
  EXPECT_EQ(marking.kind, Kind::copy);
  EXPECT_EQ(marking.origin.machine, kHere);
  EXPECT_EQ(read_marking(dir_.state(), "").kind, Kind::right);
  must(write_marking(dir_.state(), ""));
  EXPECT_EQ(read_marking(dir_.state(), kThere).kind, Kind::right);
}

TEST_F(StateMarker, OfOneThatWasRenamedIsToBeRenewed) {
  const auto moved = dir_.path() / "moved away";
  fs::rename(dir_.state(), moved);
  EXPECT_EQ(read_marking(moved, kHere).kind, Kind::to_renew);
  fs::create_directories(dir_.state());
  EXPECT_EQ(read_marking(moved, kHere).kind, Kind::to_renew) << "a folder without a state";
  must(write_marking(dir_.state(), kHere));
  EXPECT_EQ(read_marking(moved, kHere).kind, Kind::copy) << "a state at both places";
}

// A bind mount: one folder with two names.
TEST_F(StateMarker, ByAnotherNameIsTheSame) {
  fs::create_directory_symlink(dir_.state(), dir_.path() / "link");
  EXPECT_EQ(read_marking(dir_.path() / "link", kHere).kind, Kind::to_renew);
}

TEST_F(StateMarker, OfAnOlderVersionIsToBeRenewed) {
  write_old_marker(dir_.state());
  EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::to_renew);
}

TEST_F(StateMarker, ThatCannotBeReadIsACopys) {
  const auto whole = read_file(marker());
  for (std::size_t keep = 0; keep < whole.size(); ++keep) {
    if (keep == whole.find('\n') + 1) continue;  // the marker of an older version
    write_file(marker(), whole.substr(0, keep));
    EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::copy) << keep;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto flipped = whole;
    flipped[at] ^= 0x04;
    write_file(marker(), flipped);
    EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::copy) << at;
  }
  write_file(marker(), whole);
  EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::right);
}

// Reading never waits for such a file, and never fills the memory.
TEST_F(StateMarker, WhateverLiesInItsPlaceIsACopys) {
  const auto good = dir_.path() / "good";
  fs::rename(marker(), good);
  const auto expect_copys = [this](const char* what) {
    EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::copy) << what;
    fs::remove(marker());
  };
  ASSERT_EQ(::mkfifo(marker().c_str(), 0600), 0);
  expect_copys("a pipe");
  fs::create_directory(marker());
  expect_copys("a folder");
  fs::create_symlink("/dev/zero", marker());
  expect_copys("a link to what has no end");
  fs::create_symlink(good, marker());
  expect_copys("a link");
  fs::copy_file(good, marker());
  fs::resize_file(marker(), std::uintmax_t{1} << 40);
  expect_copys("too long");
}

TEST_F(StateMarker, IsWrittenThroughNoLink) {
  const auto target = dir_.path() / "target";
  write_file(target, "precious");
  fs::create_symlink(target, marker().concat(".new"));
  must(write_marking(dir_.state(), kHere));
  EXPECT_EQ(read_file(target), "precious");
  EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::right);
  ASSERT_EQ(::mkfifo(marker().concat(".new").c_str(), 0600), 0);
  must(write_marking(dir_.state(), kHere));
  EXPECT_EQ(read_marking(dir_.state(), kHere).kind, Kind::right);
}

TEST_F(StateMarker, NamesAnyFolder) {
  for (const auto* name : {"with space", "100%", "two\nlines", "sum 12", "%0a", "ünï"}) {
    const auto folder = dir_.path() / name;
    fs::create_directories(folder);
    must(write_marking(folder, kHere));
    EXPECT_EQ(read_marking(folder, kHere).kind, Kind::right) << name;
  }
}

TEST_F(StateMarker, AMachineWithoutAnIdIsNotKnown) {
  const auto file = dir_.path() / "machine-id";
  EXPECT_EQ(machine_id(file), "");
  for (const auto* text : {"", "\n", "uninitialized\n", "1234\n"}) {
    write_file(file, text);
    EXPECT_EQ(machine_id(file), "") << text;
  }
  write_file(file, std::string(kHere) + "\n");
  EXPECT_EQ(machine_id(file), kHere);
}

}  // namespace
}  // namespace ym::sqlite
