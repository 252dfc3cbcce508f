// Bearer: what the wrapper shows to its server.
//
// It was started with a token that is good for long, but not for ever; orders bring newer ones. The newest is shown,
// and where the server does not take it (it was away for longer than that is good) the first one; and so on, by turns.
//
// Threads: any.
#pragma once

#include <mutex>
#include <string>

#include "base/secret.h"

namespace ym::remote {

class Bearer {
 public:
  // `file`, if it is not empty, is read at each turn instead of `first`: a cluster may renew what is in it.
  Bearer(Secret first, std::string file) : first_(std::move(first)), file_(std::move(file)) {}

  // To be shown now; empty: nothing is to be.
  Secret now() const;
  // One that it has is nothing new, though it was refused.
  void renew(Secret token);
  // The server has not taken this one.
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
