// History: seals events and moves old ones to segments, as the threads of a server do, with the production archiver.
//
// The segments are real files in a temporary folder, which no fault reaches. What is tried is a server that dies, and a
// disk that fails, between the file, its row and each step of the deletion.
//
// Threads: one.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "archive/archiver.h"
#include "control/audit/verification.h"
#include "fault_injection/incarnation.h"
#include "model/history/retention.h"

namespace ym::sim {

class History {
 public:
  explicit History(const Retention& kept);
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  // Does all that is due. What cannot be done is left to the next look. May throw ServerDies.
  void look(Incarnation& server);

  // Events that were to be deleted, by number. A server may have died before it deleted the last of them.
  const std::map<std::uint64_t, Event>& moved() const { return moved_; }

  // Why segments and the log after them are not as they were sealed. Nothing: they are.
  std::optional<std::string> fault(const Tables& tables, StoreReader& reader) const;

 private:
  Archiver::Ports ports(Incarnation& server);
  Result<Pruned> prune(Incarnation& server, std::uint64_t to);
  Result<void> remove(Incarnation& server, const HistorySegment& row);

  const Retention kept_;
  std::filesystem::path folder_;
  std::map<std::uint64_t, Event> moved_;
  std::map<std::uint64_t, VerifiedTo> removed_;  // ends of segments that were to be deleted, by the event after them
};

}  // namespace ym::sim
