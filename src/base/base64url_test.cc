#include "base/base64url.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace ym {
namespace {

TEST(Base64Url, HasTheTextsOfTheStandard) {
  EXPECT_EQ(to_base64url(""), "");
  EXPECT_EQ(to_base64url("f"), "Zg");
  EXPECT_EQ(to_base64url("fo"), "Zm8");
  EXPECT_EQ(to_base64url("foo"), "Zm9v");
  EXPECT_EQ(to_base64url("foob"), "Zm9vYg");
  EXPECT_EQ(to_base64url("\xfb\xff\xbf"), "-_-_");
}

TEST(Base64Url, ReadsWhatItWrites) {
  Random random(3);
  for (std::size_t size = 0; size < 200; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.below(256));
    EXPECT_EQ(from_base64url(to_base64url(bytes)), bytes);
  }
}

TEST(Base64Url, RefusesOtherFormsOfTheSameBytes) {
  for (const auto* text : {"Zg==", "Zh", "Z", "Zm9v\n", "Zm+v", "Zm/v", "Zm 9v", "Zm9vY"})
    EXPECT_FALSE(from_base64url(text)) << text;
}

}  // namespace
}  // namespace ym
