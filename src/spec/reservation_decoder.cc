#include "spec/reservation_decoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/documents.h"
#include "spec/text/field.h"
#include "spec/text/text_check.h"
#include "spec/text/value.h"

namespace ym {
namespace {

using spec::Field;
using spec::MapReader;

constexpr std::size_t kMaxMessage = 1024;
constexpr std::size_t kMaxWho = 1000;
constexpr Duration kLongest = hours(366 * 24);
constexpr Duration kFarthest = hours(10 * 366 * 24);

Instant turn_at_or_before(Instant time) { return {time.ms / 60'000 * 60'000}; }
Instant turn_at_or_after(Instant time) { return turn_at_or_before({time.ms + 59'999}); }

std::vector<std::string> read_strings(const Field& field, std::string_view what) {
  std::vector<std::string> strings;
  const auto items = read_list(field, what);
  for (const auto& item : items.value_or(std::vector<Field>()))
    if (auto text = read_string(item)) strings.push_back(std::move(*text));
  if (strings.size() > kMaxWho) field.wrong(fmt::format("more than {} {}", kMaxWho, what));
  return strings;
}

std::vector<std::string> read_nodes(const Field& field) {
  std::vector<std::string> nodes;
  for (const auto& pattern : read_strings(field, "nodes")) {
    auto names = expand_names(pattern);
    if (!names) field.wrong(names.error().message);
    else nodes.insert(nodes.end(), names->begin(), names->end());
  }
  std::ranges::sort(nodes);
  const auto repeated = std::ranges::unique(nodes);
  nodes.erase(repeated.begin(), repeated.end());
  if (nodes.size() > kMaxReservedNodes) field.wrong(fmt::format("more than {} nodes", kMaxReservedNodes));
  return nodes;
}

class RequestReader {
 public:
  RequestReader(const Field& field, Instant now) : field_(field), map_(field), now_(now) {}

  ReservationRequest read() {
    AdvanceReservation& wanted = request_.wanted;
    if (auto name = map_.require("name", "give the reservation a name")) wanted.name = read_name(*name).value_or("");
    read_times();
    read_place();
    if (auto users = map_.find("users")) wanted.users = read_strings(*users, "users");
    if (auto queues = map_.find("queues")) wanted.queues = read_strings(*queues, "queues");
    if (auto message = map_.find("message")) {
      wanted.message = read_string(*message).value_or("");
      if (wanted.message.size() > kMaxMessage || spec::has_control_characters(wanted.message))
        message->wrong(fmt::format("at most {} bytes without control characters", kMaxMessage));
    }
    if (auto ignore = map_.find("ignore_jobs")) request_.ignore_jobs = read_flag(*ignore).value_or(false);
    map_.finish();
    return std::move(request_);
  }

 private:
  void wrong(std::string_view key, std::string message) const {
    field_.child(key, *field_.value).wrong(std::move(message));
  }

  void read_times() {
    AdvanceReservation& wanted = request_.wanted;
    Instant from = now_;
    if (auto time = map_.find("from")) {
      from = read_time(*time).value_or(now_);
      if (from > now_ + kFarthest) time->wrong("is more than ten years ahead");
    }
    const auto until = map_.find("until"), duration = map_.find("duration");
    if (until.has_value() == duration.has_value())
      return wrong("until", "write this or duration: the end of the reservation, or its length");
    Instant end = from;
    if (until) end = read_time(*until).value_or(from + minutes(1));
    else end = from + read_duration(*duration, minutes(1), kLongest).value_or(minutes(1));
    if (end <= std::max(from, now_)) (until ? until : duration)->wrong("it would end before it begins, or before now");
    if (until && end - from > kLongest) until->wrong("is more than a year after the begin");
    wanted.from = turn_at_or_before(from);
    wanted.until = turn_at_or_after(end);
  }

  void read_place() {
    const auto nodes = map_.find("nodes"), count = map_.find("node_count");
    if (nodes.has_value() == count.has_value()) wrong("nodes", "write this or node_count: the nodes, or their number");
    if (nodes) request_.wanted.nodes = read_nodes(*nodes);
    if (nodes && request_.wanted.nodes.empty()) nodes->wrong("names no node");
    if (count) request_.node_count = read_whole_number(*count, 1, kMaxReservedNodes);
    for (const auto& [key, out] : {std::pair{"flavor", &request_.flavor}, std::pair{"cluster", &request_.cluster}}) {
      const auto found = map_.find(key);
      if (found && nodes) found->wrong("is for node_count; leave it out if nodes are named");
      if (found) *out = read_name(*found).value_or("");
    }
  }

  const Field& field_;
  MapReader map_;
  Instant now_;
  ReservationRequest request_;
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
