#include "executor/local/devices/device_book.h"

#include <gtest/gtest.h>

#include "executor/local/attempt/record.h"
#include "model/resources.h"

namespace ym::local {
namespace {

DeviceBook some_gpus() {
  return {{"0", {.gpu = {"0", "GPU-a", "NVIDIA H200"}, .before = {.memory_bytes = kGiB, .processes = {7, 8}}}},
          {"1", {.gpu = {"1", "GPU-b", "NVIDIA H200"}, .in_use = true, .unclean = true}},
          {"m0", {.gpu = {"m0", "MIG-c", "NVIDIA H200 MIG 1g.18gb", 18 * kGiB, "1g.18gb", "2"}}}};
}

TEST(DeviceBook, IsReadAsItWasWritten) {
  const auto read = decode_devices(encode(some_gpus()));
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->size(), 3U);
  const auto& first = read->at("0");
  EXPECT_EQ(first.gpu.uuid, "GPU-a");
  EXPECT_EQ(first.gpu.name, "NVIDIA H200");
  EXPECT_EQ(first.before.memory_bytes, kGiB);
  EXPECT_EQ(first.before.processes, (std::set<std::int64_t>{7, 8}));
  EXPECT_FALSE(first.in_use || first.unclean);
  EXPECT_TRUE(read->at("1").in_use && read->at("1").unclean);
  EXPECT_EQ(read->at("1").gpu.profile, "");
  const auto& slice = read->at("m0").gpu;
  EXPECT_EQ(std::tuple(slice.memory_bytes, slice.profile, slice.part_of), std::tuple(18 * kGiB, "1g.18gb", "2"));
}

TEST(DeviceBook, OnlyWhichGpusThereAreOutlivesARestartOfTheMachine) {
  auto record = Record::decode(encode(some_gpus()), "devices").value();
  Record older{"devices"};
  for (const char* key : {"index", "uuid", "name", "state"})
    for (const auto& value : record.all(key)) older.add(key, value);
  older.add("boot", "of another time");
  const auto read = decode_devices(older.encode());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->at("1").gpu.uuid, "GPU-b");
  EXPECT_FALSE(read->at("1").in_use || read->at("1").unclean);
  EXPECT_TRUE(read->at("0").before.processes.empty());
}

TEST(DeviceBook, WhatIsDamagedIsRefused) {
  EXPECT_FALSE(decode_devices("yardmaster devices 3\n"));
  Record incomplete{"devices"};
  incomplete.add("index", "0");
  EXPECT_FALSE(decode_devices(incomplete.encode()));
}

TEST(DeviceBook, CleanIsWhereNothingWasAdded) {
  const GpuUse before{.memory_bytes = 4 * kGiB, .processes = {7, 8}};
  EXPECT_TRUE(is_clean(before, before));
  EXPECT_TRUE(is_clean({.memory_bytes = 0, .processes = {}}, before)) << "another process has ended";
  EXPECT_TRUE(is_clean({.memory_bytes = 4 * kGiB + (kGiB >> 1), .processes = {8}}, before)) << "a display needs it";
  EXPECT_FALSE(is_clean({.memory_bytes = 0, .processes = {9}}, before)) << "a process is left";
  EXPECT_FALSE(is_clean({.memory_bytes = 40 * kGiB, .processes = {7, 8}}, before)) << "memory is left";
}

}  // namespace
}  // namespace ym::local
