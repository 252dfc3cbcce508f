// What is made of the key tables for people: the schema for editors, and the tables of the guide.
#include "spec/keys/describe.h"

#include <gmock/gmock.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/testing/sentences.h"
#include "model/keys/flavor.h"
#include "model/keys/job.h"
#include "model/keys/policy.h"
#include "model/keys/queue.h"
#include "spec/keys/auth.h"
#include "spec/keys/cluster.h"
#include "spec/keys/reservation.h"
#include "spec/keys/retention.h"

namespace ym::keys {

struct Login {
  std::string user, password;
};
template <>
struct Keys<Login> {
  static constexpr std::tuple list{
      Key{"user", &Login::user, Text{}, About{"A name."}},
      Key{"password", &Login::password, Text{}, About{"A word."}, Traits{.secret = true}},
  };
};

namespace {

namespace fs = std::filesystem;

// The tables that the guide may name.
const std::map<std::string, std::vector<KeyRow> (*)()> kTables{{"job", rows_of_keys<JobSpec>},
                                                               {"group", rows_of_keys<TaskGroup>},
                                                               {"queue", rows_of_keys<Queue>},
                                                               {"budget", rows_of_keys<Budget>},
                                                               {"settings", rows_of_keys<PolicySettings>},
                                                               {"flavor", rows_of_keys<Flavor>},
                                                               {"elastic", rows_of_keys<ElasticCapacity>},
                                                               {"slurm", rows_of_keys<SlurmSettings>},
                                                               {"kubernetes", rows_of_keys<KubernetesSettings>},
                                                               {"cluster", rows_of_keys<ClusterConfiguration>},
                                                               {"node", rows_of_keys<NodeGroup>},
                                                               {"reservation", rows_of_keys<WrittenReservation>},
                                                               {"auth", rows_of_keys<AuthSettings>},
                                                               {"project", rows_of_keys<Project>},
                                                               {"binding", rows_of_keys<RoleGiven>},
                                                               {"issuer", rows_of_keys<Issuer>},
                                                               {"exchange", rows_of_keys<ExchangeRule>},
                                                               {"retention", rows_of_keys<Retention>}};

std::vector<KeyRow> rows_of(const std::string& path) {
  std::istringstream parts(path);
  std::string part;
  std::getline(parts, part, '.');
  auto rows = kTables.at(part)();
  while (std::getline(parts, part, '.')) {
    auto inner = std::ranges::find(rows, part, &KeyRow::name)->keys;  // a part of what is replaced
    rows = std::move(inner);
  }
  return rows;
}

// `<!-- keys queue.policy: order strict -->` stands above the table of these keys. All keys, where none is named.
std::string with_tables(const std::string& page, std::size_t& tables) {
  std::istringstream lines(page);
  std::string made, line;
  while (std::getline(lines, line)) {
    made += line + "\n";
    if (!line.starts_with("<!-- keys ")) continue;
    ++tables;
    std::istringstream words(line.substr(10));
    std::string table, name;
    words >> table;
    std::vector<std::string> names;
    while (words >> name && name != "-->") names.push_back(name);
    const auto rows = rows_of(table.substr(0, table.find(':')));
    if (names.empty())
      for (const auto& row : rows) names.push_back(row.name);
    made += "\n" + guide_table(rows, names);
    while (std::getline(lines, line) && (line.empty() || line.starts_with('|'))) {
    }
    made += "\n" + line + (lines.eof() ? "" : "\n");
  }
  return made;
}

// YM_WRITE_GUIDE=1 writes them.
TEST(Guide, HasTheTablesOfTheKeys) {
  std::size_t tables = 0;
  for (const auto& page : fs::directory_iterator(fs::path(YM_SOURCE_DIR) / "docs/guide")) {
    std::stringstream text;
    text << std::ifstream(page.path()).rdbuf();
    const std::string made = with_tables(text.str(), tables);
    if (made == text.str()) continue;
    if (std::getenv("YM_WRITE_GUIDE") != nullptr) std::ofstream(page.path()) << made;
    else
      ADD_FAILURE() << page.path().filename() << " differs from the key tables: YM_WRITE_GUIDE=1 spec_test writes it";
  }
  EXPECT_GE(tables, 10U);
}

TEST(Schema, OfAJobNamesEachKeyWithItsBounds) {
  const auto schema = schema_of(rows_of_keys<JobSpec>());
  const auto& properties = schema.at("properties").as_object();
  EXPECT_EQ(properties.at("priority").at("maximum").as_int64(), 100);
  EXPECT_EQ(properties.at("launcher").at("enum").as_array().size(), 2U);
  const auto& grace = properties.at("preemption").at("properties").at("grace");
  EXPECT_TRUE(grace.at("anyOf").is_array());
  EXPECT_FALSE(schema.at("additionalProperties").as_bool());
}

TEST(Schema, SaysHowAValueIsWrittenAndWhatHoldsWithoutIt) {
  const auto schema = schema_of(rows_of_keys<JobSpec>());
  const auto& preemption = schema.at("properties").at("preemption").at("properties");
  EXPECT_EQ(preemption.at("allow").at("default"), true);
  EXPECT_EQ(preemption.at("grace").at("default"), "30s");
  testing::expect_sentence(preemption.at("grace").at("anyOf").at(0).at("description").as_string());
  EXPECT_EQ(schema.at("properties").at("launcher").at("default"), "none");
  EXPECT_FALSE(schema.at("properties").at("name").as_object().contains("default")) << "words say it";
}

TEST(Schema, DescribesWithoutTheGuide) {
  EXPECT_EQ(without_links("The [types](#types-of-gpus), and [parts](#parts)."), "The types, and parts.");
  EXPECT_EQ(without_links("Whole GPUs. See [types](a.md#types)."), "Whole GPUs.");
  EXPECT_EQ(without_links("One. See [types](#types). Three."), "One. Three.");
  EXPECT_EQ(without_links("a list [a, b] of two"), "a list [a, b] of two");
}

TEST(Schema, OfAPartHasItsKeysAmongThoseOfTheOwner) {
  const auto entry = schema_of(rows_of_keys<NodeGroup>());
  EXPECT_TRUE(entry.at("properties").as_object().contains("names"));
  EXPECT_TRUE(entry.at("properties").as_object().contains("gpus"));
  const auto flavor = schema_of(rows_of_keys<ElasticCapacity>());
  const auto& made = flavor.at("properties").at("node").at("properties").as_object();
  EXPECT_FALSE(made.contains("names"));
  EXPECT_TRUE(made.contains("gpus"));
}

TEST(Schema, MarksSecrets) {
  const auto schema = schema_of(rows_of_keys<Login>());
  const auto& properties = schema.at("properties").as_object();
  EXPECT_EQ(properties.at("password").at("writeOnly"), true);
  EXPECT_FALSE(properties.at("user").as_object().contains("writeOnly"));
  const auto job = schema_of(rows_of_keys<JobSpec>());
  EXPECT_FALSE(job.at("properties").at("env").as_object().contains("writeOnly")) << "answers show it";
}

TEST(GuideTable, HasARowForEachKeyOfAMap) {
  const auto table = guide_table(rows_of_keys<JobSpec>(), {"retry"});
  EXPECT_THAT(table, ::testing::HasSubstr("| `retry.infra` | 0 to 1,000 | 3 |"));
  EXPECT_THAT(table, ::testing::HasSubstr("| `retry.backoff` | time, 100ms to 1h | 5s |"));
}

}  // namespace
}  // namespace ym::keys
