#include "erase_identity.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "archive/erasure/erase_person.h"
#include "archive/segment_file.h"
#include "base/assert.h"
#include "base/base32.h"
#include "executor/local/attempt/layout.h"
#include "start_files.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"

namespace ym {
namespace {

namespace fs = std::filesystem;

// What is held as long as the state is changed.
struct HeldState {
  std::shared_ptr<void> folder;  // of a state in a database
  std::unique_ptr<Store> store;
};

Result<HeldState> hold_file(const EraseOptions& options) {
  const fs::path dir = options.state;
  // Opening the store would create an empty state.
  if (!fs::exists(dir / "yardmaster.db"))
    return fail(ErrorCode::invalid, fmt::format("{} holds no state: there is no yardmaster.db", dir.string()));
  if (const auto original = copy_of(dir))
    return fail(ErrorCode::conflict, fmt::format("{} is a copy of {}: erase there, and copy again, or delete this one",
                                                 dir.string(), *original));
  auto store = open_sqlite_store(dir, {.receipts = default_receipts_dir()});
  if (!store) return std::unexpected(store.error());
  return HeldState{.folder = nullptr, .store = std::move(*store)};
}

Result<HeldState> hold_database(const EraseOptions& options) {
  PostgresOptions place{.conninfo = options.store, .schema = options.schema};
  place.warn = [](std::string_view warning) { fmt::print(stderr, "warning: {}\n", warning); };
  if (const auto named = postgres_place(place); !named) return std::unexpected(named.error());
  auto folder = hold_state_dir(options.state);
  if (!folder) return std::unexpected(folder.error());
  auto store = open_postgres_store(place);
  if (!store) return std::unexpected(store.error());
  return HeldState{.folder = std::move(*folder), .store = std::move(*store)};
}

// Nothing in it says who it was, or when.
std::string new_pseudonym() {
  YM_ASSERT(sodium_init() >= 0);
  constexpr int kBitsOfAnId = 40;
  std::uint64_t number = 0;
  randombytes_buf(&number, sizeof number);
  std::string text = "erased-" + encode_base32(number >> (64 - kBitsOfAnId));
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Instant now_of_machine() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return Instant{std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
}

// Adds to `deleted`.
Result<void> delete_logs(const fs::path& state, const std::vector<JobId>& jobs, std::int64_t& deleted) {
  for (const JobId job : jobs) {
    const auto folder = (state / local::attempt_path({job, 1})).parent_path();
    std::error_code error;
    if (!fs::exists(folder, error)) continue;
    fs::remove_all(folder, error);
    if (error) return fail(ErrorCode::io, fmt::format("cannot delete {}: {}", folder.string(), error.message()));
    if (auto synced = sync_folder(folder.parent_path()); !synced) return synced;
    ++deleted;
  }
  return {};
}

// Earlier versions of the database, the one that was moved to another store, and segments that were moved aside.
boost::json::array copies_in(const EraseOptions& options) {
  std::vector<std::string> found;
  for (const auto& folder : {options.state, options.history}) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      const auto name = entry.path().filename().string();
      const bool moved = !options.store.empty() && folder == options.state && name.starts_with("yardmaster.db");
      if (moved || name.ends_with(".bak") || name.ends_with(".stray") || name.contains(".before-init-"))
        found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return boost::json::array(found.begin(), found.end());
}

}  // namespace

Result<boost::json::object> erase_identity(const EraseOptions& options) {
  auto held = options.store.empty() ? hold_file(options) : hold_database(options);
  if (!held) return std::unexpected(held.error());
  std::int64_t logs = 0;
  ErasureOrder order{.name = options.name,
                     .pseudonym = new_pseudonym(),
                     .own_user = current_user(),
                     .reason = options.reason,
                     .keep_jobs = options.keep_jobs,
                     .segments = options.history,
                     .now = now_of_machine()};
  if (options.delete_logs)
    order.delete_logs = [&](const std::vector<JobId>& jobs) { return delete_logs(options.state, jobs, logs); };
  const auto erased = erase_person(*held->store, order);
  if (!erased) return std::unexpected(erased.error());
  const Erasure& row = erased->row;
  return boost::json::object{{"pseudonym", row.name}, {"events", row.events},        {"jobs", row.jobs},
                             {"tokens", row.tokens},  {"segments", row.segments},    {"seals", row.seals.size()},
                             {"logs", logs},          {"copies", copies_in(options)}};
}

}  // namespace ym
