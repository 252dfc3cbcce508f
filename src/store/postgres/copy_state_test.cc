#include "store/postgres/copy_state.h"

#include <gmock/gmock.h>

#include "store/memory/memory_store.h"
#include "store/postgres/table_sums.h"
#include "store/postgres/testing/proxy.h"
#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

using ::testing::HasSubstr;

class CopyState : public ::testing::Test {
 protected:
  // The state of a server that has run for a while.
  CopyState() {
    grow(*from_, history_, 3000, 40);
    Commit commit;
    for (int n = 0; n < 40; ++n) {
      commit.tokens.push_back({"hash" + std::to_string(n), "ann", "admin", {n}});
      commit.idempotency.push_back({"ann", "key" + std::to_string(n), "hash", {JobId{1}, JobId{2}}, {1000 - n}});
    }
    must(from_->commit(commit));
  }

  // As a server stores it when the events up to this one are in a file.
  void add_segment(std::uint64_t to) {
    Tables tables = must(from_->load()).tables;
    std::vector<Event> events{{.seq = tables.last_seq + 1,
                               .time = tables.last_time,
                               .actor = "server",
                               .reason = "",
                               .payload = HistorySegmentSet{{.name = "t", .from = 1, .to = to, .chain = "ab"}}}};
    Touched touched;
    apply(tables, events.front(), &touched);
    must(from_->commit(make_commit(tables, touched, std::move(events))));
  }

  std::unique_ptr<Store> from_ = make_memory_store(make_memory_disk());
  testing::RandomHistory history_{71};
  PostgresOptions to_ = shared_server().fresh_place();
};

TEST_F(CopyState, AllOfItArrives) {
  const auto copied = copy_state(*from_, {.to = to_});
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(copied->rows.at("events"), history_.events().size());
  EXPECT_EQ(copied->rows.at("jobs"), history_.tables().jobs.size());
  EXPECT_EQ(copied->rows.at("attempts"), history_.tables().attempts.size());
  const auto store = must(open_postgres_store(to_));
  expect_whole(*store, history_);
  const auto before = must(from_->load()), after = must(store->load());
  EXPECT_EQ(after.tables.last_id, before.tables.last_id);
  EXPECT_EQ(after.tables.epoch, before.tables.epoch);
  EXPECT_EQ(after.tokens, before.tokens);
  EXPECT_EQ(after.idempotency, before.idempotency);
  const auto reader = must(store->reader());
  for (const auto& [id, job] : history_.tables().jobs) ASSERT_EQ(must(reader->job(id)), job);
  for (const auto& [key, attempt] : history_.tables().attempts) {
    const auto attempts = must(reader->attempts(key.job));
    ASSERT_THAT(attempts, ::testing::Contains(attempt));
  }
}

TEST_F(CopyState, WorkGoesOnThere) {
  must(copy_state(*from_, {.to = to_}));
  const auto store = must(open_postgres_store(to_));
  grow(*store, history_, 200);
  must(store->expire_idempotency({981}));
  EXPECT_EQ(must(store->load()).idempotency.size(), 20U) << "they expire in the order of their time";
  expect_whole(*store, history_);
}

