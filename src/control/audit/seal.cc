#include "control/audit/seal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "control/state/sodium.h"

namespace ym {
namespace {

constexpr std::size_t kLeafBytes = 16, kChainBytes = 32;
constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

std::string encode(std::string_view leaves) {
  std::string text(sodium_base64_encoded_len(leaves.size(), kBase64), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes_of(leaves), leaves.size(), kBase64);
  text.pop_back();  // the end of a C string
  return text;
}

// Empty: it is not base64.
std::string decode(const std::string& text) {
  std::string leaves(text.size(), '\0');
  std::size_t size = 0;
  auto* into = reinterpret_cast<unsigned char*>(leaves.data());
  if (sodium_base642bin(into, leaves.size(), text.data(), text.size(), nullptr, &size, nullptr, kBase64) != 0) size = 0;
  leaves.resize(size);
  return leaves;
}

std::string long_hash_of(std::string_view text) {
  std::array<unsigned char, kChainBytes> hash{};
  crypto_generichash(hash.data(), hash.size(), bytes_of(text), text.size(), nullptr, 0);
  std::string digits;
  for (const unsigned char byte : hash) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::string chain_of(const SealHead& before, const LogSealed& seal) {
  return long_hash_of(fmt::format("{}\n{} {}\n{}\n", before.chain, seal.from, seal.to, seal.leaves));
}

}  // namespace

SealLeaf leaf_of(const StoredEvent& event) {
  prepare_sodium();
  std::array<unsigned char, kLeafBytes> hash{};
  crypto_generichash(hash.data(), hash.size(), bytes_of(event.bytes), event.bytes.size(), nullptr, 0);
  return {.seq = event.seq, .hash = {hash.begin(), hash.end()}, .is_seal = event.is_seal};
}

LogSealed make_seal(const SealHead& before, std::span<const SealLeaf> events) {
  prepare_sodium();
  YM_ASSERT(!events.empty() && events.front().seq == before.to + 1 && events.back().seq == before.to + events.size());
  LogSealed seal{.from = events.front().seq, .to = events.back().seq, .leaves = {}, .chain = {}};
  std::string leaves;
  for (const auto& event : events) leaves += event.hash;
  seal.leaves = encode(leaves);
  seal.chain = chain_of(before, seal);
  return seal;
}

std::optional<LogSealed> with_leaves(const LogSealed& seal, const std::map<std::uint64_t, std::string>& hashes) {
  prepare_sodium();
  if (seal.to < seal.from) return std::nullopt;
  std::string leaves = decode(seal.leaves);
  if (leaves.size() / kLeafBytes != seal.to - seal.from + 1) return std::nullopt;
  bool any = false;
  for (auto it = hashes.lower_bound(seal.from); it != hashes.end() && it->first <= seal.to; ++it, any = true)
    leaves.replace((it->first - seal.from) * kLeafBytes, kLeafBytes, it->second);
  if (!any) return std::nullopt;
  LogSealed changed = seal;
  changed.leaves = encode(leaves);
  return changed;
}

std::string digest_of_seal(const Event& event) {
  prepare_sodium();
  const auto& seal = std::get<LogSealed>(event.payload);
  return long_hash_of(fmt::format("{} {} {} {}\n{}\n{}\n{}\n{}", event.seq, event.time.ms, seal.from, seal.to,
                                  event.actor, event.reason, seal.chain, seal.leaves));
}

ErasedSeals seals_of(std::span<const Erasure> erasures) {
  std::vector<const Erasure*> in_order;
  for (const Erasure& erasure : erasures) in_order.push_back(&erasure);
  std::ranges::sort(in_order, {}, &Erasure::event);
  ErasedSeals last;
  for (const Erasure* erasure : in_order)
    for (const ErasedSeal& one : erasure->seals) last.insert_or_assign(one.seal, one.digest);
  return last;
}

std::optional<SealFault> check_seal(const SealHead& before, const LogSealed& seal, std::span<const SealLeaf> events,
                                    const Excused& excused) {
  prepare_sodium();
  if (seal.from != before.to + 1)
    return SealFault{before.to + 1, fmt::format("the next seal begins with event {}", seal.from)};
  if (!excused.list && seal.chain != chain_of(before, seal))
    return SealFault{seal.from, "the seal of these events does not follow the one before"};
  const auto leaves = decode(seal.leaves);
  for (std::uint64_t seq = seal.from, i = 0; seq <= seal.to; ++seq, ++i) {
    if (i >= events.size() || events[i].seq != seq) return SealFault{seq, "the event is missing"};
    if (events[i].is_seal && excused.seals.contains(seq)) continue;
    if (leaves.substr(std::min(i * kLeafBytes, leaves.size()), kLeafBytes) != events[i].hash)
      return SealFault{seq, "the event is not as it was sealed"};
  }
  return std::nullopt;
}

}  // namespace ym
