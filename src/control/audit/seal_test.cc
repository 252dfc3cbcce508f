#include "control/audit/seal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "control/audit/verification.h"

namespace ym {
namespace {

StoredEvent event(std::uint64_t seq, std::string bytes = "event") { return {.seq = seq, .bytes = std::move(bytes)}; }

std::vector<SealLeaf> leaves(std::span<const StoredEvent> events) {
  std::vector<SealLeaf> all;
  std::ranges::transform(events, std::back_inserter(all), leaf_of);
  return all;
}

std::vector<StoredEvent> sample() {
  std::vector<StoredEvent> events;
  for (std::uint64_t seq = 1; seq <= 20; ++seq) events.push_back(event(seq, "event " + std::to_string(seq)));
  return events;
}

std::uint64_t fault(const SealHead& before, const LogSealed& seal, const std::vector<StoredEvent>& events) {
  const auto found = check_seal(before, seal, leaves(events));
  return found ? found->seq : 0;
}

TEST(Seal, HoldsForWhatWasSealed) {
  const auto events = sample();
  const auto seal = make_seal({}, leaves(events));
  EXPECT_EQ(seal.from, 1u);
  EXPECT_EQ(seal.to, 20u);
  EXPECT_EQ(seal.chain.size(), 64u);
  EXPECT_EQ(fault({}, seal, events), 0u);
}

TEST(Seal, EachChangedByteIsFoundAndNamed) {
  const auto events = sample();
  const auto seal = make_seal({}, leaves(events));
  for (std::size_t i = 0; i < events.size(); ++i)
    for (std::size_t byte = 0; byte < events[i].bytes.size(); ++byte) {
      auto changed = events;
      changed[i].bytes[byte] = static_cast<char>(changed[i].bytes[byte] ^ 1);
      EXPECT_EQ(fault({}, seal, changed), events[i].seq);
    }
}

TEST(Seal, WhatIsLeftOutSwappedPutInOrCutOffIsFound) {
  const auto events = sample();
  const auto seal = make_seal({}, leaves(events));
  for (std::size_t i = 0; i < events.size(); ++i) {
    auto without = events;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(fault({}, seal, without), events[i].seq);
    auto cut = events;
    cut.resize(i);
    EXPECT_EQ(fault({}, seal, cut), events[i].seq);
  }
  auto swapped = events;
  std::swap(swapped[3].bytes, swapped[4].bytes);
  EXPECT_EQ(fault({}, seal, swapped), 4u);
}

TEST(Seal, EachChangedCharacterOfASealIsFound) {
  const auto events = sample();
  const auto seal = make_seal({}, leaves(events));
  for (std::size_t i = 0; i < seal.leaves.size(); ++i) {
    auto changed = seal;
    changed.leaves[i] = changed.leaves[i] == 'A' ? 'B' : 'A';
    EXPECT_NE(fault({}, changed, events), 0u);
  }
  for (std::size_t i = 0; i < seal.chain.size(); ++i) {
    auto changed = seal;
    changed.chain[i] = changed.chain[i] == '0' ? '1' : '0';
    EXPECT_NE(fault({}, changed, events), 0u);
  }
  auto longer = seal;
  longer.to = 21;
  EXPECT_NE(fault({}, longer, events), 0u);
}

TEST(Seal, FollowsTheSealBefore) {
  const auto events = sample();
  const auto first = make_seal({}, leaves(std::span(events).first(10)));
  const SealHead head{.to = first.to, .chain = first.chain};
  const auto rest = std::vector(events.begin() + 10, events.end());
  const auto second = make_seal(head, leaves(rest));
  EXPECT_EQ(fault(head, second, rest), 0u);
  EXPECT_EQ(fault({}, second, rest), 1u) << "the first seal is gone";
  EXPECT_EQ(fault({.to = 10, .chain = "00"}, second, rest), 11u) << "the first seal is another one";
}

// A reader with these events; the seals are at their places.
class Log final : public StoreReader {
 public:
  Result<std::optional<Job>> job(JobId) override { return std::nullopt; }
  Result<std::vector<Job>> jobs(std::span<const JobId>) override { return {}; }
  Result<std::vector<Attempt>> attempts(std::span<const JobId>) override { return {}; }
  Result<std::vector<Job>> jobs(const JobFilter&, std::size_t) override { return {}; }
  Result<std::vector<Event>> events(const EventFilter& filter, std::size_t limit) override {
    std::vector<Event> found;
    for (const auto& seal : seals)
      if (seal.seq > filter.after && (filter.until == 0 || seal.seq <= filter.until) && found.size() < limit &&
          (filter.type.empty() || type_name(seal.payload) == filter.type))
        found.push_back(seal);
    return found;
  }
  Result<std::vector<StoredEvent>> stored_events(std::uint64_t after, std::size_t limit) override {
    std::vector<StoredEvent> found;
    for (const auto& one : stored)
      if (one.seq > after && found.size() < limit) found.push_back(one);
    return found;
  }
  // Adds events and a seal of all that has none.
  void add(int count) {
    for (int i = 0; i < count; ++i) stored.push_back(event(stored.size() + 1, std::to_string(stored.size())));
    const auto seal = make_seal(head, leaves(std::span(stored).subspan(head.to)));
    head = {.to = seal.to, .chain = seal.chain};
    stored.push_back(event(stored.size() + 1, seal.chain + seal.leaves));
    stored.back().is_seal = true;
    seals.push_back({.seq = stored.size(), .time = {}, .actor = "server", .reason = {}, .payload = seal});
  }

