#include "archive/segment_check.h"

#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <deque>
#include <utility>

#include "archive/segment_file.h"
#include "model/json/codec.h"

namespace ym {
namespace {

namespace bj = boost::json;

// Of an event without a specification.
Result<EventPayload> payload_of(const StoredColumns& event) {
  bj::error_code error;
  const auto payload = bj::parse(event.payload, error, {}, {.allow_invalid_utf8 = true});
  return error ? Result<EventPayload>(fail(ErrorCode::corrupt, fmt::format("event {} is no JSON", event.seq)))
               : ym::json::decode_event(event.type, payload, nullptr);
}

Result<Event> seal_of(const StoredColumns& event) {
  auto decoded = payload_of(event);
  if (!decoded) return std::unexpected(decoded.error());
  if (std::holds_alternative<LogSealed>(*decoded))
    return Event{.seq = static_cast<std::uint64_t>(event.seq),
                 .time = Instant{event.time},
                 .actor = event.actor,
                 .reason = event.reason,
                 .payload = std::move(*decoded)};
  return fail(ErrorCode::corrupt, "a seal of the segment is none");
}

class Check {
 public:
  Result<void> take(const bj::object& line) {
    if (line.contains("yardmaster_history") && !begun_) return begin(line);
    if (ended_) return fail(ErrorCode::corrupt, "it has lines after its end");
    if (!begun_) return fail(ErrorCode::corrupt, "it is no segment of the history");
    if (line.contains("seq")) return take_event(line);
    if (line.contains("job")) return ++checked_.jobs, Result<void>();
    if (const auto* last = line.if_contains("seal"); last != nullptr && last->is_object())
      return end(last->as_object());
    return fail(ErrorCode::corrupt, "it has a line of an unknown kind");
  }
  Result<CheckedSegment> done() {
    const bool whole = begun_ && checked_.events > 0 && checked_.end.to == checked_.to &&
                       checked_.from + static_cast<std::uint64_t>(checked_.events) == checked_.to + 1;
    if (whole) return std::move(checked_);
    return fail(ErrorCode::corrupt, "its end is missing");
  }

 private:
  static std::uint64_t number(const bj::object& in, std::string_view name) {
    const auto* found = in.if_contains(name);
    return found != nullptr && found->is_int64() ? static_cast<std::uint64_t>(found->get_int64()) : 0;
  }

  Result<void> begin(const bj::object& line) {
    begun_ = true;
    checked_.from = number(line, "from");
    checked_.to = number(line, "to");
    if (const auto* before = line.if_contains("before"); before != nullptr && before->is_object()) {
      checked_.before.to = number(before->as_object(), "to");
      if (const auto* chain = before->as_object().if_contains("chain"); chain != nullptr && chain->is_string())
        checked_.before.chain = chain->get_string();
    }
    if (const auto* erased = line.if_contains("erased"); erased != nullptr && erased->is_array())
      for (const auto& entry : erased->get_array())
        if (auto one = erased_seal_of(entry)) erased_.insert_or_assign(one->seal, std::move(one->digest));
    checked_.end = checked_.before;
    if (number(line, "yardmaster_history") == kHistoryFormat && checked_.before.to + 1 == checked_.from) return {};
    return fail(ErrorCode::corrupt, "its first line is not that of a segment which this version knows");
  }

  Result<void> take_event(const bj::object& line) {
    const auto event = event_of(line, last_spec_);
    if (!event) return std::unexpected(event.error());
    const auto expected = checked_.from + static_cast<std::uint64_t>(checked_.events);
    if (!std::cmp_equal(event->seq, expected))
      return fail(ErrorCode::corrupt, fmt::format("event {} is missing", expected));
    if (checked_.events == 0) checked_.first_at = Instant{event->time};
    checked_.last_at = Instant{event->time};
    ++checked_.events;
    const bool is_seal = event->type == LogSealed::kType;
    leaves_.push_back(leaf_of({.seq = expected, .bytes = bytes_of(*event), .is_seal = is_seal}));
    if (event->type == ErasureSet::kType) return take_erasure(*event);
    return is_seal ? take_seal(*event) : Result<void>();
  }

  Result<void> take_erasure(const StoredColumns& event) {
    const auto payload = payload_of(event);
    if (!payload) return std::unexpected(payload.error());
    if (const auto* set = std::get_if<ErasureSet>(&*payload);
        set != nullptr && std::cmp_equal(set->row.event, event.seq))
      checked_.erasures.push_back(set->row);
    return {};
  }

  // The first seal may be of the segment before.
  Result<void> take_seal(const StoredColumns& event) {
    const auto read = seal_of(event);
    if (!read) return std::unexpected(read.error());
    const auto named = erased_.find(read->seq);
    const bool explained = named != erased_.end() && named->second == digest_of_seal(*read);
    if (explained && excused_.seals.insert(read->seq).second)
      checked_.explained.push_back({.seal = read->seq, .digest = named->second});
    excused_.list = explained;
    const auto* seal = &std::get<LogSealed>(read->payload);
    if (seal->to <= checked_.before.to) return {};
    checked_.erased += explained ? 1 : 0;
    const std::vector<SealLeaf> span(
        leaves_.begin(), leaves_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                               leaves_.size(), seal->to + 1 - std::min(seal->to + 1, seal->from))));
    if (const auto fault = check_seal(checked_.end, *seal, span, excused_))
      return fail(ErrorCode::corrupt, fmt::format("event {}: {}", fault->seq, fault->what));
    leaves_.erase(leaves_.begin(), leaves_.begin() + static_cast<std::ptrdiff_t>(span.size()));
    checked_.end = {.to = seal->to, .chain = seal->chain};
    checked_.heads.push_back(checked_.end);
    return {};
  }

  Result<void> end(const bj::object& line) {
    ended_ = true;
    const auto event = event_of(line, last_spec_);
    if (!event) return std::unexpected(event.error());
    return take_seal(*event);
  }

  CheckedSegment checked_;
  bool begun_ = false, ended_ = false;
  ErasedSeals erased_;
  Excused excused_;
  std::string last_spec_;
  std::deque<SealLeaf> leaves_;  // of events without a seal so far
};

}  // namespace

Result<CheckedSegment> check_segment(const std::filesystem::path& path, const std::function<bool()>& go_on) {
  auto lines = SegmentLines::open(path);
  if (!lines) return std::unexpected(lines.error());
  const auto located = [&](const Error& error) {
    return fail(error.code, fmt::format("{}: {}", path.filename().string(), error.message));
  };
  Check check;
  for (;;) {
    const auto line = lines->next();
    if (!line) return std::unexpected(line.error());
    if (!*line) break;
    if (go_on && !go_on()) return fail(ErrorCode::unavailable, "the server ends");
    if (const auto taken = check.take(**line); !taken) return located(taken.error());
  }
  auto done = check.done();
  return done ? std::move(done) : located(done.error());
}

}  // namespace ym
