#include "archive/erasure/erased_log.h"

#include <fmt/format.h>

#include <boost/json/parse.hpp>

#include "model/json/codec.h"

namespace ym {
namespace {

Result<Event> event_with_seal(const StoredColumns& columns) {
  boost::json::error_code error;
  const auto payload = boost::json::parse(columns.payload, error, {}, {.allow_invalid_utf8 = true});
  if (error) return fail(ErrorCode::corrupt, fmt::format("event {}: a seal is no JSON", columns.seq));
  auto decoded = json::decode_event(columns.type, payload, nullptr);
  if (!decoded) return std::unexpected(decoded.error());
  return Event{.seq = static_cast<std::uint64_t>(columns.seq),
               .time = Instant{columns.time},
               .actor = columns.actor,
               .reason = columns.reason,
               .payload = std::move(*decoded)};
}

std::string hash_of(const StoredColumns& event) {
  return leaf_of({.seq = static_cast<std::uint64_t>(event.seq), .bytes = bytes_of(event)}).hash;
}

}  // namespace

Result<std::optional<StoredColumns>> ErasedLog::next(const StoredColumns& event) {
  if (event.seq == 1) return std::nullopt;
  if (event.type == LogSealed::kType) return next_seal(event);
  auto changed = redaction_.event(event);
  if (!changed) return fail(changed.error().code, fmt::format("event {}: {}", event.seq, changed.error().message));
  if (!*changed) return std::nullopt;
  const auto seq = static_cast<std::uint64_t>(event.seq);
  before_.insert_or_assign(seq, hash_of(event));
  now_.insert_or_assign(seq, hash_of(**changed));
  return changed;
}

// Seals that were made after this one have the hash of how it was. They stay: the erasure names this one.
Result<std::optional<StoredColumns>> ErasedLog::next_seal(const StoredColumns& event) {
  auto seal = event_with_seal(event);
  if (!seal) return std::unexpected(seal.error());
  auto& payload = std::get<LogSealed>(seal->payload);
  const auto as_it_was = with_leaves(payload, before_);
  if (!as_it_was) return std::nullopt;
  if (*as_it_was != payload)
    return fail(ErrorCode::corrupt,
                fmt::format("events {} to {} are not as they were sealed; `ym audit verify` names the first one",
                            payload.from, payload.to));
  payload = with_leaves(payload, now_).value_or(payload);
  seals_.insert_or_assign(seal->seq, digest_of_seal(*seal));
  StoredColumns now = event;
  now.payload = json::encode(seal->payload);
  return std::optional(std::move(now));
}

std::vector<ErasedSeal> ErasedLog::seals() const {
  std::vector<ErasedSeal> list;
  for (const auto& [seal, digest] : seals_) list.push_back({.seal = seal, .digest = digest});
  return list;
}

}  // namespace ym
