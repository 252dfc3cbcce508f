#include "cli/yaml_scalar.h"

#include <gmock/gmock.h>

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/output.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

// What a reader of YAML 1.1 would take for something else, were it not in quotes.
constexpr std::array kAmbiguous{"1",
                                "010",
                                "0x1F",
                                "0b101",
                                "1_000",
                                "12:30:45",
                                "12:30",
                                "1e3",
                                "1.5",
                                ".5",
                                "1e+20",
                                "-1",
                                "+1",
                                ".inf",
                                ".nan",
                                "yes",
                                "No",
                                "on",
                                "OFF",
                                "y",
                                "n",
                                "true",
                                "null",
                                "~",
                                "2026-11-21",
                                "",
                                "=",
                                "<<",
                                "- a",
                                "a: b",
                                "#",
                                "!x",
                                "&a",
                                "*a",
                                "2026-11-21T09:30:00Z",
                                "%x",
                                "@x",
                                "`x",
                                " x ",
                                "a\nb",
                                "a\tb",
                                "\"quoted\"",
                                "a\\b",
                                "\x7F",
                                "\xC2\x85",
                                "\xE2\x80\xA8",
                                "\xEF\xBB\xBF",
                                "\xF0\x9F\x98\x80"};
constexpr std::array kNumbers{0.5, 1e20, 1e-7, 1.0, -2.5e-300, 123456789.25, 1e16, 0.1, 5e-324};

TEST(YamlScalar, TextIsInQuotes) {
  for (const std::string text : kAmbiguous) {
    const auto written = yaml_scalar(json::value(text));
    EXPECT_TRUE(written.size() >= 2 && written.starts_with('"') && written.ends_with('"')) << written;
  }
  EXPECT_EQ(yaml_scalar(json::value("12:30:45")), "\"12:30:45\"");
}

TEST(YamlScalar, NumbersHaveAPointAndASignedExponent) {
  const std::vector<std::pair<json::value, std::string>> table{
      {1, "1"},
      {-7, "-7"},
      {std::uint64_t{18446744073709551615u}, "18446744073709551615"},
      {0.5, "0.5"},
      {1.0, "1.0"},
      {1e20, "1.0e+20"},
      {-2.5e-7, "-2.5e-07"},
      {1e-5, "1.0e-05"},
      {json::value(true), "true"},
      {json::value(), "null"}};
  for (const auto& [value, written] : table) EXPECT_EQ(yaml_scalar(value), written);
}

TEST(YamlScalar, CharactersThatYamlRefusesAreEscaped) {
  EXPECT_EQ(yaml_scalar(json::value("\x7F")), "\"\\x7F\"");
  EXPECT_EQ(yaml_scalar(json::value("a\xC2\x85"
                                    "b")),
            "\"a\\x85b\"");
  EXPECT_EQ(yaml_scalar(json::value("\xE2\x80\xA8")), "\"\\u2028\"");
  EXPECT_EQ(yaml_scalar(json::value("\xC3\xA4")), "\"\xC3\xA4\"");
}

TEST(YamlScalar, KeysThatMeanSomethingAreInQuotes) {
  for (const auto* key : {"on", "yes", "no", "y", "null", "true", "A", "1", "a-b", ""})
    EXPECT_EQ(yaml_key(key).front(), '"') << key;
  for (const auto* key : {"id", "group_id", "nodes", "only"}) EXPECT_EQ(yaml_key(key), key);
}

json::value of_everything() {
  json::object all;
  for (const auto* text : kAmbiguous) all[text] = text;
  json::array numbers;
  for (const double number : kNumbers) numbers.emplace_back(number);
  all["numbers"] = std::move(numbers);
  all["none"] = json::array{nullptr, true, 7, json::object(), json::array()};
  return all;
}

// Whether a Python with PyYAML is here is not this test's to ensure; CI has one.
TEST(YamlScalar, PyYamlReadsWhatWasMeant) {
  if (std::system("python3 -c 'import yaml' 2>/dev/null") != 0) GTEST_SKIP() << "no PyYAML";
  const auto folder = std::filesystem::path(::testing::TempDir()) / "ym_yaml_scalar";
  std::filesystem::create_directories(folder);
  std::ofstream yaml(folder / "all.yaml"), written(folder / "all.json");
  print_yaml(yaml, of_everything());
  print_json(written, of_everything());
  yaml.close(), written.close();
  const auto command = "cd '" + folder.string() + "' && python3 -c 'import json, yaml; read = yaml.safe_load(open(" +
                       "\"all.yaml\", encoding=\"utf-8\")); meant = json.load(open(\"all.json\")); " +
                       "assert repr(read) == repr(meant), (read, meant)'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace ym::cli
