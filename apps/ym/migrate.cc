#include "migrate.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "own_attempts.h"
#include "start_files.h"
#include "store/postgres/copy_state.h"
#include "store/sqlite/sqlite_store.h"

namespace ym {
namespace {

namespace fs = std::filesystem;

// The mark that the state has moved. take_back() removes it, unless an earlier migration set it.
class MovedMark {
 public:
  explicit MovedMark(fs::path dir) : dir_(std::move(dir)), was_there_(fs::exists(dir_ / "moved")) {}

  Result<void> put(const std::string& place) { return mark_moved(dir_, place); }
  Result<void> take_back() const { return was_there_ ? Result<void>() : unmark_moved(dir_); }

 private:
  fs::path dir_;
  bool was_there_;  // an earlier migration may have completed
};

// Running jobs keep their tokens.
Result<void> share_job_token_key(const MigrateOptions& options, const PostgresOptions& to) {
  const auto key = job_token_key(options.state);
  if (!key) return std::unexpected(key.error());
  if (auto shared = shared_secret(to, kJobTokenKey, *key); !shared) return std::unexpected(shared.error());
  return {};
}

// Attempts on this machine stay attempts of this server.
Result<void> keep_what_runs(const MigrateOptions& options, Store& from) {
  const auto loaded = from.load();
  if (!loaded) return std::unexpected(loaded.error());
  std::vector<std::uint64_t> epochs;
  for (const auto& [key, attempt] : loaded->tables.attempts) epochs.push_back(attempt.token().epoch);
  auto own = OwnEpochs::read(options.state);
  return own ? own->add(epochs) : std::unexpected(own.error());
}

boost::json::object to_json(const MigrateOptions& options, const std::string& place, const Copied& copied) {
  boost::json::object rows;
  for (const auto& [table, count] : copied.rows) rows[table] = count;
  return {{"from", options.state}, {"to", place}, {"rows", std::move(rows)}};
}

}  // namespace

Result<boost::json::object> migrate(const MigrateOptions& options) {
  const fs::path dir = options.state;
  PostgresOptions to{.conninfo = options.to, .schema = options.schema};
  to.warn = [](std::string_view warning) { fmt::print(stderr, "warning: {}\n", warning); };
  const auto place = postgres_place(to);
  if (!place) return std::unexpected(place.error());
  // Opening the store would create an empty state.
  if (!fs::exists(dir / "yardmaster.db"))
    return fail(ErrorCode::invalid, fmt::format("{} holds no state: there is no yardmaster.db", dir.string()));
  if (const auto original = copy_of(dir))
    return fail(
        ErrorCode::conflict,
        fmt::format(
            "{} is a copy of {}, which would go on beside it. Nothing was moved. Move the original instead. Or make "
            "sure that no server runs on the original, start `ym serve --state {} --take-over`, and move the copy then",
            dir.string(), *original, dir.string()));
  const auto from = open_sqlite_store(dir, {.even_if_moved = true, .receipts = default_receipts_dir()});
  if (!from) return std::unexpected(from.error());
  if (auto kept = keep_what_runs(options, **from); !kept) return std::unexpected(kept.error());
  MovedMark mark(dir);
  const auto copied = copy_state(**from, {.to = to, .before_commit = [&] { return mark.put(*place); }});
  if (!copied) {
    if (auto undone = mark.take_back(); !undone) return std::unexpected(undone.error());
    return std::unexpected(copied.error());
  }
  if (copied->in_doubt)
    return fail(ErrorCode::unavailable,
                fmt::format("the database did not answer at the last step, so it is not known whether the state is in "
                            "{}. {} is marked as moved. When the database answers, run this again: it reports an "
                            "existing state if the state has moved, and moves it otherwise",
                            *place, dir.string()));
  if (auto shared = share_job_token_key(options, to); !shared) return std::unexpected(shared.error());
  return to_json(options, *place, *copied);
}

}  // namespace ym
