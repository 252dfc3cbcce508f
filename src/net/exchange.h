// One request and its reply over one connection. Private to net.
#pragma once

#include <string_view>

#include "net/reply_reader.h"
#include "net/transport.h"

namespace ym::net {

struct Exchange {
  std::string_view request;  // as it goes over the wire
  ReplyRules rules;
  SteadyTime deadline;      // of the whole; of a stream: until its head is here
  Duration between_pieces;  // from then on
  const Cancel& cancel;
};

struct Outcome {
  Result<Reply> reply;      // messages say what happened, not with which server
  bool reusable = false;    // the connection
  bool unanswered = false;  // it failed, for the connection was lost before a byte of the reply came
};

Outcome run_exchange(Transport& transport, const Exchange& exchange);

}  // namespace ym::net
