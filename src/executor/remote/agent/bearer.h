// Bearer: the token that the task agent sends to its server.
//
// The agent starts with a token that is valid for long, but not forever; orders bring newer ones. It sends the newest
// one. If the server refuses that (the agent was away for longer than it is valid), it sends the first one, and so on,
// in turns.
//
// Threads: any.
#pragma once

#include <mutex>
#include <string>

#include "base/secret.h"

namespace ym::remote {

class Bearer {
 public:
  // If `file` is not empty, it is read each time in place of `first`: a cluster may renew its content.
  Bearer(Secret first, std::string file) : first_(std::move(first)), file_(std::move(file)) {}

  // The token to send now; empty: none.
  Secret now() const;
  // A token that it has already changes nothing, even if that was refused.
  void renew(Secret token);
  // The server has refused this one.
  void refused(const Secret& shown);

 private:
  Secret first() const;

  const Secret first_;
  const std::string file_;
  mutable std::mutex mutex_;
  Secret renewed_;           // under mutex_
  bool takes_first_ = true;  // under mutex_
};

}  // namespace ym::remote
