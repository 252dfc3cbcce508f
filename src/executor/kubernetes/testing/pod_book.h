// For tests: a PodBook with a launch of two pods, and its effects as text.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>

#include "executor/kubernetes/testing/objects.h"

namespace ym::kubernetes::testing {

inline constexpr Instant kStart{1'000'000};

// The effects as text.
inline std::string words(const Effects& effects) {
  std::string out;
  for (const auto& each : effects.observations) {
    if (std::holds_alternative<LaunchAccepted>(each.what)) out += "accepted ";
    if (const auto* refused = std::get_if<LaunchRefused>(&each.what))
      out += refused->permanent ? "refused! " : "refused ";
  }
  for (const auto& each : effects.reports) {
    out += fmt::format("{}:", each.key.task);
    if (std::holds_alternative<remote::NotStarted>(each.report)) out += "waits ";
    if (std::holds_alternative<remote::Alive>(each.report)) out += "alive ";
    if (std::holds_alternative<remote::OutOfSight>(each.report)) out += "unseen ";
    if (const auto* gone = std::get_if<remote::Gone>(&each.report))
      out += gone->exit ? fmt::format("gone({}) ", to_string(gone->exit->by)) : "gone ";
  }
  for (const auto& token : effects.unknown) out += "unknown(" + to_string(token) + ") ";
  for (std::size_t i = 0; i < effects.close_barrier.size(); ++i) out += "close-barrier ";
  for (const auto& key : effects.create) out += fmt::format("create {} ", key.task);
  for (const auto& key : effects.look_up) out += fmt::format("look-up {} ", key.task);
  for (const auto& each : effects.save_log) out += fmt::format("save-log {}{} ", each.key.task, each.whole ? "!" : "");
  for (const auto& each : effects.remove)
    out += fmt::format("remove {} {} {}{}", each.uid, each.grace.ms / 1000,
                       each.keep_log ? "log@" + each.node + " " : "", each.is_kill ? "kill " : "");
  if (!out.empty()) out.pop_back();
  return out;
}

inline ApiError error(ApiError::Kind kind) {
  return {.kind = kind, .status = 0, .message = "words", .retry_after = {}};
}

class PodBookTest : public ::testing::Test {
 protected:
  BookRules rules{.pod = {}, .node_contact = seconds(90)};
  std::map<std::string, ContactSince> nodes{{"n1", {NodeContact::good, {}}}, {"n2", {NodeContact::good, {}}}};
  PodBook book{rules, [this](const std::string& node) { return nodes[node]; }};
  LaunchRequest request = request_of(42, {"n1", "n2"});
  PodKey first{request.token, 0}, second{request.token, 1};
  Instant now = kStart;

  void make_both() {
    book.launch(request, now);
    for (const auto& key : {first, second}) {
      book.begin(key);
      book.created(key, "u" + std::to_string(key.task), now);
    }
  }
  PodView pod(const PodKey& key, const std::string& status, int version = 1) const {
    return pod_of(key, key.task == 0 ? "n1" : "n2", status, "u" + std::to_string(key.task), version);
  }
};

}  // namespace ym::kubernetes::testing