  // Rewrites an event as an erasure does. Returns the row of the erasure; its event is in the log.
  Erasure erase(std::uint64_t seq, const std::string& bytes) {
    stored[seq - 1].bytes = bytes;
    const std::map<std::uint64_t, std::string> hashes{{seq, leaf_of(stored[seq - 1]).hash}};
    Erasure row{.name = "erased-" + std::to_string(stored.size()), .event = stored.size() + 1};
    for (Event& seal : seals) {
      const auto* is = std::get_if<LogSealed>(&seal.payload);
      const auto now = is ? with_leaves(*is, hashes) : std::nullopt;
      if (!now) continue;
      seal.payload = *now;
      stored[seal.seq - 1].bytes = now->chain + now->leaves;
      row.seals.push_back({.seal = seal.seq, .digest = digest_of_seal(seal)});
    }
    stored.push_back(event(row.event, "erasure"));
    seals.push_back({.seq = row.event, .time = {}, .actor = "server", .reason = {}, .payload = ErasureSet{row}});
    return row;
  }
  // The first event that is not as it was sealed; 0: there is none.
  std::uint64_t first_fault(const std::vector<Erasure>& rows) {
    const auto erased = confirmed_seals(*this, rows).value();
    VerifiedTo at;
    for (;;) {
      const auto part = verify_part(*this, at, stored.size(), erased).value();
      erased_seals += part.erased;
      if (part.fault) return part.fault->seq;
      if (!part.more) return part.end.head == head ? 0 : stored.size();
      at = part.end;
    }
  }