// The same jobs, attempts and events, up to this one.
void expect_same(StoreReader& one, StoreReader& other, std::uint64_t last) {
  const auto jobs = must(one.jobs({}, 100'000));
  EXPECT_EQ(must(other.jobs({}, 100'000)), jobs) << "with their specifications";
  for (const Job& job : jobs) ASSERT_EQ(must(other.attempts(job.id)), must(one.attempts(job.id)));
  for (std::uint64_t after = 0; after < last;) {
    const auto events = must(one.events({.after = after}, 500));
    ASSERT_EQ(must(other.events({.after = after}, 500)), events);
    ASSERT_FALSE(events.empty());
    after = events.back().seq;
  }
}

TEST_F(CopyState, OfAStateWithSegmentsTheRestArrives) {
  const auto to = history_.tables().last_seq - 400;
  add_segment(to);
  must(from_->prune(to - 300, 100'000));  // a server ended before all of them were deleted
  const auto before = must(from_->load());
  const auto copied = copy_state(*from_, {.to = to_});
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(copied->rows.at("events"), 1 + 700 + 1);
  {
    const auto store = must(open_postgres_store(to_));
    EXPECT_EQ(must(store->load()).tables, before.tables) << "ids and epochs go on";
    expect_same(*must(from_->reader()), *must(store->reader()), before.tables.last_seq);
    // The rest leaves there, too.
    must(store->prune(to, 100'000));
    must(from_->prune(to, 100'000));
    EXPECT_EQ(must(store->load()).tables, before.tables);
    expect_same(*must(from_->reader()), *must(store->reader()), before.tables.last_seq);
  }
}

TEST_F(CopyState, AGapThatNoSegmentHasIsDamage) {
  must(from_->prune(1000, 100'000));
  EXPECT_EQ(copy_state(*from_, {.to = to_}).error().code, ErrorCode::corrupt);
  add_segment(999);
  EXPECT_EQ(copy_state(*from_, {.to = to_}).error().code, ErrorCode::corrupt);
}

TEST_F(CopyState, APlaceThatIsNotEmptyIsRefused) {
  must(must(open_postgres_store(to_))->commit({.tokens = {{"aa", "ann", "admin", {}}}}));
  const auto refused = copy_state(*from_, {.to = to_});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("already"));
}

// A store with a state from a backup.
class SetBack : public Store {
 public:
  explicit SetBack(Store& store) : store_(store) {}
  Result<LoadedState> load() override { return store_.load(); }
  Result<void> commit(const Commit& commit) override { return store_.commit(commit); }
  Result<std::unique_ptr<StoreReader>> reader() override { return store_.reader(); }
  Instant last_time() const override { return store_.last_time(); }
  bool is_set_back() const override { return true; }
  std::uint64_t bytes() const override { return store_.bytes(); }
  Result<void> expire_idempotency(Instant horizon) override { return store_.expire_idempotency(horizon); }
  Result<Pruned> prune(std::uint64_t to, std::size_t limit) override { return store_.prune(to, limit); }
  Result<void> rewrite(const Rewrite& rewrite, const Commit& commit) override {
    return store_.rewrite(rewrite, commit);
  }
  Result<void> compact() override { return store_.compact(); }

 private:
  Store& store_;
};

TEST_F(CopyState, WhatWasSetBackIsSoThere) {
  SetBack from(*from_);
  must(copy_state(from, {.to = to_}));
  {
    const auto store = must(open_postgres_store(to_));
    EXPECT_TRUE(store->is_set_back());
    grow(*store, history_, 10);
  }
  EXPECT_FALSE(must(open_postgres_store(to_))->is_set_back());
}

TEST_F(CopyState, WhatIsRefusedChangesNothingOfAnother) {
  must(must(open_postgres_store(to_))->commit({.tokens = {{"aa", "ann", "admin", {}}}}));
  SetBack from(*from_);
  EXPECT_THAT(copy_state(from, {.to = to_}).error().message, HasSubstr("already"));
  EXPECT_FALSE(must(open_postgres_store(to_))->is_set_back());
  // A dump that is restored at the original's place does the same: the table gets another number.
  const auto shell = must(Connection::open({.conninfo = to_.conninfo, .schema = to_.schema}));
  must(
      shell->execute("ALTER TABLE secrets RENAME TO old; CREATE TABLE secrets(LIKE old INCLUDING ALL); INSERT INTO "
                     "secrets SELECT * FROM old; DROP TABLE old"));
  ASSERT_NE(must(postgres_copy_of(to_)), std::nullopt);
  EXPECT_EQ(copy_state(from, {.to = to_}).error().code, ErrorCode::conflict);
  EXPECT_NE(must(postgres_copy_of(to_)), std::nullopt) << "it is a copy still";
}

TEST_F(CopyState, APlaceThatIsServedIsRefused) {
  const auto serving = must(open_postgres_store(to_));
  EXPECT_THAT(copy_state(*from_, {.to = to_}).error().message, HasSubstr("leads"));
}

TEST_F(CopyState, WhatFailsBeforeTheEndLeavesNothing) {
  const auto refused = copy_state(*from_, {.to = to_, .before_commit = [] { return fail(ErrorCode::io, "no mark"); }});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "no mark");
  EXPECT_TRUE(copy_state(*from_, {.to = to_})) << "it is as empty as it was";
}

// The test changes a written row, as damage would.
TEST_F(CopyState, AnyDifferenceIsFound) {
  must(open_postgres_store(to_));
  const auto shell = must(Connection::open({.conninfo = to_.conninfo, .schema = to_.schema}));
  must(
      shell->execute("CREATE FUNCTION bend() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                     "NEW.actor = NEW.actor || '!'; RETURN NEW; END $$; "
                     "CREATE TRIGGER bend BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.seq = 1234) "
                     "EXECUTE FUNCTION bend()"));
  const auto refused = copy_state(*from_, {.to = to_});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
  EXPECT_THAT(refused.error().message, HasSubstr("table events"));
}

TEST_F(CopyState, ALostConnectionAtTheEndIsNoDoubt) {
  Proxy proxy(shared_server().folder());
  auto to = to_;
  to.conninfo = "host=" + proxy.folder().string() + " dbname=state user=plain";
  to.lease = std::chrono::minutes(5);
  const auto arm = [&]() -> Result<void> {
    proxy.arm({Proxy::Fault::Kind::cut_answer});
    return {};
  };
  const auto copied = copy_state(*from_, {.to = to, .before_commit = arm});
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_FALSE(copied->in_doubt);
  expect_whole(*must(open_postgres_store(to_)), history_);
}

TEST(TableSums, CountRowsWhateverTheirOrder) {
  testing::RandomHistory history(72);
  const auto one = next_commit(history, 200), two = next_commit(history, 100);
  Commit jobs_of_one{.jobs = one.jobs};
  TableSums forth, back;
  forth.add({.events = one.events});
  forth.add({.events = two.events});
  back.add({.events = two.events});
  back.add({.events = one.events});
  EXPECT_EQ(forth.difference_to(back), "");
  back.add(jobs_of_one);
  EXPECT_THAT(forth.difference_to(back), HasSubstr("table jobs: 0 rows"));
}

}  // namespace
}  // namespace ym::postgres
