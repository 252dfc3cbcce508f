#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string said(std::vector<std::string> words) {
  FakeSession fake;
  EXPECT_EQ(fake.run(std::move(words)), 2);
  EXPECT_TRUE(fake.connections.empty());
  EXPECT_EQ(fake.out.str(), "");
  return fake.err.str();
}

TEST(Slips, AVerbThatThereIsNotIsSuggested) {
  expect_sentence(said({"cancle", "x"}));
  expect_sentence(said({"--url", "http://h:1", "sumbit", "f"}));
  expect_sentence(said({"queue", "aply", "-f", "x"}));
  expect_sentence(said({"queue", "xyzzy"}));
  EXPECT_THAT(said({"xyzzy"}), Not(HasSubstr("did you mean")));
}

TEST(Slips, HelpOfAVerbThatThereIsNotIsNoHelp) {
  expect_sentence(said({"help", "cancle"}));
  expect_sentence(said({"cancle", "--help"}));
}

TEST(Slips, AnOptionThatThereIsNotIsSuggested) {
  expect_sentence(said({"ps", "--usr", "ada"}));
  expect_sentence(said({"ps", "--quue=a"}));
  // Of all verbs.
  expect_sentence(said({"ps", "--otput", "json"}));
  expect_sentence(said({"submit", "f", "--idempotency", "k"}));
  expect_sentence(said({"queue", "apply", "--fil", "x"}));
  expect_sentence(said({"ps", "--xyzzy"}));
}

TEST(Slips, ASlipGoesBeforeWhatIsMissingBecauseOfIt) {
  expect_sentence(said({"logs", "--folow"}));
  expect_sentence(said({"logs"}));
}

TEST(Slips, OptionsBeforeTheProgramAreOurs) { expect_sentence(said({"run", "--gpu", "2", "--", "true"})); }

TEST(Slips, AWordTooManyIsNamed) { expect_sentence(said({"ps", "extra"})); }

TEST(Slips, WordsOfClosedSetsAreSuggested) {
  expect_sentence(said({"ps", "-o", "jsn"}));
  expect_sentence(said({"serve", "--log-level", "wran"}));
  expect_sentence(said({"ps", "--state", "runing"}));
  expect_sentence(said({"ps", "--state", "sleeping"}));
}

TEST(Slips, AQueueThatIsNotThereIsSuggested) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs?spec=summary&queue=resaerch&limit=1000", list_json(""));
  fake.server.on("GET /api/v1/queues?limit=1000", list_json(R"({"name":"research"},{"name":"b"})"));
  EXPECT_EQ(fake.run({"ps", "-A", "--queue", "resaerch"}), 2);
  expect_sentence(fake.err.str());
}

}  // namespace
}  // namespace ym::cli
