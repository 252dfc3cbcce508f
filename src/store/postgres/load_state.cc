#include "store/postgres/load_state.h"

#include <fmt/format.h>

#include "store/postgres/migrations.h"
#include "store/postgres/rows.h"
#include "store/rows/assembly.h"

namespace ym::postgres {
namespace {

// Rows and specs that one statement fetches: each round trip brings a few MiB at most.
constexpr std::int64_t kRows = 1000;
constexpr std::size_t kSpecs = 256;

class Loader {
 public:
  Loader(Connection& connection, const Meta& meta)
      : connection_(connection), specs_(connection), assembly_(meta.state) {}

  Result<LoadedState> load() {
    Result<void> done = check_last_event();
    if (done) done = load_jobs();
    if (done) done = load_named_rows();
    if (done) done = load_idempotency();
    if (done) done = add_tokens();
    if (!done) return std::unexpected(done.error());
    return assembly_.take();
  }

 private:
  Result<void> in_place(const Result<void>& checked) { return located(connection_, checked); }

  template <class Take>
  Result<void> each(std::string_view sql, const Parameters& parameters, Take take) {
    const auto answer = connection_.run(sql, parameters);
    if (!answer) return std::unexpected(answer.error());
    for (int i = 0; i < answer->size(); ++i)
      if (Result<void> taken = take((*answer)[i]); !taken) return taken;
    return {};
  }

  Result<void> check_last_event() {
    std::optional<Event> last;
    const auto sql = fmt::format("{} ORDER BY seq DESC LIMIT 1", kSelectEvents);
    auto read = each(sql, {}, [&](const Row& row) -> Result<void> {
      const auto document = event_document(connection_, row);
      if (!document) return std::unexpected(document.error());
      auto event = read_event(connection_, *document, specs_);
      if (!event) return std::unexpected(event.error());
      last = std::move(*event);
      return {};
    });
    if (!read) return read;
    return in_place(assembly_.check_last(last));
  }

  Result<void> load_jobs() {
    const auto sql = fmt::format(
        "{} WHERE id > $1 AND state IN ('HELD', 'QUEUED', 'STARTING', 'RUNNING', 'STOPPING', 'UNREACHABLE') "
        "ORDER BY id LIMIT $2",
        kSelectJobs);
    JobId after;
    while (true) {
      Parameters parameters;
      std::vector<Document> documents;
      const auto answer = connection_.run(sql, parameters.add(column(after)).add(kRows));
      if (!answer) return std::unexpected(answer.error());
      for (int i = 0; i < answer->size(); ++i) {
        auto document = job_document(connection_, (*answer)[i]);
        if (!document) return std::unexpected(document.error());
        documents.push_back(std::move(*document));
      }
      if (documents.empty()) break;
      const auto last = take_jobs(documents);
      if (!last) return std::unexpected(last.error());
      if (auto read = load_attempts(after, *last); !read) return read;
      after = *last;
    }
    if (auto checked = in_place(assembly_.check_jobs()); !checked) return checked;
    return in_place(assembly_.check_attempts());
  }

  // Returns the last of them.
  Result<JobId> take_jobs(std::span<const Document> documents) {
    JobId last;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (i % kSpecs == 0)
        if (auto fetched = fetch_specs(documents.subspan(i, std::min(kSpecs, documents.size() - i)), specs_); !fetched)
          return std::unexpected(fetched.error());
      auto job = read_job(connection_, documents[i], specs_);
      if (!job) return std::unexpected(job.error());
      last = job->id;
      if (auto added = in_place(assembly_.add(std::move(*job))); !added) return std::unexpected(added.error());
    }
    return last;
  }

  // Loads the attempts of jobs with ids above `after`, up to `last`.
  Result<void> load_attempts(JobId after, JobId last) {
    Array ids(Type::int8);
    const auto& jobs = assembly_.tables().jobs;
    for (auto it = jobs.upper_bound(after); it != jobs.upper_bound(last); ++it) ids.add(column(it->first));
    Parameters parameters;
    return each(fmt::format("{} WHERE job = ANY($1)", kSelectAttempts), parameters.add(ids),
                [&](const Row& row) -> Result<void> {
                  auto attempt = read_attempt(connection_, row);
                  if (!attempt) return std::unexpected(attempt.error());
                  assembly_.add(std::move(*attempt));
                  return {};
                });
  }

  // A standby may read the state of an older leader. A table that the leader does not know is missing, and has no rows.
  Result<void> load_named_rows() {
    const auto missing = missing_tables(connection_);
    if (!missing) return std::unexpected(missing.error());
    return rows::each_named([&](std::string_view table) {
      return missing->contains(std::string(table)) ? Result<void>() : load_named(table);
    });
  }

  Result<void> load_named(std::string_view table) {
    return each(fmt::format("SELECT name, doc FROM {}", table), {}, [&](const Row& row) {
      return located(connection_, rows::read_named(row.cells(), table, assembly_.tables()));
    });
  }

  Result<void> load_idempotency() {
    return each("SELECT principal, key, request_hash, jobs, at FROM idempotency ORDER BY id", {},
                [&](const Row& row) -> Result<void> {
                  auto record = located(connection_, rows::read_idempotency(row.cells()));
                  if (!record) return std::unexpected(record.error());
                  assembly_.add(std::move(*record));
                  return {};
                });
  }

  Result<void> add_tokens() {
    auto tokens = load_tokens(connection_);
    if (!tokens) return std::unexpected(tokens.error());
    for (auto& token : *tokens) assembly_.add(std::move(token));
    return {};
  }

  Connection& connection_;
  SpecReader specs_;
  rows::Assembly assembly_;
};

}  // namespace

Result<std::vector<TokenRecord>> load_tokens(Connection& connection) {
  const auto answer = connection.run("SELECT hash, principal, role, created_at FROM tokens ORDER BY hash");
  if (!answer) return std::unexpected(answer.error());
  std::vector<TokenRecord> tokens;
  for (int i = 0; i < answer->size(); ++i) tokens.push_back(rows::read_token((*answer)[i].cells()));
  return tokens;
}

Result<Loaded> load_state(Connection& connection) {
  auto transaction = Transaction::begin(connection, Access::read_only);
  if (!transaction) return std::unexpected(transaction.error());
  const auto meta = read_meta(connection);
  if (!meta) return std::unexpected(meta.error());
  auto state = Loader(connection, *meta).load();
  if (!state) return std::unexpected(state.error());
  return Loaded{std::move(*state), *meta};
}

}  // namespace ym::postgres
