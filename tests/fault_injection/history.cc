#include "fault_injection/history.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "archive/segment_check.h"
#include "control/audit/verification.h"

namespace ym::sim {
namespace {

// Several steps for what a run archives at once.
constexpr std::size_t kStep = 41;

// As control/serve/sealer.h does.
void seal(Incarnation& server) {
  const auto reader = server.store().reader();
  if (!reader) return;
  const auto last = find_last_seal(**reader, server.tables().last_seq, [] { return true; });
  if (!last || !*last) return;
  const auto leaves = read_leaves(**reader, (*last)->head.to, kMostSealed);
  if (!leaves || std::ranges::all_of(*leaves, std::identity(), &SealLeaf::is_seal)) return;
  server.server().post(AuditItem{.seal = make_seal((*last)->head, *leaves), .after = (*last)->seal});
  server.server().settle();
}

// While changes cannot be stored, an answer may come late or never.
template <class T>
Result<T> answer_in(const std::optional<Result<T>>& told) {
  if (!told) return fail(ErrorCode::unavailable, "there is no answer yet");
  return *told;
}

Result<void> execute(Incarnation& server, Command command) {
  const auto told = std::make_shared<std::optional<Result<void>>>();
  server.server().execute(Caller::server(), std::move(command), [told](const Result<CommandReply>& reply) {
    if (reply) told->emplace();
    else told->emplace(std::unexpected(reply.error()));
  });
  server.server().settle();
  return answer_in(*told);
}

std::vector<HistorySegment> rows_of_segments(const Tables& tables) {
  std::vector<HistorySegment> rows;
  for (const auto& [name, row] : tables.history_segments) rows.push_back(row);
  return rows;
}

}  // namespace

History::History(const Retention& kept) : kept_(kept) {
  std::string name = std::filesystem::temp_directory_path() / "ym-history-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = name;
}

History::~History() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void History::look(Incarnation& server) {
  seal(server);
  Archiver archiver(folder_, ports(server));
  archiver.set(kept_);
  (void)archiver.look();
}

Archiver::Ports History::ports(Incarnation& server) {
  return {.reader = [&server] { return server.store().reader(); },
          .now = [&server] { return server.clock().now(); },
          .segments = [&server] { return rows_of_segments(server.tables()); },
          .add = [&server](const HistorySegment& row) { return execute(server, AddHistorySegment{row}); },
          .remove = [this, &server](const HistorySegment& row) { return remove(server, row); },
          .prune = [this, &server](std::uint64_t to, std::size_t) { return prune(server, to); }};
}

Result<Pruned> History::prune(Incarnation& server, std::uint64_t to) {
  const auto reader = server.store().reader();
  if (!reader) return std::unexpected(reader.error());
  const auto first = (*reader)->events({.after = 1, .until = to}, kStep);
  if (!first) return std::unexpected(first.error());
  for (const Event& event : *first) moved_.emplace(event.seq, event);
  const auto told = std::make_shared<std::optional<Result<Pruned>>>();
  server.server().post(PruneItem{to, kStep, [told](Result<Pruned> pruned) { told->emplace(std::move(pruned)); }});
  server.server().settle();
  return answer_in(*told);
}

Result<void> History::remove(Incarnation& server, const HistorySegment& row) {
  removed_.insert_or_assign(row.to + 1, VerifiedTo{.head = {.to = row.to, .chain = row.chain}, .seal = row.seal});
  return execute(server, RemoveHistorySegment{row.name});
}

std::optional<std::string> History::fault(const Tables& tables, StoreReader& reader) const {
  const auto rows = rows_of_segments(tables);
  const auto removed = rows.empty() ? removed_.end() : removed_.find(rows.front().from);
  VerifiedTo at = removed == removed_.end() ? VerifiedTo{} : removed->second;
  for (const HistorySegment& row : rows) {
    const auto checked = check_segment(folder_ / row.name);
    if (!checked) return checked.error().message;
    if (checked->before != at.head || checked->end != SealHead{row.to, row.chain})
      return fmt::format("{} does not go on where the segment before it ends", row.name);
    at = {.head = checked->end, .seal = row.seal};
  }
  for (bool more = true; more;) {
    const auto part = verify_part(reader, at, tables.last_seq);
    if (!part) return part.error().message;
    if (part->fault) return fmt::format("event {}: {}", part->fault->seq, part->fault->what);
    at = part->end;
    more = part->more;
  }
  return std::nullopt;
}

}  // namespace ym::sim
