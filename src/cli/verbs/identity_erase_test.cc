// Taking a user out of the state of a stopped server.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;

class IdentityErase : public ::testing::Test {
 protected:
  IdentityErase() {
    fake_.session.program.erase = [this](const EraseOptions& options) -> Result<boost::json::object> {
      asked_.push_back(options);
      if (refusal_) return std::unexpected(*refusal_);
      return boost::json::object{{"pseudonym", "erased-0000002a"},
                                 {"events", 7},
                                 {"jobs", 2},
                                 {"tokens", 1},
                                 {"segments", 0},
                                 {"seals", 3},
                                 {"logs", 0},
                                 {"copies", boost::json::array{"/s/yardmaster.db.schema-5.bak"}}};
    };
  }

  FakeSession fake_;
  std::vector<EraseOptions> asked_;
  std::optional<Error> refusal_;
};

TEST_F(IdentityErase, PassesWhatIsAskedFor) {
  EXPECT_EQ(fake_.run({"identity", "erase", "ann", "--state", "/s", "--reason", "asked", "--keep-jobs"}), 0);
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].name, "ann");
  EXPECT_EQ(asked_[0].state, "/s");
  EXPECT_EQ(asked_[0].history, "/s/history");
  EXPECT_EQ(asked_[0].store, "");
  EXPECT_EQ(asked_[0].reason, "asked");
  EXPECT_TRUE(asked_[0].keep_jobs);
  EXPECT_FALSE(asked_[0].delete_logs);
  EXPECT_THAT(fake_.out.str(), HasSubstr("erased-0000002a"));
  EXPECT_THAT(fake_.out.str(), HasSubstr("/s/yardmaster.db.schema-5.bak"));
}

TEST_F(IdentityErase, GivesItAsJson) {
  EXPECT_EQ(fake_.run({"identity", "erase", "ann", "--state", "/s", "--delete-logs", "-o", "json"}), 0);
  EXPECT_TRUE(asked_.at(0).delete_logs);
  EXPECT_THAT(fake_.out.str(), HasSubstr("\"seals\": 3"));
}

TEST_F(IdentityErase, SaysWhyItDidNot) {
  refusal_ = Error{ErrorCode::conflict, "ann has 1 unfinished jobs"};
  EXPECT_EQ(fake_.run({"identity", "erase", "ann", "--state", "/s"}), 2);
  EXPECT_THAT(fake_.err.str(), HasSubstr("unfinished"));
}

}  // namespace
}  // namespace ym::cli
