// Requests about jobs: reading them and changing them.
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::parse_json;
using ym::testing::simple_spec;
using ym::testing::text_at;

class Jobs : public ApiTest {
 protected:
  std::vector<std::string> names(const std::string& query) {
    std::vector<std::string> found;
    const auto value = parse_json(get("/api/v1/jobs" + query).body);
    for (const auto& item : value.at("items").as_array()) found.push_back(text_at(item, "/name"));
    return found;
  }
  std::string path(JobId id, const std::string& rest = "") { return "/api/v1/jobs/" + to_string(id) + rest; }
};

TEST_F(Jobs, PagesVisitEachJobOnceNewestFirst) {
  for (int i = 0; i < 25; ++i) backend.add_job(simple_spec(fmt::format("j{}", i)));
  std::vector<std::string> seen;
  std::string cursor;
  for (int pages = 0; pages < 10; ++pages) {
    const auto page = parse_json(get("/api/v1/jobs?limit=10" + (cursor.empty() ? "" : "&cursor=" + cursor)).body);
    EXPECT_EQ(text_at(page, "/as_of"), std::to_string(backend.reads().last_seq()));
    for (const auto& item : page.at("items").as_array()) seen.push_back(text_at(item, "/name"));
    if (page.at("next").is_null()) break;
    cursor = text_at(page, "/next");
  }
  ASSERT_EQ(seen.size(), 25u);
  EXPECT_EQ(seen.front(), "j24");
  EXPECT_EQ(seen.back(), "j0");
}

