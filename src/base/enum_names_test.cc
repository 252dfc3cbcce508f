#include "base/enum_names.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace ym {
namespace {

enum class Light : std::uint8_t { red, green };
constexpr std::string_view to_string(Light value) {
  switch (value) {
    case Light::red: return "red";
    case Light::green: return "go-on";
  }
  return {};
}

TEST(EnumNames, AreCountedFromTheSwitchAlone) {
  static_assert(count_of_values<Light>() == 2);
  static_assert(names_of_values<Light>()[1] == "go-on");
}

TEST(EnumNames, AreReadAsTheyAreWritten) {
  EXPECT_EQ(parse_enum<Light>("red"), Light::red);
  EXPECT_EQ(parse_enum<Light>("go-on"), Light::green);
  EXPECT_EQ(parse_enum<Light>("green"), std::nullopt);
  EXPECT_EQ(parse_enum<Light>(""), std::nullopt);
}

}  // namespace
}  // namespace ym
