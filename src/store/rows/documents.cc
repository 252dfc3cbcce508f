#include "store/rows/documents.h"

#include <fmt/format.h>

#include <boost/json/parse.hpp>

#include "model/json/codec.h"

namespace ym::rows {
namespace {

namespace bj = boost::json;

constexpr std::size_t kKnownSpecs = 4096;
constexpr std::size_t kKnownBytes = std::size_t{1} << 20;

std::unexpected<Error> bad(std::string message) { return fail(ErrorCode::corrupt, std::move(message)); }

std::string name_of(const Cell& key) {
  if (const auto* number = std::get_if<std::int64_t>(&key)) return std::to_string(*number);
  return fmt::format("'{}'", text(key));
}

// The columns of a key may be the damaged ones: then the row has one name, and its document another.
std::unexpected<Error> differs(std::string_view table, std::string_view row, std::string_view document) {
  if (row == document)
    return bad(fmt::format("the columns of row {} of table {} differ from its document", row, table));
  return bad(fmt::format("row {} of table {} has the document of {}", row, table, document));
}

// Whether the row has these values in `count` columns, beginning with `first`.
template <std::size_t N>
bool repeats(const Cells& row, const std::array<Cell, N>& columns, std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i)
    if (row[i] != columns[i]) return false;
  return true;
}

}  // namespace

Result<bj::value> parse_document(std::string_view text) {
  // Texts of jobs may be any bytes (an executor's message, for example) and stay unchanged.
  bj::parse_options options;
  options.allow_invalid_utf8 = true;
  bj::error_code failed;
  auto value = bj::parse(text, failed, {}, options);
  if (failed) return bad(fmt::format("a document is not JSON: {}", failed.message()));
  return value;
}

Result<Document> open_job(const Cells& row) {
  auto value = parse_document(text(row[kJobDocument]));
  if (!value) return std::unexpected(value.error());
  const auto spec = json::spec_id_of(*value);
  if (!spec) return std::unexpected(spec.error());
  return Document{.row = row, .value = std::move(*value), .spec = *spec};
}

// Among the payloads only job.submitted refers to a spec.
Result<Document> open_event(const Cells& row) {
  auto value = parse_document(text(row[kEventPayload]));
  if (!value) return std::unexpected(value.error());
  if (text(row[kEventType]) != "job.submitted") return Document{.row = row, .value = std::move(*value)};
  const auto* job = value->is_object() ? value->get_object().if_contains("job") : nullptr;
  if (!job) return bad("a stored event cannot be read: /job is not present");
  const auto spec = json::spec_id_of(*job);
  if (!spec) return std::unexpected(spec.error());
  return Document{.row = row, .value = std::move(*value), .spec = *spec};
}

Result<Job> read_job(const Document& document, std::shared_ptr<const JobSpec> spec) {
  auto job = json::decode_job(document.value, std::move(spec));
  if (job && !repeats(document.row, cells(*job, {}), 0, kJobDocument))
    return differs("jobs", name_of(document.row[0]), name_of(column(job->id)));
  return job;
}

Result<Event> read_event(const Document& document, std::shared_ptr<const JobSpec> spec) {
  const Cells& row = document.row;
  auto payload = json::decode_event(text(row[kEventType]), document.value, std::move(spec));
  if (!payload) return std::unexpected(payload.error());
  Event event{.seq = static_cast<std::uint64_t>(number(row[0])),
              .time = {number(row[1])},
              .actor = std::string(text(row[6])),
              .reason = std::string(text(row[7])),
              .payload = std::move(*payload)};
  if (!repeats(row, cells(event, {}), 4, 2))
    return bad(fmt::format("the columns of event {} differ from its payload", event.seq));
  return event;
}

Result<Attempt> read_attempt(const Cells& row) {
  const auto document = parse_document(text(row[2]));
  if (!document) return std::unexpected(document.error());
  auto attempt = json::decode_attempt(*document);
  if (attempt && !repeats(row, cells(*attempt, {}), 0, 2))
    return differs("attempts", fmt::format("{}.{}", name_of(row[0]), name_of(row[1])),
                   fmt::format("{}.{}", attempt->job.value, attempt->number));
  return attempt;
}

Result<IdempotencyRecord> read_idempotency(const Cells& row) {
  IdempotencyRecord record{.principal = std::string(text(row[0])),
                           .key = std::string(text(row[1])),
                           .request_hash = std::string(text(row[2])),
                           .at = {number(row[4])}};
  const auto jobs = parse_document(text(row[3]));
  if (!jobs) return std::unexpected(jobs.error());
  if (!jobs->is_array()) return bad("an idempotency record has no list of jobs");
  for (const auto& id : jobs->get_array()) {
    if (!id.is_int64()) return bad("an idempotency record names a job that is not a number");
    record.jobs.push_back(JobId{static_cast<std::uint64_t>(id.get_int64())});
  }
  return record;
}

TokenRecord read_token(const Cells& row) {
  return {.hash = std::string(text(row[0])),
          .principal = std::string(text(row[1])),
          .role = std::string(text(row[2])),
          .created_at = {number(row[3])}};
}

Result<void> read_named(const Cells& row, std::string_view table, Tables& tables) {
  const auto document = parse_document(text(row[1]));
  if (!document) return std::unexpected(document.error());
  const auto name = json::decode_into(tables, table, *document);
  if (!name) return std::unexpected(name.error());
  if (text(row[0]) != *name) return differs(table, name_of(row[0]), name_of(Cell(std::string_view(*name))));
  return {};
}

std::shared_ptr<const JobSpec> SpecCache::find(SpecId id) const {
  const auto it = known_.find(id);
  return it == known_.end() ? nullptr : it->second;
}

void SpecCache::make_room() {
  if (known_.size() < kKnownSpecs && known_bytes_ <= kKnownBytes) return;
  known_.clear();
  known_bytes_ = 0;
}

Result<std::shared_ptr<const JobSpec>> SpecCache::add(SpecId id, std::string_view doc) {
  decoded_bytes_ += doc.size();
  const auto document = parse_document(doc);
  if (!document) return std::unexpected(document.error());
  auto decoded = json::decode_spec(*document);
  if (!decoded) return std::unexpected(decoded.error());
  auto spec = std::make_shared<const JobSpec>(std::move(*decoded));
  known_bytes_ += doc.size();
  known_.insert_or_assign(id, spec);
  return spec;
}

}  // namespace ym::rows
