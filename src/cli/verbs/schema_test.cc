#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

TEST(Schema, OfTheJobFileIsPrintedWithoutAServer) {
  FakeSession fake;
  EXPECT_EQ(fake.run({"schema", "job"}), 0);
  EXPECT_TRUE(fake.server.requests.empty());
  const auto schema = boost::json::parse(fake.out.str());
  EXPECT_EQ(schema.at("$schema").as_string(), "https://json-schema.org/draft/2020-12/schema");
  const auto& properties = schema.at("properties").as_object();
  EXPECT_TRUE(properties.contains("run") && properties.contains("checkpoint"));
  EXPECT_FALSE(properties.at("run").at("description").as_string().empty());
}

TEST(Schema, OfNothingElseIsOffered) {
  FakeSession fake;
  EXPECT_EQ(fake.run({"schema", "pod"}), 2);
}

}  // namespace
}  // namespace ym::cli
