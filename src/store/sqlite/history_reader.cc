#include "store/sqlite/history_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym::sqlite {
namespace {

std::int64_t bounded(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, 1'000'000'000));
}

// One search for each state: each can follow an index in the wanted order, but one search for several states cannot.
// The state is a literal in the text. Otherwise SQLite does not see that a partial index covers the jobs of this
// search.
Result<Query> search(Database& database, const JobFilter& filter, JobState state, std::size_t limit) {
  auto conditions = rows::conditions_of(filter);
  auto sql = fmt::format("{}WHERE state = '{}'", kSelectJobs, to_string(state));
  for (const auto& [name, value] : conditions) sql += fmt::format(" AND {} = ?", name);
  std::vector<rows::Cell> cells;
  sql += rows::condition_of_sets(filter, [&](const rows::Cell& value) {
    cells.push_back(value);
    return std::string("?");
  });
  if (filter.before) sql += " AND id < ?";
  auto query = database.query(sql + " ORDER BY id DESC LIMIT ?");
  if (!query) return query;
  int index = 0;
  for (const auto& [name, value] : conditions) query->bind_cell(++index, value);
  for (const auto& value : cells) query->bind_cell(++index, value);
  if (filter.before) query->bind(++index, column(*filter.before));
  query->bind(++index, bounded(limit));
  return query;
}

// The rest of the kPageBytes that a page may take.
class PageBudget {
 public:
  explicit PageBudget(const SpecReader& specs) : specs_(specs), before_(specs.decoded_bytes()) {}
  void spend(std::size_t bytes) { spent_ += bytes; }
  bool is_spent() const { return spent_ + specs_.decoded_bytes() - before_ >= rows::kPageBytes; }

 private:
  const SpecReader& specs_;
  const std::size_t before_;
  std::size_t spent_ = 0;
};

}  // namespace

Result<std::optional<Job>> HistoryReader::job(JobId id) {
  auto snapshot = Transaction::begin(*database_, Transaction::Kind::read);
  if (!snapshot) return std::unexpected(snapshot.error());
  auto query = database_->query(fmt::format("{} WHERE id = ?", kSelectJobs));
  if (!query) return std::unexpected(query.error());
  query->bind(1, column(id));
  const auto row = query->step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::nullopt;
  return read_job(*query, specs_);
}

