#include "store/postgres/rows.h"

#include <fmt/format.h>

namespace ym::postgres {
namespace {

Result<std::shared_ptr<const JobSpec>> spec_of(const Document& document, SpecReader& specs) {
  if (!document.spec) return nullptr;
  return specs.spec(*document.spec);
}

}  // namespace

Result<std::shared_ptr<const JobSpec>> SpecReader::spec(SpecId id) {
  if (auto known = cache_.find(id)) return known;
  if (auto fetched = fetch({id}); !fetched) return std::unexpected(fetched.error());
  if (auto known = cache_.find(id)) return known;
  return std::unexpected(damaged(connection_->place(), fmt::format("row {} of table specs is missing", id.value)));
}

Result<void> SpecReader::fetch(const std::vector<SpecId>& ids) {
  Array unknown(Type::int8);
  bool any = false;
  for (const auto id : ids) {
    if (cache_.find(id)) continue;
    unknown.add(column(id));
    any = true;
  }
  if (!any) return {};
  Parameters parameters;
  const auto answer = connection_->run("SELECT id, doc FROM specs WHERE id = ANY($1)", parameters.add(unknown));
  if (!answer) return std::unexpected(answer.error());
  cache_.make_room();
  for (int i = 0; i < answer->size(); ++i) {
    const auto row = (*answer)[i];
    const SpecId id{static_cast<std::uint64_t>(row.integer(0))};
    if (auto added = located(*connection_, cache_.add(id, row.bytes(1))); !added) return std::unexpected(added.error());
  }
  return {};
}

Result<Document> job_document(const Connection& connection, const Row& row) {
  return located(connection, rows::open_job(row.cells()));
}

Result<Document> event_document(const Connection& connection, const Row& row) {
  return located(connection, rows::open_event(row.cells()));
}

Result<void> fetch_specs(std::span<const Document> documents, SpecReader& specs) {
  std::vector<SpecId> ids;
  for (const auto& document : documents)
    if (document.spec) ids.push_back(*document.spec);
  return specs.fetch(ids);
}

Result<Job> read_job(const Connection& connection, const Document& document, SpecReader& specs) {
  auto spec = spec_of(document, specs);
  if (!spec) return std::unexpected(spec.error());
  return located(connection, rows::read_job(document, std::move(*spec)));
}

Result<Event> read_event(const Connection& connection, const Document& document, SpecReader& specs) {
  auto spec = spec_of(document, specs);
  if (!spec) return std::unexpected(spec.error());
  return located(connection, rows::read_event(document, std::move(*spec)));
}

Result<Attempt> read_attempt(const Connection& connection, const Row& row) {
  return located(connection, rows::read_attempt(row.cells()));
}

}  // namespace ym::postgres
