#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal_for(std::vector<std::string> words) {
  FakeSession fake;
  EXPECT_EQ(fake.run(std::move(words)), 2);
  EXPECT_TRUE(fake.connections.empty());
  EXPECT_EQ(fake.out.str(), "");
  return fake.err.str();
}

TEST(TypingMistakes, AVerbThatThereIsNotIsSuggested) {
  expect_sentence(refusal_for({"cancle", "x"}));
  expect_sentence(refusal_for({"--url", "http://h:1", "sumbit", "f"}));
  expect_sentence(refusal_for({"queue", "aply", "-f", "x"}));
  expect_sentence(refusal_for({"queue", "xyzzy"}));
  EXPECT_THAT(refusal_for({"xyzzy"}), Not(HasSubstr("did you mean")));
}

TEST(TypingMistakes, HelpOfAVerbThatThereIsNotIsNoHelp) {
  expect_sentence(refusal_for({"help", "cancle"}));
  expect_sentence(refusal_for({"cancle", "--help"}));
}

TEST(TypingMistakes, AnOptionThatThereIsNotIsSuggested) {
  expect_sentence(refusal_for({"ps", "--usr", "ada"}));
  expect_sentence(refusal_for({"ps", "--quue=a"}));
  // Of all verbs.
  expect_sentence(refusal_for({"ps", "--otput", "json"}));
  expect_sentence(refusal_for({"submit", "f", "--idempotency", "k"}));
  expect_sentence(refusal_for({"queue", "apply", "--fil", "x"}));
  expect_sentence(refusal_for({"ps", "--xyzzy"}));
}

TEST(TypingMistakes, AMistakeGoesBeforeWhatIsMissingBecauseOfIt) {
  expect_sentence(refusal_for({"logs", "--folow"}));
  expect_sentence(refusal_for({"logs"}));
}

TEST(TypingMistakes, OptionsBeforeTheProgramAreOurs) {
  expect_sentence(refusal_for({"run", "--gpu", "2", "--", "true"}));
}

TEST(TypingMistakes, AWordTooManyIsNamed) { expect_sentence(refusal_for({"ps", "extra"})); }

TEST(TypingMistakes, WordsOfClosedSetsAreSuggested) {
  expect_sentence(refusal_for({"ps", "-o", "jsn"}));
  expect_sentence(refusal_for({"serve", "--log-level", "wran"}));
  expect_sentence(refusal_for({"ps", "--state", "runing"}));
  expect_sentence(refusal_for({"ps", "--state", "sleeping"}));
}

TEST(TypingMistakes, AQueueThatIsNotThereIsSuggested) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs?spec=summary&queue=resaerch&limit=1000", list_json(""));
  fake.server.on("GET /api/v1/queues?limit=1000", list_json(R"({"name":"research"},{"name":"b"})"));
  EXPECT_EQ(fake.run({"ps", "-A", "--queue", "resaerch"}), 2);
  expect_sentence(fake.err.str());
}

}  // namespace
}  // namespace ym::cli
