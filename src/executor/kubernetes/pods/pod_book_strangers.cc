// PodBook: pods of this instance that no known attempt wants, and whether another server leads.
#include <fmt/format.h>

#include <algorithm>

#include "executor/kubernetes/pods/pod_book.h"

namespace ym::kubernetes {
namespace {

// A leader removes its ended pods at once, so between two pods it still leads.
constexpr Duration kStillLeads = minutes(5);

}  // namespace

void PodBook::begin_epoch(std::uint64_t epoch) {
  newest_ = std::max(newest_, epoch);
  std::erase_if(newer_, [this](const auto& entry) { return entry.first.token.epoch <= newest_; });
}

// A server without contact to its database does not learn that another has taken over; a pod of the other one is proof.
void PodBook::look_who_leads(const PodKey& key, const PodView& pod, Instant now, Effects& out) {
  const auto epoch = key.token.epoch;
  if (epoch <= newest_) return;
  auto& newer = newer_[key];
  newer.uid = pod.meta.uid;
  if (!pod.is_over()) newer.over_since.reset();
  else if (!newer.over_since) newer.over_since = now;
  if (epoch <= noted_) return;
  noted_ = epoch;
  out.notes.push_back(
      fmt::format("a pod of epoch {} exists ({}), newer than this server's {}: another server leads. While that pod "
                  "exists, this server creates and deletes no pods",
                  epoch, pod.meta.name, newest_));
}

void PodBook::forget_who_led(Instant now) {
  std::erase_if(newer_, [now](const auto& entry) {
    return entry.second.over_since && *entry.second.over_since + kStillLeads <= now;
  });
}

bool PodBook::lets_be(const PodView& pod) const {
  const auto key = owner_of(pod.meta.name, pod.labels, rules_.pod.instance);
  return key && let_be_.contains(*key) && !knows(key->token);
}

std::optional<Token> PodBook::active_stranger(const PodView& pod) const {
  const auto key = owner_of(pod.meta.name, pod.labels, rules_.pod.instance);
  if (!key || knows(key->token) || pod.is_over() || pod.node.empty()) return std::nullopt;
  return key->token;
}

// A running pod gets the answer that its launch is over, and ends; unless its launch is lost.
void PodBook::note_stranger(const PodKey& key, const PodView& pod, Instant now) {
  const bool over = pod.is_over(), lost = active_stranger(pod) && is_lost_(key.token).value_or(true);
  if (lost) let_be_.insert(key);
  else let_be_.erase(key);
  if (pod.deleting || (!over && pod.phase != "Pending")) {
    strangers_.erase(key);
    return;
  }
  const auto [at, fresh] = strangers_.try_emplace(key);
  if (fresh || at->second.uid != pod.meta.uid || at->second.over != over)
    at->second = {.uid = pod.meta.uid, .node = pod.node, .over = over, .since = now};
  at->second.node = pod.node;
  at->second.lost = lost;
}

void PodBook::forget_stranger(const PodKey& key, const std::string& uid, Instant now) {
  let_be_.erase(key);
  if (const auto known = strangers_.find(key); known != strangers_.end() && known->second.uid == uid)
    strangers_.erase(known);
  if (const auto newer = newer_.find(key);
      newer != newer_.end() && newer->second.uid == uid && !newer->second.over_since)
    newer->second.over_since = now;
}

void PodBook::tidy_strangers(Instant now, Effects& out) {
  if (is_replaced()) return;
  std::erase_if(strangers_, [this](const auto& entry) { return knows(entry.first.token); });
  for (auto& [key, pod] : strangers_) {
    const auto wait = pod.over ? rules_.keep_finished : rules_.leave;
    // It may have begun while its node could not report it.
    if (pod.lost && contact_(pod.node).contact != NodeContact::good) continue;
    if (pod.removing || key.token.epoch > newest_ || now < pod.since + wait) continue;
    pod.removing = true;
    out.remove.push_back({.key = key, .uid = pod.uid, .grace = kKillGrace, .keep_log = pod.over, .node = pod.node});
  }
}

}  // namespace ym::kubernetes
