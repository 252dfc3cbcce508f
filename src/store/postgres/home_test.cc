// States that were dumped and restored at another place.
#include "store/postgres/home.h"

#include <gmock/gmock.h>

#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

using ::testing::HasSubstr;

class Home : public ::testing::Test {
 protected:
  Home() {
    grow(*must(open_postgres_store(place_)), history_, 60);
    place_.initialise = false;
  }
  std::unique_ptr<Connection> shell() const {
    return must(Connection::open({.conninfo = place_.conninfo, .schema = place_.schema}));
  }
  // A dump that is restored at the original's place does the same: the table gets another number.
  void put_back() const {
    must(
        shell()->execute("ALTER TABLE secrets RENAME TO old; CREATE TABLE secrets(LIKE old INCLUDING ALL); INSERT INTO "
                         "secrets SELECT * FROM old; DROP TABLE old"));
  }
  void expect_copy() const {
    EXPECT_EQ(must(postgres_copy_of(place_)), shell()->place());
    const auto refused = open_postgres_store(place_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr("of " + shell()->place()));
    EXPECT_THAT(refused.error().message, HasSubstr("--take-over"));
  }
  std::unique_ptr<Store> take_over() const {
    auto options = place_;
    options.take_over = true;
    return must(open_postgres_store(options));
  }

  PostgresOptions place_ = shared_server().fresh_place();
  testing::RandomHistory history_{51};
};

TEST_F(Home, IsWhereItWasMade) {
  EXPECT_EQ(must(postgres_copy_of(place_)), std::nullopt);
  EXPECT_FALSE(must(open_postgres_store(place_))->is_set_back());
  EXPECT_EQ(must(postgres_copy_of(shared_server().fresh_place())), std::nullopt) << "there is no state";
}

TEST_F(Home, ADumpThatWasPutBackIsACopy) {
  put_back();
  expect_copy();
}

TEST_F(Home, AStateOfAnotherSystemIsACopy) {
  must(
      shell()->execute("UPDATE secrets SET value = convert_to('1' || convert_from(value, 'UTF8'), 'UTF8') WHERE name = "
                       "'home'"));
  expect_copy();
}

TEST_F(Home, ASystemThatWasNotKnownIsNone) {
  must(
      shell()->execute("UPDATE secrets SET value = convert_to(regexp_replace(convert_from(value, 'UTF8'), '^[0-9]+', "
                       "'-'), 'UTF8') WHERE name = 'home'"));
  EXPECT_EQ(must(postgres_copy_of(place_)), std::nullopt);
}

TEST_F(Home, AStateOfAnOlderVersionIsAtHomeFromNowOn) {
  must(shell()->execute("DELETE FROM secrets"));
  EXPECT_FALSE(must(open_postgres_store(place_))->is_set_back());
  put_back();
  expect_copy();
}

TEST_F(Home, ACopyIsTakenOver) {
  put_back();
  {
    const auto store = take_over();
    EXPECT_TRUE(store->is_set_back());
    expect_whole(*store, history_);
  }
  EXPECT_EQ(must(postgres_copy_of(place_)), std::nullopt);
  {
    const auto store = must(open_postgres_store(place_));
    EXPECT_TRUE(store->is_set_back()) << "the server before committed nothing";
    grow(*store, history_, 10);
    EXPECT_TRUE(store->is_set_back());
  }
  EXPECT_FALSE(must(open_postgres_store(place_))->is_set_back());
}

TEST_F(Home, IsSetBackInItsOwnPlaceOnRequest) { EXPECT_TRUE(take_over()->is_set_back()); }

}  // namespace
}  // namespace ym::postgres