Result<std::vector<Attempt>> HistoryReader::attempts(std::span<const JobId> jobs) {
  const auto sql =
      fmt::format("{} WHERE job IN (SELECT value FROM json_each(?)) ORDER BY job, number", kSelectAttempts);
  auto query = database_->query(sql);
  if (!query) return std::unexpected(query.error());
  // SQLite limits the number of parameters, but not the size of one.
  const auto list = rows::list_of(jobs);
  query->bind(1, std::string_view(list));
  std::vector<Attempt> found;
  auto read = for_each_row(*query, [&](const Query& row) -> Result<void> {
    auto attempt = read_attempt(row);
    if (!attempt) return std::unexpected(attempt.error());
    found.push_back(std::move(*attempt));
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return found;
}

Result<std::vector<Job>> HistoryReader::jobs(std::span<const JobId> ids) {
  auto query =
      database_->query(fmt::format("{} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", kSelectJobs));
  if (!query) return std::unexpected(query.error());
  const auto list = rows::list_of(ids);
  query->bind(1, std::string_view(list));
  std::vector<Job> found;
  auto read = for_each_row(*query, [&](const Query& row) -> Result<void> {
    auto job = read_job(row, specs_);
    if (!job) return std::unexpected(job.error());
    found.push_back(std::move(*job));
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return found;
}

Result<bool> HistoryReader::collect_jobs(const JobFilter& filter, JobState state, std::size_t limit,
                                         std::vector<Job>& found) {
  auto query = search(*database_, filter, state, limit);
  if (!query) return std::unexpected(query.error());
  PageBudget budget(specs_);
  while (true) {
    const auto row = query->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return true;
    if (budget.is_spent()) return false;
    auto job = read_job(*query, specs_);
    if (!job) return std::unexpected(job.error());
    budget.spend(query->text(8).size());
    found.push_back(std::move(*job));
  }
}

Result<std::vector<Job>> HistoryReader::jobs(const JobFilter& filter, std::size_t limit) {
  auto snapshot = Transaction::begin(*database_, Transaction::Kind::read);
  if (!snapshot) return std::unexpected(snapshot.error());
  std::vector<Job> found;
  JobId horizon;  // below it, jobs of a state may be missing because its search stopped early
  for (const auto state : rows::states_of(filter)) {
    const auto whole = collect_jobs(filter, state, limit, found);
    if (!whole) return std::unexpected(whole.error());
    if (!*whole) horizon = std::max(horizon, found.back().id);
  }
  std::erase_if(found, [&](const Job& job) { return job.id < horizon; });
  std::ranges::sort(found, std::greater(), &Job::id);
  if (found.size() > limit) found.erase(found.begin() + static_cast<std::ptrdiff_t>(limit), found.end());
  return found;
}

Result<std::vector<Event>> HistoryReader::events(const EventFilter& filter, std::size_t limit) {
  auto snapshot = Transaction::begin(*database_, Transaction::Kind::read);
  if (!snapshot) return std::unexpected(snapshot.error());
  auto query =
      database_->query(fmt::format("{} WHERE {} {} seq > ? AND seq <= ? ORDER BY seq LIMIT ?", kSelectEvents,
                                   filter.job ? "job = ? AND" : "", filter.type.empty() ? "" : "type = ? AND"));
  if (!query) return std::unexpected(query.error());
  int index = 0;
  if (filter.job) query->bind(++index, column(*filter.job));
  if (!filter.type.empty()) query->bind(++index, filter.type);
  query->bind(++index, static_cast<std::int64_t>(std::min<std::uint64_t>(filter.after, INT64_MAX)));
  query->bind(++index, filter.until == 0 ? INT64_MAX : column(filter.until));
  query->bind(++index, bounded(limit));
  const bool is_dense = !filter.job && filter.type.empty();
  std::vector<Event> found;
  for (PageBudget budget(specs_); !budget.is_spent();) {
    const auto row = query->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    auto event = read_event(*query, specs_);
    if (!event) return std::unexpected(event.error());
    if (is_dense && !found.empty() && found.back().seq > 1 && event->seq != found.back().seq + 1)
      return std::unexpected(damaged(database_->file(), fmt::format("event {} is missing", found.back().seq + 1)));
    budget.spend(query->text(8).size());
    found.push_back(std::move(*event));
  }
  return found;
}

Result<std::string> HistoryReader::spec_document(const rows::Cells& event) {
  if (rows::text(event[rows::kEventType]) != JobSubmitted::kType) return std::string();
  const auto document = rows::open_event(event);
  if (!document || !document->spec) return std::string();
  auto query = database_->query("SELECT doc FROM specs WHERE id = ?");
  if (!query) return std::unexpected(query.error());
  query->bind(1, column(*document->spec));
  const auto row = query->step();
  if (!row) return std::unexpected(row.error());
  return *row ? std::string(query->text(0)) : std::string();
}

Result<std::vector<StoredEvent>> HistoryReader::stored_events(std::uint64_t after, std::size_t limit) {
  auto snapshot = Transaction::begin(*database_, Transaction::Kind::read);
  if (!snapshot) return std::unexpected(snapshot.error());
  auto query = database_->query(fmt::format("{} WHERE seq > ? ORDER BY seq LIMIT ?", kSelectEvents));
  if (!query) return std::unexpected(query.error());
  query->bind(1, static_cast<std::int64_t>(std::min<std::uint64_t>(after, INT64_MAX)));
  query->bind(2, bounded(limit));
  std::vector<StoredEvent> found;
  for (std::size_t bytes = 0; bytes < rows::kPageBytes;) {
    const auto row = query->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    const auto cells = query->cells();
    const auto spec = spec_document(cells);
    if (!spec) return std::unexpected(spec.error());
    found.push_back({.seq = static_cast<std::uint64_t>(rows::number(cells[0])),
                     .bytes = rows::bytes_of_event(cells, *spec),
                     .is_seal = rows::text(cells[rows::kEventType]) == LogSealed::kType});
    bytes += found.back().bytes.size();
  }
  return found;
}

}  // namespace ym::sqlite
