// Where a server keeps its state: in a database, and how it gets there.
#include <boost/json/object.hpp>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;

class Migrate : public ::testing::Test {
 protected:
  Migrate() {
    fake_.session.program.migrate = [this](const MigrateOptions& options) -> Result<boost::json::object> {
      asked_.push_back(options);
      if (refusal_) return std::unexpected(*refusal_);
      return boost::json::object{{"from", options.state}, {"to", "there"}, {"rows", {{"jobs", 3}}}};
    };
  }

  FakeSession fake_;
  std::vector<MigrateOptions> asked_;
  std::optional<Error> refusal_;
};

TEST_F(Migrate, SaysWhatHasMoved) {
  EXPECT_EQ(fake_.run({"migrate", "--state", "/s", "--to", "postgresql://ym@db/ym", "--schema", "lab"}), 0);
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].state, "/s");
  EXPECT_EQ(asked_[0].to, "postgresql://ym@db/ym");
  EXPECT_EQ(asked_[0].schema, "lab");
  expect_sentence(fake_.out.str());
}

TEST_F(Migrate, GivesItAsJson) {
  EXPECT_EQ(fake_.run({"migrate", "--state", "/s", "--to", "postgresql://ym@db/ym", "-o", "json"}), 0);
  EXPECT_EQ(asked_.at(0).schema, "yardmaster");
  EXPECT_THAT(fake_.out.str(), HasSubstr("\"jobs\": 3"));
}

TEST_F(Migrate, SaysWhyItDidNot) {
  refusal_ = Error{ErrorCode::conflict, "there is a state already"};
  EXPECT_EQ(fake_.run({"migrate", "--state", "/s", "--to", "postgresql://ym@db/ym"}), 2);
  expect_sentence(fake_.err.str());
  EXPECT_EQ(fake_.run({"migrate", "--state", "/s"}), 2) << "where to?";
  EXPECT_EQ(asked_.size(), 1U);
}

TEST(ServeOnADatabase, PassesItsAddressOn) {
  FakeSession fake;
  EXPECT_EQ(fake.run({"serve", "--state", "/s"}), 0);
  EXPECT_EQ(fake.run({"serve", "--state", "/s", "--store", "postgresql://ym@db/ym", "--store-schema", "lab"}), 0);
  EXPECT_EQ(fake.served.at(0).store, "");
  EXPECT_EQ(fake.served.at(1).store, "postgresql://ym@db/ym");
  EXPECT_EQ(fake.served.at(1).store_schema, "lab");
}

}  // namespace
}  // namespace ym::cli
