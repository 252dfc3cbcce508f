#include "control/history/segment_commands.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "model/tables.h"

namespace ym {

Result<AccessChange> change_of(const AddHistorySegment& command, const AccessContext& context) {
  YM_ASSERT(context.caller.kind == CallerKind::server);
  const auto& segments = context.tables.history_segments;
  const HistorySegment& added = command.segment;
  const std::uint64_t before = segments.empty() ? 0 : segments.rbegin()->second.to;
  if (added.from != before + 1 || added.to < added.from || added.to >= context.tables.last_seq)
    return fail(ErrorCode::conflict,
                fmt::format("a segment with events {} to {} does not follow event {}", added.from, added.to, before));
  AccessChange change;
  change.events.emplace_back(HistorySegmentSet{added});
  return change;
}

Result<AccessChange> change_of(const RemoveHistorySegment& command, const AccessContext& context) {
  YM_ASSERT(context.caller.kind == CallerKind::server);
  const auto& segments = context.tables.history_segments;
  if (!segments.contains(command.segment))
    return fail(ErrorCode::not_found, fmt::format("there is no segment '{}'", command.segment));
  if (segments.rbegin()->first == command.segment)
    return fail(ErrorCode::conflict, fmt::format("'{}' is the last segment: later seals follow it", command.segment));
  AccessChange change;
  change.events.emplace_back(HistorySegmentRemoved{command.segment});
  return change;
}

}  // namespace ym
