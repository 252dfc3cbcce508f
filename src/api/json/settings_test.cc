// The defaults of settings stand in their table. Answers and documents show them, and they must be the engine's values.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "api/json/render.h"
#include "control/site/policy.h"
#include "model/keys/policy.h"
#include "spec/keys/describe.h"

namespace ym::api {
namespace {

std::string plain(std::string text) {
  std::erase(text, '`');
  std::erase(text, '"');
  return text;
}

TEST(Settings, AreDocumentedWithTheDefaultsOfTheEngine) {
  JsonWriter json;
  write_policy(json, PolicyView{});
  const auto shown = boost::json::parse(std::move(json).take());
  std::size_t settings = 0;
  for (const auto& section : keys::rows_of_keys<PolicySettings>())
    for (const auto& key : section.keys) {
      ++settings;
      EXPECT_EQ(plain(key.by_default), plain(boost::json::serialize(shown.at(section.name).at(key.name)))) << key.name;
    }
  EXPECT_EQ(settings, shown.at("said_by").as_object().size());
  EXPECT_TRUE(policy_of(keys::default_settings()) == engine::Policy());
}

Duration another(Duration value) { return value + seconds(1); }
std::int32_t another(std::int32_t value) { return value + 1; }
template <NamedEnum E>
E another(E value) {
  return value == E{} ? E{1} : E{};
}

TEST(Settings, EachOfThemHasAnEffect) {
  keys::for_each_setting([](std::string_view, const auto& setting) {
    PolicySettings one;
    one.*setting.member = another(setting.by_default);
    EXPECT_FALSE(policy_of(one) == engine::Policy() && user_limits_of(one) == user_limits_of({})) << setting.name;
  });
}

}  // namespace
}  // namespace ym::api
