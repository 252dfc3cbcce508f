#include "store/rows/cells.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <list>

#include "base/testing/sentences.h"
#include "model/json/codec.h"
#include "store/rows/assembly.h"
#include "store/rows/documents.h"
#include "store/rows/row_sum.h"
#include "store/rows/testing/test_support.h"

namespace ym::rows {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A row as a database returns it.
template <std::size_t N>
Cells row_of(const std::array<Cell, N>& cells) {
  Cells row;
  std::ranges::copy(cells, row.begin());
  return row;
}

// A history, and the documents that its rows point to.
class Rows : public ::testing::Test {
 protected:
  Rows() { history_.next(400); }
  const std::string& kept(std::string document) { return documents_.emplace_back(std::move(document)); }

  testing::RandomHistory history_{81};
  std::list<std::string> documents_;
};

TEST_F(Rows, LeadBackToWhatTheyWereMadeOf) {
  for (const auto& [id, job] : history_.tables().jobs) {
    const auto document = must(open_job(row_of(cells(job, kept(json::encode(job))))));
    EXPECT_EQ(document.spec, job.spec_id);
    EXPECT_EQ(must(read_job(document, job.spec)), job);
  }
  for (const auto& [key, attempt] : history_.tables().attempts)
    EXPECT_EQ(must(read_attempt(row_of(cells(attempt, kept(json::encode(attempt)))))), attempt);
  for (const auto& event : history_.events()) {
    const auto document = must(open_event(row_of(cells(event, kept(json::encode(event.payload))))));
    const auto* submitted = std::get_if<JobSubmitted>(&event.payload);
    EXPECT_EQ(document.spec, submitted ? std::optional(submitted->job.spec_id) : std::nullopt);
    EXPECT_EQ(must(read_event(document, submitted ? submitted->job.spec : nullptr)), event);
  }
}

TEST_F(Rows, AColumnThatSaysSomethingElseIsFound) {
  const auto& job = history_.tables().jobs.begin()->second;
  const auto row = row_of(cells(job, kept(json::encode(job))));
  for (std::size_t column = 0; column < kJobDocument; ++column) {
    auto bent = row;
    bent[column] = std::string_view("else");
    ym::testing::expect_refused(read_job(must(open_job(bent)), job.spec), ErrorCode::corrupt);
  }
  const auto& attempt = history_.tables().attempts.begin()->second;
  auto bent = row_of(cells(attempt, kept(json::encode(attempt))));
  bent[1] = std::int64_t{99};
  EXPECT_FALSE(read_attempt(bent));
}

// The key may be the damaged column, and the document the only one that says which job it is.
TEST_F(Rows, OneWithTheDocumentOfAnotherIsNamedByBoth) {
  const auto said = [](const auto& read) { return read ? std::string() : read.error().message; };
  const auto& job = history_.tables().jobs.begin()->second;
  auto bent = row_of(cells(job, kept(json::encode(job))));
  bent[0] = std::int64_t{987'654};
  EXPECT_THAT(said(read_job(must(open_job(bent)), job.spec)),
              AllOf(HasSubstr("987654"), HasSubstr(fmt::format("{}", job.id.value))));
  const auto& attempt = history_.tables().attempts.begin()->second;
  auto moved = row_of(cells(attempt, kept(json::encode(attempt))));
  moved[1] = std::int64_t{987'654};
  EXPECT_THAT(said(read_attempt(moved)), AllOf(HasSubstr(fmt::format("{}.987654", attempt.job.value)),
                                               HasSubstr(fmt::format("{}.{}", attempt.job.value, attempt.number))));
  Tables tables;
  const auto queue = kept(json::encode(Queue{.name = "research"}));
  EXPECT_THAT(said(read_named(row_of(cells("vision", queue)), "queues", tables)),
              AllOf(HasSubstr("'vision'"), HasSubstr("'research'")));
}

TEST_F(Rows, NonsenseIsRefused) {
  for (const auto* text : {"", "{", "[]", "{}", "17", "{\"job\": 1}", "\xff"}) {
    Cells row;
    row.fill(std::string_view(text));
    row[2] = std::string_view("job.submitted");
    EXPECT_FALSE(open_job(row)) << text;
    EXPECT_FALSE(open_event(row)) << text;
    Tables tables;
    EXPECT_FALSE(read_named(row, "queues", tables)) << text;
    EXPECT_FALSE(SpecCache().add(SpecId{1}, text)) << text;
  }
  Cells record;
  record[3] = std::string_view("[1, \"two\"]");
  EXPECT_FALSE(read_idempotency(record));
}

TEST_F(Rows, RecordsLeadBackToo) {
  const IdempotencyRecord record{"ann", "key", "hash", {JobId{1}, JobId{7}}, {5}};
  const auto list = list_of(record.jobs);
  EXPECT_EQ(list, "[1,7]");
  EXPECT_EQ(must(read_idempotency(row_of(cells(record, list)))), record);
  const TokenRecord token{"aa", "ann", "admin", {5}};
  EXPECT_EQ(read_token(row_of(cells(token))), token);
}

TEST(SpecCache, RemembersSoMuch) {
  SpecCache cache;
  JobSpec spec{.name = "fat", .run = {.words = {"true"}}, .workdir = "/"};
  spec.env["BULK"] = std::string(700'000, 'b');
  const auto doc = json::encode(spec);
  must(cache.add(SpecId{1}, doc));
  cache.make_room();
  EXPECT_TRUE(cache.find(SpecId{1}));
  must(cache.add(SpecId{2}, doc));
  cache.make_room();
  EXPECT_FALSE(cache.find(SpecId{1}));
  EXPECT_EQ(cache.decoded_bytes(), 2 * doc.size());
}

TEST(RowSum, IsWhatFilesHave) {
  RowSum sum("jobs");
  for (const auto& cell : {Cell(std::int64_t{7}), Cell(std::string_view("ann")), Cell()}) sum.add_cell(cell);
  RowSum same("jobs");
  same.add(std::int64_t{7});
  same.add(std::string_view("ann"));
  same.add(std::nullopt);
  EXPECT_EQ(sum.value(), same.value());
  EXPECT_EQ(sum.value(), 1982600706145117961) << "rows that are stored would count as damaged";
}

// Table meta reveals rows that a table lost, and rows that it should not have.
TEST(Assembly, HoldsRowsAgainstMeta) {
  testing::RandomHistory history(82);
  history.next(400);
  const auto tables = testing::unfinished(history.tables());
  const auto meta = Meta().after(history.events());
  EXPECT_EQ(meta.unfinished, std::ssize(tables.jobs));
  Assembly whole(meta), lossy(meta);
  for (const auto& [id, job] : tables.jobs) {
    must(whole.add(job));
    if (id != tables.jobs.begin()->first) must(lossy.add(job));
  }
  for (const auto& [key, attempt] : tables.attempts) {
    whole.add(attempt);
    if (key != tables.attempts.rbegin()->first) lossy.add(attempt);
  }
  must(whole.check_last(history.events().back()));
  must(whole.check_jobs());
  must(whole.check_attempts());
  EXPECT_EQ(whole.take().tables.jobs, tables.jobs);
  EXPECT_FALSE(whole.check_last(std::nullopt));
  EXPECT_FALSE(lossy.check_jobs());
  EXPECT_FALSE(lossy.check_attempts());
}

TEST(Assembly, TakesGapsBeforeAdoptedAttemptsAlone) {
  const auto is_whole = [](std::int32_t made, const std::vector<Attempt>& attempts) {
    Assembly rows({.last_id = 7, .unfinished = 1});
    Job job{.id = {7}, .spec = std::make_shared<JobSpec>()};
    job.attempts = made;
    must(rows.add(job));
    for (const auto& attempt : attempts) rows.add(attempt);
    return rows.check_attempts().has_value();
  };
  const auto attempt = [](std::int32_t number, bool adopted) {
    Attempt row{.job = {7}, .number = number};
    row.adopted = adopted;
    return row;
  };
  EXPECT_TRUE(is_whole(2, {attempt(1, false), attempt(2, false)}));
  EXPECT_TRUE(is_whole(5, {attempt(1, false), attempt(4, true), attempt(5, false)}));
  EXPECT_FALSE(is_whole(3, {attempt(1, false), attempt(3, false)}));
  EXPECT_FALSE(is_whole(5, {attempt(1, false), attempt(4, true)})) << "the last is missing";
  EXPECT_FALSE(is_whole(1, {}));
}

}  // namespace
}  // namespace ym::rows
