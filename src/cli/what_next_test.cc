#include "cli/what_next.h"

#include <filesystem>

#include "cli/http/url.h"
#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string member_json(int index) {
  return job_json("0000000" + std::to_string(index), "a", "QUEUED",
                  R"(,"group_id":"0000000g","group_index":)" + std::to_string(index));
}

struct Submitting : FakeSession {
  explicit Submitting(const std::string& jobs) {
    server.on("POST /api/v1/jobs?workdir=" + percent_encoded(std::filesystem::current_path().string()),
              {.status = 201, .body = list_json(jobs)});
    in.str("run: [a]\n");
  }
};

TEST(WhatNext, ASubmitOnATerminalSaysHowToGoOn) {
  Submitting fake(job_json("00000001", "a", "QUEUED"));
  fake.session.terminal = {.out = true, .err = true};
  EXPECT_EQ(fake.run({"submit", "-"}), 0);
  expect_sentence(fake.err.str());
  EXPECT_THAT(fake.out.str(), Not(HasSubstr("ym logs")));
}

TEST(WhatNext, AScriptSeesNothingOfIt) {
  const std::vector<std::pair<Terminal, std::vector<std::string>>> scripts{
      {{}, {}},
      {{.out = true}, {}},
      {{.err = true}, {}},
      {{.out = true, .err = true}, {"-o", "json"}},
      {{.out = true, .err = true}, {"-o", "yaml"}},
      {{.out = true, .err = true}, {"-o", "name"}}};
  for (const auto& [terminal, options] : scripts) {
    Submitting fake(job_json("00000001", "a", "QUEUED"));
    fake.session.terminal = terminal;
    std::vector<std::string> words{"submit", "-"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(fake.run(words), 0);
    EXPECT_EQ(fake.err.str(), "");
  }
}

TEST(WhatNext, ADryRunHasNothingToGoOnWith) {
  FakeSession fake;
  fake.session.terminal = {.out = true, .err = true};
  fake.server.on(
      "POST /api/v1/jobs?workdir=" + percent_encoded(std::filesystem::current_path().string()) + "&dry_run=1",
      list_json(R"({"name":"a","jobs":1,"spec":{}})"));
  fake.in.str("run: [a]\n");
  EXPECT_EQ(fake.run({"submit", "-", "--dry-run"}), 0);
  EXPECT_THAT(fake.err.str(), Not(HasSubstr("ym logs")));
}

TEST(WhatNext, AnArrayIsStoppedByItsId) {
  Submitting fake(member_json(1) + "," + member_json(2));
  fake.session.terminal = {.out = true, .err = true};
  EXPECT_EQ(fake.run({"submit", "-"}), 0);
  expect_sentence(fake.err.str());
}

TEST(WhatNext, OfSeveralJobsAFewAreNamed) {
  Submitting two(job_json("00000001", "a", "QUEUED") + "," + job_json("00000002", "b", "QUEUED"));
  two.session.terminal = {.out = true, .err = true};
  EXPECT_EQ(two.run({"submit", "-"}), 0);
  expect_sentence(two.err.str());
  std::string jobs;
  for (int i = 1; i <= 6; ++i) jobs += (i > 1 ? "," : "") + job_json("0000000" + std::to_string(i), "a", "QUEUED");
  Submitting many(jobs);
  many.session.terminal = {.out = true, .err = true};
  EXPECT_EQ(many.run({"submit", "-"}), 0);
  EXPECT_THAT(many.err.str(), Not(HasSubstr("ym cancel")));
}

}  // namespace
}  // namespace ym::cli
