#include "login/device_codes.h"

#include <gtest/gtest.h>

#include <set>

namespace ym::login {
namespace {

constexpr Instant kStart{1'000'000};

class DeviceCodesTest : public ::testing::Test {
 protected:
  DeviceCodes::Codes begin(const std::string& address = "a") {
    return codes_.begin({.address = address, .host = ""}, kStart).value();
  }
  DevicePoll poll(const std::string& code, Instant now) { return std::get<DevicePoll>(codes_.poll(code, now)); }

  DeviceCodes codes_;
};

TEST_F(DeviceCodesTest, AProgramGetsItsGrantOnce) {
  const auto codes = begin();
  EXPECT_EQ(poll(codes.device_code, kStart), DevicePoll::pending);
  ASSERT_NE(codes_.find(codes.user_code, "b", kStart), nullptr);
  EXPECT_TRUE(codes_.decide(codes.user_code, DeviceGrant{"ada", "t"}, kStart));
  EXPECT_FALSE(codes_.decide(codes.user_code, std::nullopt, kStart)) << "it is decided";
  EXPECT_EQ(codes_.find(codes.user_code, "b", kStart), nullptr);
  EXPECT_EQ(std::get<DeviceGrant>(codes_.poll(codes.device_code, kStart)).principal, "ada");
  EXPECT_EQ(poll(codes.device_code, kStart + seconds(5)), DevicePoll::pending) << "its login is being made";
  codes_.end(codes.device_code, kStart);
  EXPECT_EQ(poll(codes.device_code, kStart), DevicePoll::expired);
}

TEST_F(DeviceCodesTest, AGrantWithoutALoginIsGivenAgain) {
  const auto codes = begin();
  ASSERT_TRUE(codes_.decide(codes.user_code, DeviceGrant{"ada", "t"}, kStart));
  ASSERT_TRUE(std::holds_alternative<DeviceGrant>(codes_.poll(codes.device_code, kStart)));
  codes_.give_back(codes.device_code, kStart);
  EXPECT_FALSE(codes_.decide(codes.user_code, std::nullopt, kStart)) << "it is decided";
  EXPECT_EQ(std::get<DeviceGrant>(codes_.poll(codes.device_code, kStart)).principal, "ada");
  EXPECT_EQ(poll(codes.device_code, kStart), DevicePoll::pending) << "one poll alone gets it";
  codes_.give_back(codes.device_code, kStart);
  EXPECT_EQ(poll(codes.device_code, kStart + kDeviceCodeLife), DevicePoll::expired);
}

TEST_F(DeviceCodesTest, ADenialIsToldOnce) {
  const auto codes = begin();
  EXPECT_TRUE(codes_.decide(codes.user_code, std::nullopt, kStart));
  EXPECT_EQ(poll(codes.device_code, kStart), DevicePoll::denied);
  EXPECT_EQ(poll(codes.device_code, kStart), DevicePoll::expired);
}

TEST_F(DeviceCodesTest, QuestionsTooOftenSlowDown) {
  const auto codes = begin();
  EXPECT_EQ(poll(codes.device_code, kStart), DevicePoll::pending);
  EXPECT_EQ(poll(codes.device_code, kStart + seconds(5)), DevicePoll::pending);
  EXPECT_EQ(poll(codes.device_code, kStart + seconds(6)), DevicePoll::slow_down);
  EXPECT_EQ(poll(codes.device_code, kStart + seconds(12)), DevicePoll::slow_down) << "now it is ten seconds";
  EXPECT_EQ(poll(codes.device_code, kStart + seconds(30)), DevicePoll::pending);
}

TEST_F(DeviceCodesTest, CodesExpire) {
  const auto codes = begin();
  EXPECT_EQ(codes_.find(codes.user_code, "b", kStart + kDeviceCodeLife), nullptr);
  EXPECT_EQ(poll(codes.device_code, kStart + kDeviceCodeLife), DevicePoll::expired);
  EXPECT_FALSE(codes_.decide(codes.user_code, DeviceGrant{}, kStart + kDeviceCodeLife));
}

TEST_F(DeviceCodesTest, AUserMayTypeFiveWrongOnes) {
  const auto codes = begin();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(codes_.find("BBBB-BBBB", "b", kStart), nullptr);
  EXPECT_EQ(codes_.find(codes.user_code, "b", kStart), nullptr);
  EXPECT_NE(codes_.find(codes.user_code, "c", kStart), nullptr);
}

TEST_F(DeviceCodesTest, ACodeIsReadAsPeopleTypeIt) {
  const auto code = begin().user_code;
  std::string typed;
  for (const char c : code) typed += c == '-' ? std::string(" ") : std::string(1, static_cast<char>(c + ('a' - 'A')));
  EXPECT_NE(codes_.find(typed, "b", kStart), nullptr) << typed;
  EXPECT_EQ(codes_.find(code.substr(0, 8), "b", kStart), nullptr);
}

TEST_F(DeviceCodesTest, ANetworkMayWaitForFifty) {
  std::set<std::string> codes;
  for (int i = 0; i < 50; ++i) codes.insert(begin().user_code);
  EXPECT_EQ(codes.size(), 50u);
  EXPECT_FALSE(codes_.begin({.address = "a", .host = ""}, kStart));
  EXPECT_TRUE(codes_.begin({.address = "b", .host = ""}, kStart));
  EXPECT_TRUE(codes_.begin({.address = "a", .host = ""}, kStart + kDeviceCodeLife));
}

TEST(Devices, AreShownWithoutWordsOfTheirOwn) {
  EXPECT_EQ(host_name_of("laptop-1.lab"), "laptop-1.lab");
  for (const auto* said : {"yours. Press Allow", "a\nb", "\xc3\xa9", "<b>"}) EXPECT_EQ(host_name_of(said), "") << said;
  EXPECT_EQ(network_of("10.1.2.3"), "10.1.2.3");
  EXPECT_EQ(network_of("2001:db8:1:2:3:4:5:6"), network_of("2001:db8:1:2:ffff::1"));
}

TEST(Expiring, KeepsNoMoreThanItMay) {
  Expiring<int> kept(seconds(10), 2);
  EXPECT_TRUE(kept.put("a", 1, kStart));
  EXPECT_TRUE(kept.put("b", 2, kStart + seconds(5)));
  EXPECT_FALSE(kept.put("c", 3, kStart + seconds(9)));
  EXPECT_TRUE(kept.put("c", 3, kStart + seconds(10))) << "the first has expired";
  EXPECT_EQ(kept.take("b", kStart + seconds(10)), 2);
  EXPECT_EQ(kept.take("b", kStart + seconds(10)), std::nullopt);
}

}  // namespace
}  // namespace ym::login
