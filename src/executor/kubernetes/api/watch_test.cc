#include "executor/kubernetes/api/watch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>

#include "executor/kubernetes/testing/objects.h"

namespace ym::kubernetes {
namespace {

// The server's answers, call by call; after the last one the source is closed.
struct Script final : WatchSource {
  struct Stream {
    std::vector<std::string> pieces;
    std::optional<ApiError> error = {};
  };
  std::deque<std::string> pages;  // empty text: 500
  std::deque<Stream> streams;
  std::deque<bool> probes;
  std::vector<std::string> calls;
  std::vector<std::int64_t> pauses;

  Api<json::value> page(const std::string& next) override {
    calls.push_back("list " + next);
    if (pages.empty() || pages.front().empty()) {
      if (!pages.empty()) pages.pop_front();
      return std::unexpected(ApiError{.kind = ApiError::Kind::server_error, .status = 500, .message = "trouble"});
    }
    auto text = pages.front();
    pages.pop_front();
    return testing::object(text);
  }
  Api<void> follow(const std::string& version, const std::function<bool(std::string_view)>& take) override {
    calls.push_back("watch " + version);
    if (streams.empty()) return {};
    auto stream = streams.front();
    streams.pop_front();
    for (const auto& piece : stream.pieces)
      if (!take(piece)) return {};
    if (stream.error) return std::unexpected(*stream.error);
    return {};
  }
  Api<void> probe() override {
    calls.emplace_back("probe");
    const bool good = probes.empty() || probes.front();
    if (!probes.empty()) probes.pop_front();
    if (good) return {};
    return std::unexpected(ApiError{.kind = ApiError::Kind::unreachable, .status = 0, .message = "refused"});
  }
  bool pause(Duration d) override {
    pauses.push_back(d.ms);
    return !streams.empty() || !pages.empty();
  }
};

std::string item(const std::string& name, int version) {
  return fmt::format(R"({{"metadata":{{"name":"{0}","uid":"{0}","resourceVersion":"{1}"}}}})", name, version);
}
std::string page(const std::string& items, int version, const std::string& next = "") {
  return fmt::format(R"({{"metadata":{{"resourceVersion":"{}","continue":"{}"}},"items":[{}]}})", version, next, items);
}
std::string event(const std::string& type, const std::string& object) {
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object);
}
const std::string kTooOld = event("ERROR", R"({"kind":"Status","code":410,"reason":"Expired"})");

class WatchTest : public ::testing::Test {
 protected:
  void run(bool keep_errors = true) {
    WatchSink sink;
    sink.begin_list = [this] { said += "["; };
    sink.listed = [this](const json::value& object) { said += text_at(object, "/metadata/name"); };
    sink.end_list = [this] { said += "]"; };
    sink.changed = [this](const json::value& object) { said += "+" + text_at(object, "/metadata/name"); };
    sink.deleted = [this](const json::value& object) { said += "-" + text_at(object, "/metadata/name"); };
    sink.contact = [this, keep_errors](bool good, const std::string&) {
      if (keep_errors) said += good ? "" : "!";
    };
    Watch(script, sink, 7).run();
  }
  std::string calls() const { return fmt::format("{}", fmt::join(script.calls, ", ")); }
  Script script;
  std::string said;
};

TEST_F(WatchTest, ListsOnceInPagesAndThenWatchesFromTheListsVersion) {
  script.pages = {page(item("a", 1), 10, "more"), page(item("b", 2), 10)};
  script.streams = {{{event("ADDED", item("c", 11)) + event("DELETED", item("a", 12))}}};
  run();
  EXPECT_EQ(said, "[ab]+c-a");
  EXPECT_EQ(calls(), "list , list more, watch 10");
}

TEST_F(WatchTest, ABareEndIsResumedFromTheLastVersionWithoutAList) {
  script.pages = {page("", 10)};
  script.streams = {{{event("ADDED", item("a", 11))}}, {}, {{event("MODIFIED", item("a", 13))}}};
  run();
  EXPECT_EQ(calls(), "list , watch 10, watch 11, watch 11");
  EXPECT_EQ(said, "[]+a+a");
}

TEST_F(WatchTest, BookmarksMoveTheVersionOn) {
  script.pages = {page("", 10)};
  script.streams = {{{event("BOOKMARK", R"({"metadata":{"resourceVersion":"500"}})")}}, {}};
  run();
  EXPECT_EQ(calls(), "list , watch 10, watch 500");
  EXPECT_EQ(said, "[]");
}

TEST_F(WatchTest, GoneAsAnEventInsideOfA200IsAnsweredByAList) {
  script.pages = {page(item("a", 1), 10), page(item("b", 30), 31)};
  script.streams = {{{kTooOld}}, {}};
  run();
  EXPECT_EQ(calls(), "list , watch 10, list , watch 31");
  EXPECT_EQ(said, "[a][b]");
}

TEST_F(WatchTest, GoneAsAStatusIsAnsweredByAList) {
  script.pages = {page("", 10), page("", 31)};
  script.streams = {{{}, ApiError{.kind = ApiError::Kind::gone, .status = 410, .message = {}}}, {}};
  run();
  EXPECT_EQ(calls(), "list , watch 10, list , watch 31");
}

TEST_F(WatchTest, AnotherErrorEventIsNoReasonForAList) {
  script.pages = {page("", 10)};
  script.streams = {{{event("ERROR", R"({"kind":"Status","code":500,"reason":"InternalError"})")}}, {}};
  run();
  EXPECT_EQ(calls(), "list , watch 10, watch 10");
}

// A server that starts: first nothing listens, then it answers 403 for a moment, then all is well.
TEST_F(WatchTest, AServerThatIsAwayAndThenRefusesIsComeBackToWithoutAList) {
  script.pages = {page("", 10)};
  script.probes = {false, true, true};
  const ApiError refused{.kind = ApiError::Kind::forbidden, .status = 403, .message = "not yet"};
  const ApiError away{.kind = ApiError::Kind::unreachable, .status = 0, .message = "refused"};
  script.streams = {{{}, away}, {{}, refused}, {{event("ADDED", item("a", 11))}}};
  run();
  EXPECT_EQ(calls(), "list , watch 10, probe, probe, watch 10, probe, watch 10");
  EXPECT_EQ(said, "[]!!!+a");
}

TEST_F(WatchTest, EventsAreCutAnywhere) {
  script.pages = {page("", 10)};
  const auto text = event("ADDED", item("a", 11)) + event("ADDED", item("b", 12));
  std::vector<std::string> pieces;
  for (const char c : text) pieces.emplace_back(1, c);
  script.streams = {{pieces}, {}};
  run();
  EXPECT_EQ(said, "[]+a+b");
  EXPECT_EQ(calls(), "list , watch 10, watch 12");
}

TEST_F(WatchTest, HalfAnEventAtTheEndIsHeardAgain) {
  script.pages = {page("", 10)};
  const auto text = event("ADDED", item("a", 11));
  script.streams = {{{text, text.substr(0, 20)}}, {{event("ADDED", item("b", 12))}}};
  run();
  EXPECT_EQ(calls(), "list , watch 10, watch 11");
  EXPECT_EQ(said, "[]+a+b");
}

TEST_F(WatchTest, NonsenseIsBoundedAndEndsInAList) {
  script.pages = {page("", 10), page("", 20)};
  for (int i = 0; i < 3; ++i) script.streams.push_back({{"this is no event\n"}});
  script.streams.push_back({});
  run();
  EXPECT_EQ(calls(), "list , watch 10, watch 10, watch 10, list , watch 20");
}

TEST_F(WatchTest, ALineWithoutAnEndIsBounded) {
  script.pages = {page("", 10)};
  std::vector<std::string> pieces(20, std::string(std::size_t{1} << 20, 'x'));
  script.streams = {{pieces}, {}};
  run();
  EXPECT_EQ(calls(), "list , watch 10, watch 10");
}

TEST_F(WatchTest, HalfAListIsNone) {
  script.pages = {page(item("a", 1), 10, "more"), "", page(item("a", 1), 11)};
  script.streams = {{}};
  run();
  EXPECT_EQ(said, "[a![a]");
  EXPECT_EQ(calls(), "list , list more, list , watch 11");
}

TEST_F(WatchTest, PausesGrowWhileNothingHelpsAndStartAnewWhenItDoes) {
  script.pages = {page("", 10)};
  for (int i = 0; i < 9; ++i) script.streams.push_back({});
  script.streams.push_back({{event("ADDED", item("a", 11))}});
  script.streams.push_back({});
  run();
  ASSERT_GE(script.pauses.size(), 10U);
  EXPECT_LE(script.pauses[0], 200);
  EXPECT_GE(script.pauses[0], 100);
  EXPECT_GE(script.pauses[8], 5000);
  EXPECT_LE(script.pauses[8], 10'000);
  EXPECT_LE(script.pauses[9], 200);
}

}  // namespace
}  // namespace ym::kubernetes
