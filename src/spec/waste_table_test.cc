#include "spec/test_support.h"

namespace ym::spec {
namespace {

using testing::HasSubstr;

std::string wrong(std::string_view json) { return message(parse_waste_table(json)); }

TEST(WasteTableFile, IsRead) {
  const auto table = parse_waste_table(R"({"usual": {"cpus": 8, "memory": "32GiB"}, "shared": [[60, null, null, 250]],
      "whole": [[2, 3, 4, 100], [2, null, 4, 900]], "type_cost": {"v100": 300}})");
  ASSERT_TRUE(table) << message(table);
  EXPECT_EQ(table->of_shared(600, 5, 5), 250);
  EXPECT_EQ(table->of_whole(2, 3, 4), 100);
  EXPECT_EQ(table->of_whole(2, 0, 4), 900);
  EXPECT_EQ(table->type_cost_milli("v100"), 300);
  EXPECT_EQ(table->cpu_step(8 * kMilli, kMilli), 7U);
}

TEST(WasteTableFile, SaysWhatIsWrong) {
  EXPECT_THAT(wrong("{}"), HasSubstr("shared"));
  EXPECT_THAT(
      wrong(R"({"shared": [], "whole": [[1, 2, 3]]})"),
      HasSubstr("/whole/0: is not [idle, CPU step or null, memory step or null, waste in thousandths of a GPU]"));
  EXPECT_THAT(wrong(R"({"shared": [[100, 0, 0, 1]], "whole": []})"), HasSubstr("/shared/0/0"));
  EXPECT_THAT(wrong(R"({"shared": [[50, 13, 0, 1]], "whole": []})"), HasSubstr("/shared/0/1"));
  EXPECT_THAT(wrong(R"({"shared": [], "whole": [], "usual": {"cpus": 0}})"),
              HasSubstr("/usual/cpus: is 0; write what a GPU usually gets"));
  EXPECT_THAT(wrong(R"({"shared": [], "whole": [], "colour": 1})"), HasSubstr("/colour: unknown key"));
}

TEST(WasteTableFile, IsNamedByTheConfiguration) {
  const auto with = [](const std::string& text) { return parse_configuration("scheduling: {" + text + "}"); };
  const auto read = with("placement: final-waste, waste_table: table.json");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->settings.scoring, Scoring::final_waste);
  EXPECT_EQ(read->waste_table_file, "table.json");
  EXPECT_THAT(message(with("placement: final-waste")),
              HasSubstr("/scheduling: has `placement: final-waste` and no table; write `waste_table`"));
  EXPECT_THAT(message(with("placement: fgd, waste_table: table.json")),
              HasSubstr("/scheduling/waste_table: is for `placement: final-waste`; leave it out"));
}

}  // namespace
}  // namespace ym::spec
