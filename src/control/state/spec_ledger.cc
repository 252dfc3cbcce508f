#include "control/state/spec_ledger.h"

#include "base/assert.h"

namespace ym {
namespace {

// The size of an entry of a map or vector, without its text.
constexpr std::size_t kEntry = 96;

// The size of a plain spec's texts.
constexpr std::size_t kPlain = 1024;

std::size_t size(const std::string& text) { return kEntry + text.size(); }
std::size_t size(const std::vector<std::string>& list) {
  std::size_t total = 0;
  for (const auto& text : list) total += size(text);
  return total;
}
std::size_t size(const std::map<std::string, std::string>& entries) {
  std::size_t total = 0;
  for (const auto& [key, value] : entries) total += size(key) + size(value);
  return total;
}

}  // namespace

std::size_t bytes_of(const JobSpec& spec) {
  std::size_t texts = size(spec.run.words) + size(spec.env) + size(spec.workdir) + size(spec.image) +
                      size(spec.placement->select) + size(spec.placement->exclude) + size(spec.checkpoint->dir);
  for (const TaskGroup& group : spec.groups) texts += sizeof group + size(group.run.words) + size(group.env);
  return texts > kPlain ? texts - kPlain : 0;
}

void SpecLedger::clear() {
  specs_.clear();
  owners_.clear();
}

void SpecLedger::add(const Job& job) {
  if (const auto known = specs_.find(job.spec_id); known != specs_.end()) {
    known->second.jobs += 1;
    return;
  }
  const std::size_t bytes = bytes_of(*job.spec);
  if (bytes == 0) return;
  specs_.emplace(job.spec_id, Held{.bytes = bytes, .jobs = 1, .owner = job.owner});
  owners_[job.owner] += bytes;
}

void SpecLedger::remove(const Job& job) {
  const auto it = specs_.find(job.spec_id);
  if (it == specs_.end()) {
    YM_ASSERT(bytes_of(*job.spec) == 0);
    return;
  }
  if (--it->second.jobs > 0) return;
  const Held held = std::move(it->second);
  specs_.erase(it);
  const auto owner = owners_.find(held.owner);
  YM_ASSERT(owner != owners_.end());
  owner->second -= held.bytes;
  if (owner->second == 0) owners_.erase(owner);
}

std::size_t SpecLedger::bytes(const std::string& owner) const {
  const auto it = owners_.find(owner);
  return it == owners_.end() ? 0 : it->second;
}

}  // namespace ym
