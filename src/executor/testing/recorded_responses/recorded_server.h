// RecordedServer: plays a recording to its clients, on a port of loopback or a unix socket.
//
// Threads: any.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "executor/testing/recorded_responses/recording.h"

namespace ym::recorded {

// One request.
struct Asked {
  std::string phase, question, body;
  bool is_recorded = true;  // false: the recording has no answer; HTTP 501, exit status 98
};

class RecordedServer {
 public:
  // Calls `on_phase` for each phase that an answer enters (then=), before that answer is sent.
  RecordedServer(Recording recording, std::string unix_path, std::function<void(const std::string&)> on_phase = {});
  ~RecordedServer();
  RecordedServer(const RecordedServer&) = delete;
  RecordedServer& operator=(const RecordedServer&) = delete;

  std::string url() const;  // "http://127.0.0.1:PORT", "unix:/PATH"
  void enter(const std::string& phase);
  std::vector<Asked> asked() const;
  // Waits until a filled body has ended or was refused, however long that takes. Returns the most that a client read of
  // one. It may be 0: a client that checks the announced length refuses before it reads.
  std::uint64_t wait_for_filled() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym::recorded
