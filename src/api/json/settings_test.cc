// The table of settings documents defaults in words. They must be the engine's values.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "api/json/render.h"
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
}

}  // namespace
}  // namespace ym::api
