#include "base/assert.h"
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
  if (attempt && attempt->placement.size() != attempt->tasks.size())
    return std::unexpected(
        Error{.code = ErrorCode::corrupt,
              .message = "a stored attempt cannot be read: /tasks has not one entry for each placement",
              .fields = {{"/tasks", "has not one entry for each placement"}}});
  return attempt;
}

Result<std::string> decode_into(Tables& tables, std::string_view table, const bj::value& value) {
  std::optional<Result<std::string>> name;
  each_named(tables, [&]<class Row>(NamedRows<Row>& rows) {
    if (Row::kTable != table) return;
    auto row = RowDecoder::decode<Row>(Row::kRow, value);
    if (!row) return void(name = std::unexpected(std::move(row.error())));
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