  std::vector<StoredEvent> stored;
  std::vector<Event> seals;  // and erasures
  SealHead head;
  std::size_t erased_seals = 0;
};

TEST(Verification, GoesThroughAllSealsPartByPart) {
  Log log;
  for (int i = 1; i <= 11; ++i) log.add(i);
  VerifiedTo at;
  std::size_t seals = 0;
  for (bool more = true; more;) {
    const auto part = verify_part(log, at, log.stored.size()).value();
    EXPECT_FALSE(part.fault);
    seals += part.heads.size();
    at = part.end;
    more = part.more;
  }
  EXPECT_EQ(seals, 11u);
  EXPECT_EQ(at.head, log.head);
  EXPECT_EQ((*find_last_seal(log, log.stored.size(), [] { return true; }))->head, log.head);
  EXPECT_FALSE(find_last_seal(log, log.stored.size(), [] { return false; }).value());
}

// Five events and their seal, six times: 1 to 6, 7 to 12, ...
Log sealed_log() {
  Log log;
  for (int i = 0; i < 6; ++i) log.add(5);
  return log;
}

TEST(Erasure, ARewrittenEventIsExplained) {
  Log log = sealed_log();
  const auto head = log.head;
  const std::vector rows{log.erase(8, "someone else")};
  ASSERT_EQ(rows[0].seals.size(), 1u) << "the seals after it keep their lists";
  EXPECT_EQ(log.first_fault(rows), 0u);
  EXPECT_EQ(log.erased_seals, 1u);
  EXPECT_EQ(log.head, head) << "kept heads stay right";
  log.add(3);
  EXPECT_EQ(log.first_fault(rows), 0u) << "also when the erasure is sealed itself";
  EXPECT_EQ(log.first_fault({}), 6u) << "without the erasure it is a change like any other";
}

TEST(Erasure, AnyOtherChangeIsFound) {
  const auto fault_after = [](auto change) {
    Log log = sealed_log();
    std::vector rows{log.erase(8, "someone else")};
    log.add(3);
    change(log, rows);
    return log.first_fault(rows);
  };
  EXPECT_EQ(fault_after([](Log& log, auto&) { log.stored[7].bytes = "eve"; }), 8u) << "the erased event";
  EXPECT_EQ(fault_after([](Log& log, auto&) { log.stored[8].bytes = "eve"; }), 9u) << "another one of its span";
  EXPECT_EQ(fault_after([](Log& log, auto&) { log.stored[20].bytes = "eve"; }), 21u);
}

TEST(Erasure, CountsOnlyAsItsEventSays) {
  const auto fault_after = [](auto change) {
    Log log = sealed_log();
    std::vector rows{log.erase(8, "someone else")};
    log.add(3);
    change(log, rows[0]);
    return log.first_fault(rows);
  };
  EXPECT_EQ(fault_after([](Log&, Erasure& row) { row.event = 0; }), 6u);
  EXPECT_EQ(fault_after([](Log&, Erasure& row) { row.event = 3; }), 6u);
  EXPECT_EQ(fault_after([](Log&, Erasure& row) { row.reason = "another"; }), 6u);
  EXPECT_EQ(fault_after([](Log&, Erasure& row) { row.seals[0].digest = "00"; }), 6u);
  EXPECT_EQ(fault_after([](Log& log, Erasure&) {
              auto& seal = std::get<LogSealed>(log.seals[1].payload);
              seal.leaves[0] = seal.leaves[0] == 'A' ? 'B' : 'A';
            }),
            6u)
      << "its list was changed afterwards";
}

TEST(Erasure, TheLastOneOfASealCounts) {
  Log log = sealed_log();
  std::vector rows{log.erase(8, "someone else")};
  log.add(3);
  rows.push_back(log.erase(9, "and another"));
  log.add(3);
  EXPECT_EQ(log.first_fault(rows), 0u);
  EXPECT_EQ(log.first_fault({rows[0]}), 6u);
  std::ranges::reverse(rows);
  EXPECT_EQ(log.first_fault(rows), 0u) << "by their events, not by the order of the rows";
}

TEST(Verification, EndsBeforeTheFirstFault) {
  Log log;
  for (int i = 0; i < 3; ++i) log.add(5);
  log.stored[8].bytes = "changed";
  const auto part = verify_part(log, {}, log.stored.size()).value();
  ASSERT_TRUE(part.fault);
  EXPECT_EQ(part.fault->seq, 9u);
  EXPECT_EQ(part.end.head.to, 5u);
  EXPECT_EQ(part.heads.size(), 1u);
}

TEST(Verification, WhatIsNotSealedYetMustBeThere) {
  Log log;
  log.add(5);
  for (int i = 0; i < 3; ++i) log.stored.push_back(event(log.stored.size() + 1));
  EXPECT_FALSE(verify_part(log, {}, log.stored.size())->fault);
  EXPECT_EQ(verify_part(log, {}, log.stored.size() + 1)->fault->seq, log.stored.size() + 1);
  log.stored.erase(log.stored.begin() + 7);
  EXPECT_EQ(verify_part(log, {}, 9)->fault->seq, 8u);
}

TEST(Verification, ASealThatIsGoneIsFound) {
  Log log;
  for (int i = 0; i < 3; ++i) log.add(5);
  log.seals.erase(log.seals.begin() + 1);
  const auto part = verify_part(log, {}, log.stored.size()).value();
  ASSERT_TRUE(part.fault);
  EXPECT_EQ(part.fault->seq, 6u);
}

}  // namespace
}  // namespace ym
