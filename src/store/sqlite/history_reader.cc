#include "store/sqlite/history_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ym::sqlite {
namespace {

std::int64_t bounded(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, 1'000'000'000));
}

constexpr std::array kStates{JobState::held,      JobState::queued,      JobState::starting,  JobState::running,
                             JobState::stopping,  JobState::unreachable, JobState::succeeded, JobState::failed,
                             JobState::cancelled, JobState::timed_out};

// The conditions of a page, and their parameters in the same order.
struct Conditions {
  std::string sql;
  std::vector<std::variant<std::string_view, std::int64_t>> values;

  template <class Value>
  void add(std::string_view condition, const Value& value) {
    sql += fmt::format(" AND {}", condition);
    values.emplace_back(value);
  }
  void bind(Query& query) const {
    int index = 0;
    for (const auto& value : values) std::visit([&](const auto& v) { query.bind(++index, v); }, value);
  }
};

// The state is written into the text: only so does SQLite see that the jobs of this search
// are all in an index that has not all jobs.
Conditions conditions_of(const JobFilter& filter, JobState state) {
  Conditions where{.sql = fmt::format("WHERE state = '{}'", to_string(state)), .values = {}};
  if (filter.owner) where.add("owner = ?", std::string_view(*filter.owner));
  if (filter.queue) where.add("queue = ?", std::string_view(*filter.queue));
  if (filter.name) where.add("name = ?", std::string_view(*filter.name));
  if (filter.project) where.add("project = ?", std::string_view(*filter.project));
  if (filter.group) where.add("group_id = ?", column(*filter.group));
  if (filter.before) where.add("id < ?", column(*filter.before));
  return where;
}

// SQLite bounds the number of parameters, not what is in one.
std::string as_json_array(std::span<const JobId> jobs) {
  std::vector<std::int64_t> ids;
  for (const auto job : jobs) ids.push_back(column(job));
  return fmt::format("[{}]", fmt::join(ids, ","));
}

// What a page may take: rows of the largest specs would otherwise add up to gigabytes.
class PageBudget {
 public:
  explicit PageBudget(const SpecReader& specs) : specs_(specs), before_(specs.decoded_bytes()) {}
  void spend(std::size_t bytes) { spent_ += bytes; }
  bool is_spent() const { return spent_ + specs_.decoded_bytes() - before_ >= kBytes; }

 private:
  static constexpr std::size_t kBytes = std::size_t{2} << 20;
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
  const auto list = as_json_array(jobs);
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
  const auto list = as_json_array(ids);
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
  auto where = conditions_of(filter, state);
  where.values.emplace_back(bounded(limit));
  auto query = database_->query(fmt::format("{}{} ORDER BY id DESC LIMIT ?", kSelectJobs, where.sql));
  if (!query) return std::unexpected(query.error());
  where.bind(*query);
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

// One search for each state: each can follow an index in the wanted order, which one
// search for several states cannot.
Result<std::vector<Job>> HistoryReader::jobs(const JobFilter& filter, std::size_t limit) {
  auto snapshot = Transaction::begin(*database_, Transaction::Kind::read);
  if (!snapshot) return std::unexpected(snapshot.error());
  auto states = std::set(filter.states.begin(), filter.states.end());
  if (states.empty()) states.insert(kStates.begin(), kStates.end());
  std::vector<Job> found;
  JobId horizon;  // older ones may be missing of a state whose search was cut short
  for (const auto state : states) {
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
  auto query = database_->query(
      fmt::format("{} WHERE {} seq > ? ORDER BY seq LIMIT ?", kSelectEvents, filter.job ? "job = ? AND" : ""));
  if (!query) return std::unexpected(query.error());
  int index = 0;
  if (filter.job) query->bind(++index, column(*filter.job));
  query->bind(++index, static_cast<std::int64_t>(std::min<std::uint64_t>(filter.after, INT64_MAX)));
  query->bind(++index, bounded(limit));
  std::vector<Event> found;
  for (PageBudget budget(specs_); !budget.is_spent();) {
    const auto row = query->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    auto event = read_event(*query, specs_);
    if (!event) return std::unexpected(event.error());
    if (!filter.job && !found.empty() && event->seq != found.back().seq + 1)
      return std::unexpected(damaged(database_->file(), fmt::format("event {} is missing", found.back().seq + 1)));
    budget.spend(query->text(8).size());
    found.push_back(std::move(*event));
  }
  return found;
}

}  // namespace ym::sqlite
