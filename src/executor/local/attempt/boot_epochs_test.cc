#include "executor/local/attempt/boot_epochs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

class BootEpochsTest : public ::testing::Test {
 protected:
  BootEpochsTest() {
    EXPECT_TRUE(first_.open(attempts_.fd.get()));
    EXPECT_TRUE(second_.open(attempts_.fd.get()));
  }

  std::filesystem::path file(std::uint64_t epoch) const {
    return attempts_.path / kBootEpochsFolder / std::to_string(epoch);
  }

  TestFolder attempts_;
  BootEpochs first_{"first"}, second_{"second"};
};

TEST_F(BootEpochsTest, AnEpochIsOfTheBootThatMarkedIt) {
  EXPECT_EQ(first_.launched(7).value(), Launched::never);
  ASSERT_TRUE(first_.mark(7));
  EXPECT_EQ(first_.launched(7).value(), Launched::this_boot);
  EXPECT_EQ(first_.launched(8).value(), Launched::never);
  EXPECT_EQ(second_.launched(7).value(), Launched::earlier_boot);
}

TEST_F(BootEpochsTest, AnotherServerOfTheSameBootSeesIt) {
  ASSERT_TRUE(first_.mark(7));
  BootEpochs again{"first"};
  ASSERT_TRUE(again.open(attempts_.fd.get()));
  EXPECT_EQ(again.launched(7).value(), Launched::this_boot);
  EXPECT_TRUE(again.mark(7));
}

TEST_F(BootEpochsTest, AnEpochOfAnEarlierBootIsNeverMarkedAgain) {
  ASSERT_TRUE(first_.mark(7));
  const auto marked = second_.mark(7);
  ASSERT_FALSE(marked);
  EXPECT_EQ(marked.error().code, ErrorCode::conflict);
  EXPECT_EQ(second_.launched(7).value(), Launched::earlier_boot);
  EXPECT_EQ(first_.launched(7).value(), Launched::this_boot);
}

TEST_F(BootEpochsTest, TheDiskIsAskedOncePerEpoch) {
  ASSERT_TRUE(first_.mark(7));
  std::filesystem::remove_all(attempts_.path / kBootEpochsFolder);
  EXPECT_TRUE(first_.mark(7));
  EXPECT_EQ(first_.launched(7).value(), Launched::this_boot);
}

TEST_F(BootEpochsTest, ADamagedMarkIsNoneOfTheThree) {
  ASSERT_TRUE(first_.mark(7));
  const auto whole = *read_file(AT_FDCWD, file(7).c_str(), 4096);
  auto flipped = whole;
  flipped[0] ^= 1;
  for (const auto& damaged : {std::string(), whole.substr(0, whole.size() - 1), flipped, std::string(5000, 'x')}) {
    std::ofstream(file(7)) << damaged;
    BootEpochs again{"first"};
    ASSERT_TRUE(again.open(attempts_.fd.get()));
    EXPECT_EQ(again.launched(7).value(), Launched::unclear) << damaged.substr(0, 100);
    EXPECT_FALSE(again.mark(7));
  }
}

// A job may have created it.
TEST_F(BootEpochsTest, ALinkInPlaceOfAMarkIsADamagedOne) {
  std::filesystem::create_symlink("nowhere", file(7));
  EXPECT_EQ(first_.launched(7).value(), Launched::unclear);
  EXPECT_FALSE(first_.mark(7));
}

TEST_F(BootEpochsTest, WhatCannotBeWrittenIsNotMarked) {
  std::filesystem::remove_all(attempts_.path / kBootEpochsFolder);
  EXPECT_FALSE(first_.mark(7));
  EXPECT_EQ(first_.launched(7).value(), Launched::never);
}

TEST_F(BootEpochsTest, ManyThreadsMarkOneEpoch) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this] {
      for (std::uint64_t epoch = 1; epoch <= 20; ++epoch) {
        EXPECT_TRUE(first_.mark(epoch));
        EXPECT_EQ(first_.launched(epoch).value(), Launched::this_boot);
      }
    });
}

}  // namespace
}  // namespace ym::local
