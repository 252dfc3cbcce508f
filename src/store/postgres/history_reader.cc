#include "store/postgres/history_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "store/postgres/errors.h"
#include "store/postgres/job_search.h"
#include "store/postgres/migrations.h"

namespace ym::postgres {
namespace {

// Rows and specs that one statement fetches. Sixteen of the largest specs take 16 MiB.
constexpr std::size_t kRowsOfAPage = 256;
constexpr std::size_t kSpecsOfAPage = 16;
// Each may come with a spec of its own.
constexpr std::size_t kStoredRowsOfAPage = 32;

std::int64_t bounded(std::uint64_t id) { return static_cast<std::int64_t>(std::min<std::uint64_t>(id, INT64_MAX)); }

Parameters ids_of(std::span<const JobId> jobs) {
  Array ids(Type::int8);
  for (const auto job : jobs) ids.add(column(job));
  Parameters parameters;
  parameters.add(ids);
  return parameters;
}

}  // namespace

// A page that answers fill one after the other.
class HistoryReader::Page {
 public:
  Page(Connection& connection, SpecReader& specs) : connection_(connection), specs_(specs) {}

  // Returns whether the page has room for more. `open` makes a Document of a row, `read` makes an object of a Document.
  template <class Object, class Open, class Read>
  Result<bool> take(const Rows& answer, std::size_t document, Open open, Read read, std::vector<Object>& found) {
    std::vector<Document> documents;
    for (int i = 0; i < answer.size(); ++i) {
      auto opened = open(connection_, answer[i]);
      if (!opened) return std::unexpected(opened.error());
      documents.push_back(std::move(*opened));
    }
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (i % kSpecsOfAPage == 0) {
        if (spent_ >= rows::kPageBytes) return false;
        if (auto fetched = fetch(std::span(documents).subspan(i)); !fetched) return std::unexpected(fetched.error());
      }
      auto object = read(connection_, documents[i], specs_);
      if (!object) return std::unexpected(object.error());
      spent_ += rows::text(documents[i].row[document]).size();
      found.push_back(std::move(*object));
    }
    return spent_ < rows::kPageBytes;
  }

 private:
  Result<void> fetch(std::span<const Document> documents) {
    const auto before = specs_.decoded_bytes();
    auto fetched = fetch_specs(documents.first(std::min(kSpecsOfAPage, documents.size())), specs_);
    spent_ += specs_.decoded_bytes() - before;
    return fetched;
  }

  Connection& connection_;
  SpecReader& specs_;
  std::size_t spent_ = 0;
};

HistoryReader::HistoryReader(ConnectionOptions options, std::unique_ptr<Connection> connection)
    : options_(std::move(options)), connection_(std::move(connection)), specs_(*connection_) {}

Result<void> HistoryReader::connect() {
  auto connection = Connection::open(options_);
  if (!connection) return std::unexpected(connection.error());
  connection_ = std::move(*connection);
  specs_ = SpecReader(*connection_);
  return {};
}

template <class Ask>
auto HistoryReader::ask(Ask question) -> decltype(question()) {
  if (!connection_->lost()) {
    auto answer = question();
    if (answer || !connection_->lost()) return explained(std::move(answer));
  }
  if (auto connected = connect(); !connected) return std::unexpected(connected.error());
  return explained(question());
}

// If a newer version has written since this reader was opened, its documents look damaged: reports `conflict` then.
template <class Answer>
Answer HistoryReader::explained(Answer answer) {
  if (answer || answer.error().code != ErrorCode::corrupt) return answer;
  const auto version = known_version(*connection_);
  return version || version.error().code != ErrorCode::conflict ? answer : std::unexpected(version.error());
}

Result<std::optional<Job>> HistoryReader::job(JobId id) {
  auto found = jobs(std::span<const JobId>(&id, 1));
  if (!found) return std::unexpected(found.error());
  return found->empty() ? std::nullopt : std::optional(std::move(found->front()));
}

Result<std::vector<Job>> HistoryReader::jobs(std::span<const JobId> ids) {
  return ask([&] { return ask_jobs(ids); });
}

Result<std::vector<Attempt>> HistoryReader::attempts(std::span<const JobId> jobs) {
  return ask([&] { return ask_attempts(jobs); });
}

Result<std::vector<Job>> HistoryReader::jobs(const JobFilter& filter, std::size_t limit) {
  return ask([&] { return ask_jobs(filter, limit); });
}

Result<std::vector<Event>> HistoryReader::events(const EventFilter& filter, std::size_t limit) {
  return ask([&] { return ask_events(filter, limit); });
}

Result<std::vector<Job>> HistoryReader::ask_jobs(std::span<const JobId> ids) {
  const auto answer = connection_->run(fmt::format("{} WHERE id = ANY($1) ORDER BY id", kSelectJobs), ids_of(ids));
  if (!answer) return std::unexpected(answer.error());
  std::vector<Job> found;
  for (int i = 0; i < answer->size(); ++i) {
    const auto document = job_document(*connection_, (*answer)[i]);
    if (!document) return std::unexpected(document.error());
    auto job = read_job(*connection_, *document, specs_);
    if (!job) return std::unexpected(job.error());
    found.push_back(std::move(*job));
  }
  return found;
}

