#include "api/json/writer.h"

#include <boost/json/parse.hpp>

namespace ym::api {
namespace {

std::string written(std::string_view text) {
  JsonWriter json;
  json.value(text);
  return std::move(json).take();
}

TEST(JsonWriter, PutsCommasBetweenMembersAndElements) {
  JsonWriter json;
  json.begin_object().field("a", 1).key("b").begin_array().value(true).value(nullptr).begin_object().end_object();
  json.value("x").end_array().field("c", std::optional<int>()).key("d").thousandths(2500).end_object();
  EXPECT_EQ(std::move(json).take(), R"({"a":1,"b":[true,null,{},"x"],"c":null,"d":2.5})");
}

TEST(JsonWriter, WritesNumbersExactly) {
  JsonWriter json;
  json.begin_array().value(std::numeric_limits<std::int64_t>::min()).value(std::numeric_limits<std::uint64_t>::max());
  json.end_array();
  EXPECT_EQ(std::move(json).take(), "[-9223372036854775808,18446744073709551615]");
}

TEST(JsonWriter, WritesWhatIsNoNumberAsNull) {
  JsonWriter json;
  json.begin_array().value(0.1).value(-0.0).value(5.0).value(1e300).value(5e-324);
  json.value(std::numeric_limits<double>::quiet_NaN()).value(std::numeric_limits<double>::infinity());
  json.value(-std::numeric_limits<double>::infinity()).value(std::optional<double>(2.5)).end_array();
  const std::string text = std::move(json).take();
  EXPECT_EQ(text, "[0.1,-0,5,1e+300,5e-324,null,null,null,2.5]");
  boost::system::error_code error;
  EXPECT_EQ(boost::json::parse(text, error).at(4).as_double(), 5e-324);
}

TEST(JsonWriter, EscapesWhatJsonCannotHold) {
  EXPECT_EQ(written("a\"b\\c\n\t\x01\x7f"), R"("a\"b\\c\n\t\u0001\u007f")");
  EXPECT_EQ(written("caf\xC3\xA9 \xF0\x9F\x9A\x82"), "\"caf\xC3\xA9 \xF0\x9F\x9A\x82\"");
}

TEST(JsonWriter, ReplacesBytesThatAreNotUtf8) {
  for (const auto* bad :
       {"\xFF", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\x80", "\xE2\x82", "\xF0\x8F\xBF\xBF"}) {
    const std::string json = written(fmt::format("a{}z", bad));
    boost::system::error_code error;
    const auto value = boost::json::parse(json, error);
    ASSERT_FALSE(error) << json;
    EXPECT_THAT(std::string(value.get_string()), ::testing::StartsWith("a\xEF\xBF\xBD"));
    EXPECT_THAT(std::string(value.get_string()), ::testing::EndsWith("z"));
  }
}

}  // namespace
}  // namespace ym::api
