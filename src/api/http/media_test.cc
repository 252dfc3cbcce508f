#include "api/http/media.h"

#include <gtest/gtest.h>

namespace ym::api {
namespace {

TEST(Media, KnowsATypeWhateverItsCaseAndParameters) {
  EXPECT_TRUE(is_media_type("application/json", "application/json"));
  EXPECT_TRUE(is_media_type("Application/JSON; charset=UTF-8", "application/json"));
  EXPECT_TRUE(is_media_type("application/json;charset=\"utf-8\"", "application/json"));
  EXPECT_FALSE(is_media_type("application/json; charset=latin-1", "application/json"));
  EXPECT_FALSE(is_media_type("application/jsonx", "application/json"));
  EXPECT_FALSE(is_media_type("text/plain", "application/json"));
  EXPECT_FALSE(is_media_type("", "application/json"));
}

TEST(Media, AcceptsWhatIsNotRuledOut) {
  EXPECT_TRUE(accepts("", "application/json"));
  EXPECT_TRUE(accepts("*/*", "application/json"));
  EXPECT_TRUE(accepts("application/*;q=0.3", "application/json"));
  EXPECT_TRUE(accepts("text/html, application/json;q=0.1", "application/json"));
  EXPECT_FALSE(accepts("text/html", "application/json"));
  EXPECT_FALSE(accepts("application/json;q=0", "application/json"));
  EXPECT_FALSE(accepts("app/*", "application/json"));
}

TEST(Media, AsksOnlyByName) {
  EXPECT_TRUE(asks_for("text/event-stream", "text/event-stream"));
  EXPECT_TRUE(asks_for("application/json;q=0.5, text/event-stream", "text/event-stream"));
  EXPECT_FALSE(asks_for("*/*", "text/event-stream"));
  EXPECT_FALSE(asks_for("text/event-stream;q=0.0", "text/event-stream"));
}

}  // namespace
}  // namespace ym::api
