// ReplyServer: plays a recording to whoever connects, on a port of loopback or a unix socket.
//
// Threads: any.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "executor/testing/replies/recording.h"

namespace ym::replies {

// One question that was put.
struct Asked {
  std::string phase, question, body;
  bool is_recorded = true;  // false: it has no answer in the recording; HTTP 501, exit status 98
};

class ReplyServer {
 public:
  // `on_phase`: of each phase that an answer enters (then=), before that answer is given.
  ReplyServer(Recording recording, std::string unix_path, std::function<void(const std::string&)> on_phase = {});
  ~ReplyServer();
  ReplyServer(const ReplyServer&) = delete;
  ReplyServer& operator=(const ReplyServer&) = delete;

  std::string url() const;  // "http://127.0.0.1:PORT", "unix:/PATH"
  void enter(const std::string& phase);
  std::vector<Asked> asked() const;
  // Waits until a filled body has ended or was refused, however long that takes; the most that was taken of one. It may
  // be 0: a client that reads the announced length refuses before it takes anything.
  std::uint64_t wait_for_filled() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym::replies
