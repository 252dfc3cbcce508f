#include "control/state/idempotency_book.h"

#include <sodium.h>

#include <utility>

namespace ym {

// The length of `first` keeps ("a", "bc") and ("ab", "c") apart.
IdempotencyBook::Digest IdempotencyBook::digest(std::string_view first, std::string_view second) {
  const std::uint64_t length = first.size();
  crypto_generichash_state state;
  Digest digest{};
  const auto add = [&](const void* data, std::size_t size) {
    crypto_generichash_update(&state, static_cast<const unsigned char*>(data), size);
  };
  crypto_generichash_init(&state, nullptr, 0, sizeof digest);
  add(&length, sizeof length);
  add(first.data(), first.size());
  add(second.data(), second.size());
  crypto_generichash_final(&state, reinterpret_cast<unsigned char*>(digest.data()), sizeof digest);
  return digest;
}

std::vector<IdempotencyBook::Run> IdempotencyBook::runs_of(const std::vector<JobId>& jobs) {
  std::vector<Run> runs;
  for (const auto id : jobs) {
    if (!runs.empty() && runs.back().first + runs.back().count == id.value) ++runs.back().count;
    else runs.push_back({id.value, 1});
  }
  return runs;
}

std::optional<IdempotencyBook::Found> IdempotencyBook::find(std::string_view principal, std::string_view key,
                                                            std::string_view request_hash) const {
  const auto it = entries_.find(digest(principal, key));
  if (it == entries_.end()) return std::nullopt;
  const Entry& entry = it->second;
  Found found{.same_request = entry.request == digest(request_hash, {}), .jobs = {}};
  const auto add = [&](const Run& run) {
    for (std::uint64_t i = 0; i < run.count; ++i) found.jobs.push_back(JobId{run.first + i});
  };
  add(entry.run);
  if (entry.more)
    for (const auto& run : *entry.more) add(run);
  return found;
}

void IdempotencyBook::put(const IdempotencyRecord& record) {
  Entry entry{.request = digest(record.request_hash, {}), .at = record.at, .run = {}, .more = nullptr};
  auto runs = runs_of(record.jobs);
  if (!runs.empty()) entry.run = runs.front();
  if (runs.size() > 1) entry.more = std::make_unique<const std::vector<Run>>(runs.begin() + 1, runs.end());
  entries_.insert_or_assign(digest(record.principal, record.key), std::move(entry));
}

}  // namespace ym
