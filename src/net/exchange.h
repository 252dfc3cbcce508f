// One request and its reply over one connection. Private to net.
#pragma once

#include <string_view>

#include "net/reply_reader.h"
#include "net/transport.h"

namespace ym::net {

struct Exchange {
  std::string_view request;  // in wire format
  ReplyRules rules;
  SteadyTime deadline;      // of the whole exchange; for a stream: of its head
  Duration between_pieces;  // for a stream: longest wait for each further piece
  const Cancel& cancel;
  const std::function<bool()>* keep_going = nullptr;
};

struct Outcome {
  Result<Reply> reply;      // messages do not name the server
  bool reusable = false;    // whether the connection can be used again
  bool unanswered = false;  // the connection was lost before the first byte of the reply
};

Outcome run_exchange(Transport& transport, const Exchange& exchange);

}  // namespace ym::net
