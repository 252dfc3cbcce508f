#include "store/sqlite/rows.h"

#include <fmt/format.h>

#include <boost/json/parse.hpp>

#include "model/json/codec.h"
#include "store/sqlite/row_sum.h"

namespace ym::sqlite {
namespace {

namespace bj = boost::json;

constexpr std::size_t kKnownSpecs = 4096;
constexpr std::size_t kKnownBytes = std::size_t{1} << 20;

std::unexpected<Error> bad_row(const Query& row, std::string_view what) {
  return std::unexpected(damaged(row.database().file(), what));
}

template <class T>
Result<T> located(const Query& row, Result<T> decoded) {
  if (!decoded) return bad_row(row, decoded.error().message);
  return decoded;
}

bool same(const Query& row, int index, std::string_view text) {
  return row.type(index) == SQLITE_TEXT && row.text(index) == text;
}
bool same(const Query& row, int index, std::int64_t number) {
  return row.type(index) == SQLITE_INTEGER && row.integer(index) == number;
}
bool same(const Query& row, int index, const std::optional<std::int64_t>& number) {
  return number ? same(row, index, *number) : row.type(index) == SQLITE_NULL;
}

bool columns_agree(const Query& row, const Job& job) {
  return same(row, 0, column(job.id)) && same(row, 1, job.owner) && same(row, 2, job.queue) && same(row, 3, job.name) &&
         same(row, 4, job.project) && same(row, 5, to_string(job.state)) && same(row, 6, column(job.group)) &&
         same(row, 7, job.submitted_at.ms);
}

bool columns_agree(const Query& row, const Event& event) {
  const auto attempt = attempt_of(event.payload);
  return same(row, 4, column(job_of(event.payload))) &&
         same(row, 5, attempt ? std::optional<std::int64_t>(attempt->number) : std::nullopt);
}

template <class Row>
Result<Row> decode_named(const bj::value& value) {
  if constexpr (std::is_same_v<Row, Cluster>) return json::decode_cluster(value);
  else if constexpr (std::is_same_v<Row, Node>) return json::decode_node(value);
  else if constexpr (std::is_same_v<Row, Flavor>) return json::decode_flavor(value);
  else if constexpr (std::is_same_v<Row, Usage>) return json::decode_usage(value);
  else if constexpr (std::is_same_v<Row, AdvanceReservation>) return json::decode_reservation(value);
  else if constexpr (std::is_same_v<Row, PolicyRow>) return json::decode_policy(value);
  else if constexpr (std::is_same_v<Row, Spending>) return json::decode_spending(value);
  else return json::decode_queue(value);
}

// The spec that the payload of job.submitted refers to; null for other types.
Result<std::shared_ptr<const JobSpec>> spec_of(std::string_view type, const bj::value& payload, SpecReader& specs) {
  if (type != "job.submitted") return nullptr;
  const auto* job = payload.is_object() ? payload.get_object().if_contains("job") : nullptr;
  if (!job) return fail(ErrorCode::corrupt, "a stored event cannot be read: /job is not present");
  const auto id = json::spec_id_of(*job);
  if (!id) return std::unexpected(id.error());
  return specs.spec(*id);
}

}  // namespace

Result<bj::value> read_document(const Query& row, int column) {
  // Texts of jobs may be any bytes (an executor's message, say); they are kept as they are.
  bj::parse_options options;
  options.allow_invalid_utf8 = true;
  bj::error_code failed;
  auto value = bj::parse(row.text(column), failed, {}, options);
  if (failed) return bad_row(row, fmt::format("a document is not JSON: {}", failed.message()));
  return value;
}

Result<std::shared_ptr<const JobSpec>> SpecReader::spec(SpecId id) {
  if (const auto it = known_.find(id); it != known_.end()) return it->second;
  const auto before = decoded_bytes_;
  auto spec = read(id);
  if (!spec) return spec;
  if (known_.size() >= kKnownSpecs || known_bytes_ > kKnownBytes) {
    known_.clear();
    known_bytes_ = 0;
  }
  known_bytes_ += decoded_bytes_ - before;
  known_.emplace(id, *spec);
  return spec;
}

Result<std::shared_ptr<const JobSpec>> SpecReader::read(SpecId id) {
  auto query = database_->query("SELECT id, doc, sum FROM specs WHERE id = ?");
  if (!query) return std::unexpected(query.error());
  query->bind(1, column(id));
  const auto row = query->step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return bad_row(*query, fmt::format("row {} of table specs is missing", id.value));
  if (auto checked = check_row(*query, "specs"); !checked) return std::unexpected(checked.error());
  decoded_bytes_ += query->text(1).size();
  const auto document = read_document(*query, 1);
  if (!document) return std::unexpected(document.error());
  auto spec = located(*query, json::decode_spec(*document));
  if (!spec) return std::unexpected(spec.error());
  return std::make_shared<const JobSpec>(std::move(*spec));
}

Result<Job> read_job(const Query& row, SpecReader& specs) {
  if (auto checked = check_row(row, "jobs"); !checked) return std::unexpected(checked.error());
  const auto document = read_document(row, 8);
  if (!document) return std::unexpected(document.error());
  const auto spec_id = located(row, json::spec_id_of(*document));
  if (!spec_id) return std::unexpected(spec_id.error());
  auto spec = specs.spec(*spec_id);
  if (!spec) return std::unexpected(spec.error());
  auto job = located(row, json::decode_job(*document, std::move(*spec)));
  if (job && !columns_agree(row, *job))
    return bad_row(row, fmt::format("the columns of job {} do not repeat its document", row.integer(0)));
  return job;
}

Result<Attempt> read_attempt(const Query& row) {
  if (auto checked = check_row(row, "attempts"); !checked) return std::unexpected(checked.error());
  const auto document = read_document(row, 2);
  if (!document) return std::unexpected(document.error());
  auto attempt = located(row, json::decode_attempt(*document));
  if (attempt && !(same(row, 0, column(attempt->job)) && same(row, 1, std::int64_t{attempt->number})))
    return bad_row(
        row, fmt::format("the columns of attempt {}.{} do not repeat its document", row.integer(0), row.integer(1)));
  return attempt;
}

Result<Event> read_event(const Query& row, SpecReader& specs) {
  if (auto checked = check_row(row, "events"); !checked) return std::unexpected(checked.error());
  const auto document = read_document(row, 8);
  if (!document) return std::unexpected(document.error());
  auto spec = spec_of(row.text(2), *document, specs);
  if (!spec) return located<Event>(row, std::unexpected(spec.error()));
  auto payload = located(row, json::decode_event(row.text(2), *document, std::move(*spec)));
  if (!payload) return std::unexpected(payload.error());
  Event event{.seq = static_cast<std::uint64_t>(row.integer(0)),
              .time = {row.integer(1)},
              .actor = std::string(row.text(6)),
              .reason = std::string(row.text(7)),
              .payload = std::move(*payload)};
  if (!columns_agree(row, event))
    return bad_row(row, fmt::format("the columns of event {} do not repeat its payload", event.seq));
  return event;
}

template <class Row>
Result<Row> read_named(const Query& row, std::string_view table) {
  if (auto checked = check_row(row, table); !checked) return std::unexpected(checked.error());
  const auto document = read_document(row, 1);
  if (!document) return std::unexpected(document.error());
  auto object = located(row, decode_named<Row>(*document));
  if (object && !same(row, 0, object->name))
    return bad_row(row, fmt::format("a row of table {} has another name than its document", table));
  return object;
}

template Result<Cluster> read_named(const Query&, std::string_view);
template Result<Node> read_named(const Query&, std::string_view);
template Result<Flavor> read_named(const Query&, std::string_view);
template Result<Queue> read_named(const Query&, std::string_view);
template Result<AdvanceReservation> read_named(const Query&, std::string_view);
template Result<PolicyRow> read_named(const Query&, std::string_view);
template Result<Usage> read_named(const Query&, std::string_view);
template Result<Spending> read_named(const Query&, std::string_view);

}  // namespace ym::sqlite
