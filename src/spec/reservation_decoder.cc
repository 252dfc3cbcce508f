#include "spec/reservation_decoder.h"

#include <algorithm>

#include "spec/keys/read.h"
#include "spec/keys/reservation.h"
#include "spec/text/value.h"

namespace ym {
namespace {

using keys::WrittenReservation;
using spec::Field;
using spec::MapReader;

constexpr Duration kFarthest = hours(10 * 366 * 24);

Instant turn_at_or_before(Instant time) { return {time.ms / 60'000 * 60'000}; }
Instant turn_at_or_after(Instant time) { return turn_at_or_before({time.ms + 59'999}); }

std::vector<std::string> each_once(std::vector<std::string> nodes) {
  std::ranges::sort(nodes);
  const auto repeated = std::ranges::unique(nodes);
  nodes.erase(repeated.begin(), repeated.end());
  return nodes;
}

// Checks across keys.
class RequestReader {
 public:
  RequestReader(const Field& field, Instant now) : field_(field), map_(field), now_(now) {}

  ReservationRequest read() {
    if (field_.value->kind != spec::Value::Kind::map) return {};
    WrittenReservation written;
    keys::read_keys(map_, written);
    map_.finish();
    set_times(written);
    check_place();
    wanted_.name = std::move(written.name);
    wanted_.nodes = each_once(std::move(written.nodes));
    wanted_.users = std::move(written.users);
    wanted_.queues = std::move(written.queues);
    wanted_.message = std::move(written.message);
    return {.wanted = std::move(wanted_),
            .node_count = written.node_count,
            .flavor = std::move(written.flavor),
            .cluster = std::move(written.cluster),
            .ignore_jobs = written.ignore_jobs};
  }

 private:
  void wrong(std::string_view key, std::string message) const {
    field_.child(key, *field_.value).wrong(std::move(message));
  }

  void set_times(const WrittenReservation& written) {
    const Instant from = written.from.value_or(now_);
    if (from > now_ + kFarthest) map_.find("from")->wrong("is more than ten years ahead");
    const auto until = map_.find("until"), duration = map_.find("duration");
    if (until.has_value() == duration.has_value())
      return wrong("until", "write this or duration: the end of the reservation, or its length");
    const Instant end = written.until.value_or(from + written.duration.value_or(minutes(1)));
    if (end <= std::max(from, now_)) (until ? until : duration)->wrong("it would end before it begins, or before now");
    if (until && end - from > keys::kLongestReservation) until->wrong("is more than a year after the begin");
    wanted_.from = turn_at_or_before(from);
    wanted_.until = turn_at_or_after(end);
  }

  void check_place() {
    const auto nodes = map_.find("nodes"), count = map_.find("node_count");
    if (nodes.has_value() == count.has_value()) wrong("nodes", "write this or node_count: the nodes, or their number");
    if (!nodes) return;
    if (nodes->value->kind == spec::Value::Kind::list && nodes->value->items.empty()) nodes->wrong("names no node");
    for (const auto* key : {"flavor", "cluster"})
      if (const auto found = map_.find(key)) found->wrong("is for node_count; leave it out if nodes are named");
  }

  const Field& field_;
  MapReader map_;
  Instant now_;
  AdvanceReservation wanted_;
};

}  // namespace

Result<ReservationRequest> parse_reservation(std::string_view json, Instant now) {
  const auto value = spec::read_json(json);
  if (!value) return std::unexpected(value.error());
  spec::Problems problems;
  const Field root{&*value, "", &problems};
  auto request = RequestReader(root, now).read();
  if (!problems.empty()) return std::unexpected(problems.error());
  return request;
}

}  // namespace ym