TEST_F(Jobs, PagesOfLargeSpecsEndEarlyAndGoOn) {
  JobSpec large = simple_spec();
  large.env["A"] = std::string(900'000, 'x');
  for (int i = 0; i < 12; ++i) backend.add_job(large);
  std::size_t seen = 0;
  std::string cursor;
  int pages = 0;
  for (; pages < 12; ++pages) {
    const auto reply = get("/api/v1/jobs?limit=1000" + (cursor.empty() ? "" : "&cursor=" + cursor));
    EXPECT_LT(reply.body.size(), 6u << 20);
    const auto page = parse_json(reply.body);
    seen += page.at("items").as_array().size();
    if (page.at("next").is_null()) break;
    cursor = text_at(page, "/next");
  }
  EXPECT_EQ(seen, 12u);
  EXPECT_GE(pages, 2);
}

TEST_F(Jobs, AListCanLeaveOutMostOfTheSpecs) {
  auto spec = simple_spec("a");
  spec.nodes = 2;
  spec.resources.gpus = 4000;
  spec.resources.gpu_type = "t4";
  backend.add_job(spec);
  const auto job = parse_json(get("/api/v1/jobs?spec=summary").body).at("items").at(0);
  EXPECT_EQ(job.at("spec").as_object().size(), 2U);
  EXPECT_EQ(text_at(job, "/spec/nodes"), "2");
  EXPECT_EQ(text_at(job, "/spec/resources/gpus"), "t4:4");
  EXPECT_EQ(text_at(parse_json(get("/api/v1/jobs?spec=full").body).at("items").at(0), "/spec/name"), "a");
  EXPECT_EQ(get("/api/v1/jobs?spec=some").status, 400);
}

TEST_F(Jobs, FiltersNarrowTheList) {
  auto spec = simple_spec("a");
  spec.queue = "q1";
  spec.project = "p1";
  const auto job = backend.add_job(spec);
  backend.add_job(simple_spec("b"), "bob");
  backend.set_state(job.id, JobState::running);
  EXPECT_THAT(names(""), ::testing::ElementsAre("b", "a"));
  for (const auto* query :
       {"?user=ada", "?owner=ada", "?queue=q1", "?name=a", "?project=p1", "?state=RUNNING,FAILED"}) {
    EXPECT_THAT(names(query), ::testing::ElementsAre("a")) << query;
  }
  EXPECT_THAT(names("?state=QUEUED"), ::testing::ElementsAre("b"));
  EXPECT_THAT(names("?owner=ada&queue=default"), ::testing::ElementsAre());
}

TEST_F(Jobs, ACursorIsRefusedUnderOtherFilters) {
  for (int i = 0; i < 3; ++i) backend.add_job(simple_spec());
  const auto cursor = text_at(parse_json(get("/api/v1/jobs?limit=1&owner=ada").body), "/next");
  EXPECT_EQ(get("/api/v1/jobs?limit=2&owner=ada&cursor=" + cursor).status, 200);
  EXPECT_EQ(code_of(get("/api/v1/jobs?limit=1&cursor=" + cursor)), "invalid_cursor");
}

TEST_F(Jobs, AJobIsFoundByIdAndByName) {
  const auto id = backend.add_job(simple_spec("my-job")).id;
  EXPECT_EQ(text_at(parse_json(get(path(id)).body), "/id"), to_string(id));
  EXPECT_EQ(text_at(parse_json(get("/api/v1/jobs/my-job").body), "/id"), to_string(id));
  EXPECT_EQ(get("/api/v1/jobs/other").status, 404);
  EXPECT_EQ(get("/api/v1/jobs/zzzzzzzz").status, 404);
}

TEST_F(Jobs, TheNameOfAnArrayIsAmbiguous) {
  auto spec = simple_spec("sweep");
  spec.array = 2;
  backend.add_job(spec);
  const auto reply = get("/api/v1/jobs/sweep");
  EXPECT_EQ(reply.status, 409);
  EXPECT_EQ(code_of(reply), "ambiguous");
}

TEST_F(Jobs, AnArrayIsChangedAsAWhole) {
  auto spec = simple_spec("sweep");
  spec.array = 3;
  const auto first = backend.add_job(spec);
  const auto other = backend.add_job(simple_spec("other")).id;
  const auto held = parse_json(post("/api/v1/jobs/sweep/hold").body);
  ASSERT_EQ(held.at("items").as_array().size(), 3u);
  EXPECT_EQ(text_at(held, "/items/2/state"), "HELD");
  EXPECT_EQ(text_at(held, "/items/2/name"), "sweep-2");
  const auto released = post("/api/v1/jobs/" + to_string(*first.group) + "/release");
  EXPECT_EQ(released.status, 200);
  EXPECT_EQ(text_at(parse_json(released.body), "/items/0/state"), "QUEUED");
  backend.set_state(first.id, JobState::running);
  const auto cancelled = post("/api/v1/jobs/sweep/cancel");
  EXPECT_EQ(cancelled.status, 202) << "one of them is on its way there";
  EXPECT_EQ(parse_json(cancelled.body).at("items").as_array().size(), 3u);
  EXPECT_EQ(post("/api/v1/jobs/sweep/retry").status, 409);
  EXPECT_EQ(backend.state_of(other), JobState::queued) << "others are left alone";
}

TEST_F(Jobs, MembersOfAnArrayAreListedByItsNameOrId) {
  auto spec = simple_spec("sweep");
  spec.array = 2;
  const auto first = backend.add_job(spec);
  backend.add_job(simple_spec("other"));
  EXPECT_THAT(names("?group=sweep"), ::testing::ElementsAre("sweep-1", "sweep-0"));
  EXPECT_THAT(names("?group=" + to_string(*first.group)), ::testing::ElementsAre("sweep-1", "sweep-0"));
  EXPECT_EQ(get("/api/v1/jobs?group=other").status, 404);
}

TEST_F(Jobs, AReasonIsForThoseThatWait) {
  const auto id = backend.add_job(simple_spec()).id;
  EXPECT_EQ(text_at(parse_json(get(path(id)).body), "/reason"), "PendingEvaluation");
  backend.set_state(id, JobState::failed);
  EXPECT_EQ(text_at(parse_json(get(path(id)).body), "/reason"), "null");
}

TEST_F(Jobs, WhySaysWhatHoldsItBack) {
  Explanation why;
  why.dominant = engine::Reason{engine::NodesInUse{.flavor = "t4", .place = {}, .needed = 8}};
  why.also = {engine::Reason{engine::BehindHead{.queue = "a", .blocker = JobId{5}}}};
  why.names = {{JobId{5}, "large"}};
  why.ahead = {backend.add_job(simple_spec("first"))};
  why.ahead_total = 1;
  why.reservation = engine::Reservation{.cluster = "lab", .flavor = "t4", .from = {3'600'000}, .nodes = {"n1", "n2"}};
  backend.set_explanation(why);
  const auto id = backend.add_job(simple_spec("second")).id;
  const auto value = parse_json(get(path(id, "/why")).body);
  EXPECT_EQ(text_at(value, "/dominant/code"), "WaitingForCapacity");
  EXPECT_EQ(text_at(value, "/reservation/from"), "1970-01-01T01:00:00.000Z");
  EXPECT_EQ(text_at(value, "/reservation/until"), "null");
  EXPECT_EQ(text_at(value, "/reservation/nodes/1"), "n2");
  EXPECT_EQ(text_at(value, "/dominant/numbers/needed"), "8");
  EXPECT_EQ(text_at(value, "/also/0/code"), "Priority");
  EXPECT_THAT(text_at(value, "/also/0/message"), ::testing::StartsWith("job 00000005 (large) goes first"));
  EXPECT_EQ(text_at(value, "/ahead/0/name"), "first");
  EXPECT_EQ(text_at(value, "/predicted_start"), "null");
  EXPECT_EQ(text_at(value, "/state"), "QUEUED");
  backend.set_state(id, JobState::running);
  const auto running = get(path(id, "/why"));
  EXPECT_EQ(running.status, 200);
  EXPECT_EQ(text_at(parse_json(running.body), "/dominant"), "null") << "it does not wait";
  EXPECT_EQ(text_at(parse_json(running.body), "/state"), "RUNNING");
}

TEST_F(Jobs, HoldReleaseAndCancelAnswerWithTheJob) {
  const auto id = backend.add_job(simple_spec()).id;
  const auto held = post(path(id, "/hold"));
  EXPECT_EQ(held.status, 200);
  EXPECT_EQ(text_at(parse_json(held.body), "/state"), "HELD");
  EXPECT_EQ(text_at(parse_json(held.body), "/reason"), "Held");
  EXPECT_EQ(post(path(id, "/hold")).status, 409);
  EXPECT_EQ(text_at(parse_json(post(path(id, "/release"), "application/json", " {} ").body), "/state"), "QUEUED");
  const auto cancelled = post(path(id, "/cancel"));
  EXPECT_EQ(cancelled.status, 200);
  EXPECT_EQ(text_at(parse_json(cancelled.body), "/state"), "CANCELLED");
}

TEST_F(Jobs, CancellingWhatRunsIsAcceptedAndShowsItsAttempts) {
  const auto id = backend.add_job(simple_spec()).id;
  backend.add_attempt(ym::testing::running_attempt(id));
  backend.set_state(id, JobState::running);
  const auto reply = post(path(id, "/cancel"));
  EXPECT_EQ(reply.status, 202);
  EXPECT_EQ(text_at(parse_json(reply.body), "/state"), "STOPPING");
  EXPECT_EQ(text_at(parse_json(reply.body), "/attempts/0/number"), "1");
}

TEST_F(Jobs, RetryMakesANewJob) {
  const auto id = backend.add_job(simple_spec("again")).id;
  EXPECT_EQ(post(path(id, "/retry")).status, 409);
  backend.set_state(id, JobState::failed);
  const auto reply = post(path(id, "/retry"));
  EXPECT_EQ(reply.status, 201);
  const auto job = parse_json(reply.body);
  EXPECT_NE(text_at(job, "/id"), to_string(id));
  EXPECT_EQ(text_at(job, "/name"), "again");
  EXPECT_EQ(reply.headers.at("location"), "/api/v1/jobs/" + text_at(job, "/id"));
}

TEST_F(Jobs, ARetryUnderTheSameKeyMakesOneJob) {
  const auto id = backend.add_job(simple_spec("again")).id;
  backend.set_state(id, JobState::failed);
  const auto first = post(path(id, "/retry"), "", "", {{"Idempotency-Key", "k"}});
  const auto second = post(path(id, "/retry"), "", "", {{"Idempotency-Key", "k"}});
  EXPECT_EQ(first.status, 201);
  EXPECT_EQ(second.status, 201);
  EXPECT_EQ(second.headers.at("idempotency-replayed"), "true");
  EXPECT_EQ(text_at(parse_json(first.body), "/id"), text_at(parse_json(second.body), "/id"));
  EXPECT_EQ(post(path(id, "/retry"), "", "", {{"Idempotency-Key", "a b"}}).status, 400);
  EXPECT_EQ(submit_json(R"({"run":["x"]})", {{"Idempotency-Key", "k"}}).status, 409);
}

TEST_F(Jobs, ActionsTakeNoContent) {
  const auto id = backend.add_job(simple_spec()).id;
  EXPECT_EQ(post(path(id, "/cancel"), "application/json", R"({"force":true})").status, 400);
  EXPECT_EQ(post(path(id, "/cancel"), "text/plain", "{}").status, 415);
  EXPECT_EQ(post(path(id, "/cancel?force=1")).status, 400);
  EXPECT_EQ(backend.state_of(id), JobState::queued);
}

TEST_F(Jobs, OnlyAcceptableTypesAreSent) {
  EXPECT_EQ(get("/api/v1/jobs", {{"Accept", "text/html"}}).status, 406);
  EXPECT_EQ(get("/api/v1/jobs", {{"Accept", "text/html, */*;q=0.1"}}).status, 200);
}

}  // namespace
}  // namespace ym::api