Result<std::vector<Attempt>> HistoryReader::ask_attempts(std::span<const JobId> jobs) {
  const auto answer =
      connection_->run(fmt::format("{} WHERE job = ANY($1) ORDER BY job, number", kSelectAttempts), ids_of(jobs));
  if (!answer) return std::unexpected(answer.error());
  std::vector<Attempt> found;
  for (int i = 0; i < answer->size(); ++i) {
    auto attempt = read_attempt(*connection_, (*answer)[i]);
    if (!attempt) return std::unexpected(attempt.error());
    found.push_back(std::move(*attempt));
  }
  return found;
}

Result<std::vector<Job>> HistoryReader::ask_jobs(const JobFilter& filter, std::size_t limit) {
  auto snapshot = Transaction::begin(*connection_, Access::read_only);
  if (!snapshot) return std::unexpected(snapshot.error());
  Page page(*connection_, specs_);
  std::vector<Job> found;
  auto before = bounded(filter.before ? filter.before->value : UINT64_MAX);
  while (found.size() < limit) {
    const auto wanted = std::min(kRowsOfAPage, limit - found.size());
    const auto search = job_search(filter, before, static_cast<std::int64_t>(wanted));
    const auto answer = connection_->run(search.sql, search.parameters);
    if (!answer) return std::unexpected(answer.error());
    const auto more = page.take(*answer, rows::kJobDocument, job_document, read_job, found);
    if (!more) return std::unexpected(more.error());
    if (!*more || std::cmp_less(answer->size(), wanted)) break;
    before = column(found.back().id);
  }
  return found;
}

Result<std::vector<Event>> HistoryReader::ask_events(const EventFilter& filter, std::size_t limit) {
  Page page(*connection_, specs_);
  std::vector<Event> found;
  const bool is_dense = !filter.job && filter.type.empty();
  const auto until = filter.until == 0 ? "" : fmt::format(" AND seq <= {}", bounded(filter.until));
  const auto sql = fmt::format("{} WHERE seq > $1{}{}{} ORDER BY seq LIMIT $2", kSelectEvents, until,
                               filter.type.empty() ? "" : fmt::format(" AND type = '{}'", filter.type),
                               filter.job ? " AND job = $3" : "");
  auto after = bounded(filter.after);
  while (found.size() < limit) {
    const auto wanted = std::min(kRowsOfAPage, limit - found.size());
    Parameters parameters;
    parameters.add(after).add(static_cast<std::int64_t>(wanted));
    if (filter.job) parameters.add(column(*filter.job));
    const auto answer = connection_->run(sql, parameters);
    if (!answer) return std::unexpected(answer.error());
    const auto from = found.size();
    const auto more = page.take(*answer, rows::kEventPayload, event_document, read_event, found);
    if (!more) return std::unexpected(more.error());
    for (auto i = std::max<std::size_t>(from, 1); is_dense && i < found.size(); ++i)
      if (found[i - 1].seq > 1 && found[i].seq != found[i - 1].seq + 1)
        return std::unexpected(damaged(connection_->place(), fmt::format("event {} is missing", found[i - 1].seq + 1)));
    if (!*more || std::cmp_less(answer->size(), wanted)) break;
    after = column(found.back().seq);
  }
  return found;
}

Result<std::vector<StoredEvent>> HistoryReader::stored_events(std::uint64_t after, std::size_t limit) {
  return ask([&] { return ask_stored_events(after, limit); });
}

Result<std::vector<StoredEvent>> HistoryReader::ask_stored_events(std::uint64_t after, std::size_t limit) {
  Parameters parameters;
  parameters.add(bounded(after)).add(static_cast<std::int64_t>(std::min(limit, kStoredRowsOfAPage)));
  const auto answer =
      connection_->run(fmt::format("{} WHERE seq > $1 ORDER BY seq LIMIT $2", kSelectEvents), parameters);
  if (!answer) return std::unexpected(answer.error());
  std::map<SpecId, std::string> specs;
  Array ids(Type::int8);
  const auto spec_of = [](const rows::Cells& cells) -> std::optional<SpecId> {
    if (rows::text(cells[rows::kEventType]) != JobSubmitted::kType) return std::nullopt;
    const auto document = rows::open_event(cells);
    return document ? document->spec : std::nullopt;
  };
  for (int i = 0; i < answer->size(); ++i)
    if (const auto id = spec_of((*answer)[i].cells())) ids.add(column(*id));
  Parameters wanted;
  const auto documents = connection_->run("SELECT id, doc FROM specs WHERE id = ANY($1)", wanted.add(ids));
  if (!documents) return std::unexpected(documents.error());
  for (int i = 0; i < documents->size(); ++i)
    specs.emplace(SpecId{static_cast<std::uint64_t>((*documents)[i].integer(0))}, (*documents)[i].bytes(1));
  std::vector<StoredEvent> found;
  for (int i = 0; i < answer->size(); ++i) {
    const auto cells = (*answer)[i].cells();
    const auto id = spec_of(cells);
    const auto spec = id ? specs.find(*id) : specs.end();
    found.push_back({.seq = static_cast<std::uint64_t>(rows::number(cells[0])),
                     .bytes = rows::bytes_of_event(cells, spec == specs.end() ? "" : spec->second),
                     .is_seal = rows::text(cells[rows::kEventType]) == LogSealed::kType});
  }
  return found;
}

}  // namespace ym::postgres
