#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string said(std::vector<std::string> words) {
  FakeSession fake;
  EXPECT_EQ(fake.run(std::move(words)), 2);
  EXPECT_TRUE(fake.connections.empty());
  EXPECT_EQ(fake.out.str(), "");
  return fake.err.str();
}

TEST(Slips, AVerbThatThereIsNotIsSuggested) {
  EXPECT_THAT(said({"cancle", "x"}), HasSubstr("'cancle' is not a verb; did you mean cancel?"));
  EXPECT_THAT(said({"--url", "http://h:1", "sumbit", "f"}), HasSubstr("did you mean submit?"));
  EXPECT_THAT(said({"queue", "aply", "-f", "x"}), HasSubstr("did you mean apply?"));
  EXPECT_THAT(said({"queue", "xyzzy"}), HasSubstr("there are: apply, list"));
  EXPECT_THAT(said({"xyzzy"}), Not(HasSubstr("did you mean")));
}

TEST(Slips, HelpOfAVerbThatThereIsNotIsNoHelp) {
  EXPECT_THAT(said({"help", "cancle"}), HasSubstr("did you mean cancel?"));
  EXPECT_THAT(said({"cancle", "--help"}), HasSubstr("did you mean cancel?"));
}

TEST(Slips, AnOptionThatThereIsNotIsSuggested) {
  EXPECT_THAT(said({"ps", "--usr", "ada"}), HasSubstr("ym ps has no option --usr; did you mean --user?"));
  EXPECT_THAT(said({"ps", "--quue=a"}), HasSubstr("did you mean --queue?"));
  EXPECT_THAT(said({"ps", "--otput", "json"}), HasSubstr("did you mean --output?")) << "of all verbs";
  EXPECT_THAT(said({"submit", "f", "--idempotency", "k"}), HasSubstr("did you mean --idempotency-key?"));
  EXPECT_THAT(said({"queue", "apply", "--fil", "x"}), HasSubstr("did you mean --file?"));
  EXPECT_THAT(said({"ps", "--xyzzy"}), HasSubstr("`ym ps --help` lists them"));
}

TEST(Slips, ASlipGoesBeforeWhatIsMissingBecauseOfIt) {
  EXPECT_THAT(said({"logs", "--folow"}), HasSubstr("did you mean --follow?"));
  EXPECT_THAT(said({"logs"}), HasSubstr("ID is required"));
}

TEST(Slips, OptionsBeforeTheProgramAreOurs) {
  EXPECT_THAT(said({"run", "--gpu", "2", "--", "true"}), HasSubstr("did you mean --gpus?"));
}

TEST(Slips, AWordTooManyIsNamed) { EXPECT_THAT(said({"ps", "extra"}), HasSubstr("'extra'")); }

TEST(Slips, WordsOfClosedSetsAreSuggested) {
  EXPECT_THAT(said({"ps", "-o", "jsn"}), HasSubstr("did you mean json?"));
  EXPECT_THAT(said({"serve", "--log-level", "wran"}), HasSubstr("did you mean warn?"));
  EXPECT_THAT(said({"ps", "--state", "runing"}), HasSubstr("did you mean RUNNING?"));
  EXPECT_THAT(said({"ps", "--state", "sleeping"}), HasSubstr("TIMED_OUT"));
}

TEST(Slips, AQueueThatIsNotThereIsSuggested) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs?spec=summary&queue=resaerch&limit=1000", list_json(""));
  fake.server.on("GET /api/v1/queues?limit=1000", list_json(R"({"name":"research"},{"name":"b"})"));
  EXPECT_EQ(fake.run({"ps", "-A", "--queue", "resaerch"}), 2);
  EXPECT_THAT(fake.err.str(), HasSubstr("did you mean research?"));
}

}  // namespace
}  // namespace ym::cli
