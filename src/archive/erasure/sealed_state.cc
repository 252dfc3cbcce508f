#include "archive/erasure/sealed_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "archive/segment_check.h"
#include "archive/segment_file.h"
#include "control/audit/verification.h"

namespace ym {
namespace {

namespace fs = std::filesystem;

std::vector<Erasure> stored_erasures(const Tables& tables) {
  std::vector<Erasure> rows;
  for (const auto& [name, row] : tables.erasures) rows.push_back(row);
  return rows;
}

// A segment says itself which of its seals are explained. That counts if an erasure says the same.
Result<void> check_explained(const CheckedSegment& segment, const ErasedSeals& erased) {
  for (const ErasedSeal& one : segment.explained) {
    const auto found = erased.find(one.seal);
    if (found == erased.end() || found->second != one.digest)
      return fail(ErrorCode::corrupt,
                  fmt::format("event {}: the list of this seal was changed, and no erasure says so", one.seal));
  }
  return {};
}

// The segments, one after the other; the oldest ones may be deleted.
class SegmentsInOrder {
 public:
  explicit SegmentsInOrder(const fs::path& folder) : folder_(folder) {}

  Result<void> take(const HistorySegment& row) {
    auto checked = check_segment(folder_ / row.name);
    if (!checked) return std::unexpected(checked.error());
    const bool follows = checked_.empty() || checked->before == checked_.back().end;
    if (!follows || checked->from != row.from || checked->end != SealHead{.to = row.to, .chain = row.chain})
      return fail(ErrorCode::corrupt,
                  fmt::format("event {}: {} is not the segment that was stored", row.from, row.name));
    checked->heads.clear();
    checked_.push_back(std::move(*checked));
    return {};
  }
  // `erasures`: of the events in the database.
  Result<void> check_erasures(std::vector<Erasure> erasures) const {
    for (const auto& segment : checked_) std::ranges::copy(segment.erasures, std::back_inserter(erasures));
    const auto erased = seals_of(erasures);
    for (const auto& segment : checked_)
      if (auto right = check_explained(segment, erased); !right) return right;
    return {};
  }

 private:
  const fs::path& folder_;
  std::vector<CheckedSegment> checked_;
};

Result<void> check_events(StoreReader& reader, const Tables& tables, const ErasedSeals& erased) {
  VerifiedTo at;
  if (!tables.history_segments.empty()) {
    const HistorySegment& last = std::prev(tables.history_segments.end())->second;
    at = {.head = {.to = last.to, .chain = last.chain}, .seal = last.seal};
  }
  for (;;) {
    const auto part = verify_part(reader, at, tables.last_seq, erased);
    if (!part) return std::unexpected(part.error());
    if (part->fault) return fail(ErrorCode::corrupt, fmt::format("event {}: {}", part->fault->seq, part->fault->what));
    if (!part->more) return {};
    at = part->end;
  }
}

}  // namespace

Result<void> check_stored_files(const Tables& tables, const fs::path& folder) {
  for (const auto& [name, row] : tables.history_segments) {
    const auto path = folder / row.name;
    std::error_code error;
    const bool is_there = fs::exists(path, error);
    const auto hash = is_there ? sha256_of_file(path) : Result<std::string>();
    if (!hash) return std::unexpected(hash.error());
    if (*hash != row.sha256)
      return fail(ErrorCode::corrupt,
                  fmt::format("{} {}: the folder of the segments has to be of the time of the database", path.string(),
                              is_there ? "is another file than the one that was stored" : "is missing"));
  }
  return {};
}

Result<void> check_sealed_state(StoreReader& reader, const Tables& tables, const fs::path& folder) {
  if (auto right = check_stored_files(tables, folder); !right) return right;
  SegmentsInOrder segments(folder);
  for (const auto& [name, row] : tables.history_segments)
    if (auto taken = segments.take(row); !taken) return taken;
  const auto confirmed = confirmed_erasures(reader, stored_erasures(tables));
  if (!confirmed) return std::unexpected(confirmed.error());
  if (auto right = segments.check_erasures(*confirmed); !right) return right;
  return check_events(reader, tables, seals_of(*confirmed));
}

}  // namespace ym
