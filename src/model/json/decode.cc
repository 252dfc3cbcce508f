#include "base/assert.h"
#include "model/flavor_mix.h"
#include "model/json/codec.h"
#include "model/json/row_decoder.h"

namespace ym::json {
namespace {

namespace bj = boost::json;

template <class Payload>
Result<EventPayload> decode_payload(const bj::value& value) {
  auto payload = RowDecoder::decode<Payload>("event", value);
  if (!payload) return std::unexpected(std::move(payload.error()));
  return EventPayload(std::move(*payload));
}

// Older events have flags for two causes instead of the cause of a preemption. The other causes follow from the
// preempting job and the new size. Reclaim then looks like priority, and shrink like drain.
PreemptionCause cause_of_before(const bj::object& row, const std::optional<JobId>& yields_to, std::int32_t resizes_to) {
  const auto is_set = [&](std::string_view flag) {
    const auto* value = row.if_contains(flag);
    return value && value->is_bool() && value->get_bool();
  };
  if (is_set("moves")) return PreemptionCause::consolidation;
  if (is_set("borrowed")) return PreemptionCause::borrow;
  if (yields_to) return PreemptionCause::priority;
  return resizes_to > 0 ? PreemptionCause::resize : PreemptionCause::drain;
}

// In older rows only this message says that a node leaves. The message of a user's drain begins with other words.
bool was_leaving(const Node& node) { return node.message == "is not there any more; leaves when nothing runs on it"; }

std::unexpected<Error> wrong_attempt(const std::string& pointer, const std::string& message) {
  return std::unexpected(Error{.code = ErrorCode::corrupt,
                               .message = "a stored attempt cannot be read: " + pointer + " " + message,
                               .fields = {{pointer, message}}});
}

using Decode = Result<EventPayload> (*)(const bj::value&);

template <std::size_t... I>
std::map<std::string_view, Decode> decoders(std::index_sequence<I...>) {
  return {{std::variant_alternative_t<I, EventVariant>::kType,
           &decode_payload<std::variant_alternative_t<I, EventVariant>>}...};
}

}  // namespace

Result<JobSpec> decode_spec(const bj::value& value) { return RowDecoder::decode<JobSpec>("job spec", value); }

Result<Job> decode_job(const bj::value& value, std::shared_ptr<const JobSpec> spec) {
  YM_ASSERT(spec);
  auto job = RowDecoder::decode<Job>("job", value);
  if (!job) return job;
  job->spec = std::move(spec);
  if (!value.get_object().contains("waits_since")) job->waits_since = job->submitted_at;
  if (!value.get_object().contains("arrived_at")) job->arrived_at = job->waits_since;
  return job;
}

Result<Attempt> decode_attempt(const bj::value& value) {
  auto attempt = RowDecoder::decode<Attempt>("attempt", value);
  if (!attempt) return attempt;
  if (attempt->placement.size() != attempt->tasks.size())
    return wrong_attempt("/tasks", "does not have one entry for each placement");
  if (!attempt->prices_micros.empty() && attempt->prices_micros.size() != split_flavors(attempt->flavor).size())
    return wrong_attempt("/prices_micros", "does not have one entry for each part of the flavor");
  if (attempt->stop_cause == StopCause::preemption && !attempt->preemption)
    attempt->preemption = cause_of_before(value.get_object(), attempt->yields_to, 0);
  return attempt;
}

Result<std::string> decode_into(Tables& tables, std::string_view table, const bj::value& value) {
  std::optional<Result<std::string>> name;
  each_named(tables, [&]<class Row>(NamedRows<Row>& rows) {
    if (Row::kTable != table) return;
    auto row = RowDecoder::decode<Row>(Row::kRow, value);
    if (!row) return void(name = std::unexpected(std::move(row.error())));
    if constexpr (std::is_same_v<Row, Node>) row->leaving = row->leaving || was_leaving(*row);
    name = row->name;
    rows.insert_or_assign(row->name, std::move(*row));
  });
  YM_ASSERT(name);
  return std::move(*name);
}

Result<EventPayload> decode_event(std::string_view type, const bj::value& value, std::shared_ptr<const JobSpec> spec) {
  static const auto kDecoders = decoders(std::make_index_sequence<std::variant_size_v<EventVariant>>());
  const auto it = kDecoders.find(type);
  if (it == kDecoders.end())
    return fail(ErrorCode::corrupt, "a stored event has the unknown type '" + std::string(type) + "'");
  auto payload = it->second(value);
  if (!payload) return payload;
  if (auto* submitted = std::get_if<JobSubmitted>(&*payload)) {
    YM_ASSERT(spec);
    submitted->job.spec = std::move(spec);
  }
  if (auto* stopping = std::get_if<AttemptStopping>(&*payload))
    if (stopping->cause == StopCause::preemption && !stopping->preemption)
      stopping->preemption = cause_of_before(value.get_object(), stopping->yields_to, stopping->resizes_to);
  return payload;
}

Result<SpecId> spec_id_of(const bj::value& job) {
  const auto* id = job.is_object() ? job.get_object().if_contains("spec_id") : nullptr;
  if (id && id->is_uint64()) return SpecId{id->get_uint64()};
  if (id && id->is_int64() && id->get_int64() >= 0) return SpecId{static_cast<std::uint64_t>(id->get_int64())};
  return std::unexpected(Error{.code = ErrorCode::corrupt,
                               .message = "a stored job cannot be read: /spec_id is not a whole number from 0",
                               .fields = {{"/spec_id", "is not a whole number from 0"}}});
}

}  // namespace ym::json
