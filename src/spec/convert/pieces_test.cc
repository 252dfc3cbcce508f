#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/resources.h"
#include "spec/convert/amounts.h"
#include "spec/convert/expand.h"
#include "spec/convert/testing/support.h"
#include "spec/convert/torchrun.h"

namespace ym::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(Quantities, AreThoseOfKubernetes) {
  EXPECT_EQ(parse_quantity("2"), 2000);
  EXPECT_EQ(parse_quantity("+2"), 2000);
  EXPECT_EQ(parse_quantity("1.5"), 1500);
  EXPECT_EQ(parse_quantity(".5"), 500);
  EXPECT_EQ(parse_quantity("500m"), 500);
  EXPECT_EQ(parse_quantity("1u"), 1);  // rounded up
  EXPECT_EQ(parse_quantity("0"), 0);
  EXPECT_EQ(parse_quantity("1e3"), 1'000'000);
  EXPECT_EQ(parse_quantity("2E2"), 200'000);
  EXPECT_EQ(parse_quantity("1k"), 1'000'000);
  EXPECT_EQ(parse_quantity("1.5Gi"), (std::int64_t{3} << 29) * 1000);
  EXPECT_EQ(parse_quantity("1G"), 1'000'000'000'000);
  for (const auto* bad : {"", "-1", "m", "1.2.3", "1 Gi", "1gi", "1e", "1e99", "99999999999999999999", "9E"})
    EXPECT_EQ(parse_quantity(bad), std::nullopt) << bad;
}

TEST(Quantities, AreWrittenInWholeUnits) {
  EXPECT_EQ(bytes_text(std::int64_t{1} << 30), "1GiB");
  EXPECT_EQ(bytes_text(std::int64_t{3} << 29), "1536MiB");
  EXPECT_EQ(bytes_text(64'000'000'000), "64GB");
  EXPECT_EQ(bytes_text(1001), "1001");
}

TEST(Expand, IsKubernetesOwn) {
  std::vector<std::string> unknown;
  const Variables env{{"A", "1"}, {"B", "x y"}};
  EXPECT_EQ(expand("--a=$(A) $(B)", env, unknown), "--a=1 x y");
  EXPECT_EQ(expand("$A ${A} $$ $$(A) $", env, unknown), "$A ${A} $ $(A) $");
  EXPECT_THAT(unknown, IsEmpty());
  EXPECT_EQ(expand("$(C) $(A", env, unknown), "$(C) $(A");
  EXPECT_THAT(unknown, ElementsAre("C"));
}

struct Settled {
  Part part;
  std::vector<Remark> remarks;
};

Settled with_torchrun(Words words, std::int64_t gpus = 8) {
  static const Value nothing;
  static spec::Problems problems;
  Remarks remarks;
  Part part{.at = {&nothing, "/x", &problems}, .run = std::move(words), .amounts = {.gpus = gpus}};
  take_torchrun(part, remarks);
  return {std::move(part), remarks.take()};
}

TEST(Torchrun, BecomesTheLauncher) {
  const auto plain =
      with_torchrun({"torchrun", "--nnodes=2", "--nproc_per_node", "8", "--rdzv-id", "1", "t.py", "--nnodes", "3"});
  EXPECT_TRUE(plain.part.torchrun);
  EXPECT_THAT(plain.part.run, ElementsAre("t.py", "--nnodes", "3"));
  EXPECT_THAT(plain.part.env, IsEmpty());
  ASSERT_EQ(plain.remarks.size(), 1u);
  expect_sentence(plain.remarks[0].message);
  const auto module = with_torchrun(
      {"/usr/bin/python3", "-m", "torch.distributed.run", "--standalone", "--max-restarts=3", "-m", "pkg.t"});
  EXPECT_THAT(module.part.run, ElementsAre("-m", "pkg.t"));
  EXPECT_THAT(module.part.env, ElementsAre(Pair("PET_MAX_RESTARTS", "3")));
  EXPECT_THAT(with_torchrun({"torchrun", "--tee", "3", "--no-python", "./t"}).part.run,
              ElementsAre("--tee", "3", "--no_python", "./t"));
  EXPECT_THAT(with_torchrun({"torchrun", "--no_python", "./t"}).part.run, ElementsAre("./t"));
}

TEST(Torchrun, HasAsManyWorkersAsItWasTold) {
  EXPECT_THAT(with_torchrun({"torchrun", "--nproc_per_node=2", "t.py"}).part.env,
              ElementsAre(Pair("PET_NPROC_PER_NODE", "2")));
  EXPECT_THAT(with_torchrun({"torchrun", "--nproc_per_node=gpu", "t.py"}).part.env, IsEmpty());
  EXPECT_THAT(with_torchrun({"torchrun", "--nproc_per_node=1", "t.py"}, 0).part.env, IsEmpty());
}

TEST(Torchrun, ComesOutOfAShellOnlyIfNothingElseIsInThere) {
  EXPECT_THAT(with_torchrun({"bash", "-xc", "exec torchrun --master_addr=$M \\\n t.py --lr 1\n"}).part.run,
              ElementsAre("t.py", "--lr", "1"));
  for (const std::string script : {"cd /w && torchrun t.py", "torchrun t.py $ARGS", "torchrun 't.py'", "torchrun\nt.py",
                                   "torchrun --nproc_per_node=$N t.py", "A=1 torchrun t.py"}) {
    const auto kept = with_torchrun({"sh", "-c", script});
    EXPECT_THAT(kept.part.run, ElementsAre("sh", "-c", script));
    EXPECT_FALSE(kept.part.torchrun);
    ASSERT_EQ(kept.remarks.size(), 1u) << script;
    expect_sentence(kept.remarks[0].message);
  }
}

TEST(Words, ComeBackAsTheyWere) {
  for (const std::string word :
       {"a b",    "'",      "\"",    "#x",         "a: b", "- a",
        "{a}",    "[a, b]", "0x1F",  "010",        "1e-5", "yes",
        "~",      "",       "null",  "2024-01-01", "\\n",  "a\nb",
        "a\nb\n", "  a\n",  "a\n\n", "\ta",        "*a",   "&a",
        "!a",     "%a",     "@a",    "ä\u20ac",    "a\\",  "if true; then\n  echo 'x: y'   \n\n  # no\nfi\n",
        "42",     "true",   "|",     ">"}) {
    spec::Value job{.kind = spec::Value::Kind::map, .keys = {"run", "env"}};
    const spec::Value text{.kind = spec::Value::Kind::string, .text = word};
    const spec::Value a{.kind = spec::Value::Kind::string, .text = "a"};
    job.items = {{.kind = spec::Value::Kind::list, .items = {a, text}},
                 {.kind = spec::Value::Kind::map, .keys = {"no"}, .items = {word.contains('\n') ? a : text}}};
    const auto specs = parse_job_yaml(to_yaml({job}), {.workdir = "/w"});
    ASSERT_TRUE(specs) << specs.error().message << "\n" << to_yaml({job});
    EXPECT_THAT(specs->at(0).run.words, ElementsAre("a", word)) << to_yaml({job});
    EXPECT_EQ(specs->at(0).env.at("no"), word.contains('\n') ? "a" : word);
  }
}

}  // namespace
}  // namespace ym::convert
