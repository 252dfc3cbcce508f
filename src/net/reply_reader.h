// ReplyReader: bytes of the wire in, a reply out. Private to net; Beast stays behind it.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "net/http_client.h"

namespace ym::net {

struct ReplyRules {
  bool no_body = false;                                         // the reply to a HEAD
  std::size_t most_bytes = 0;                                   // of a body that is not streamed
  const std::function<bool(std::string_view)>* take = nullptr;  // where the body of a 200 goes, if not null
};

class ReplyReader {
 public:
  enum class State {
    more,    // it is not whole yet
    done,    // it is, or `take` had enough
    broken,  // see error()
  };

  explicit ReplyReader(ReplyRules rules);
  ~ReplyReader();

  // While the state is `more`.
  State feed(std::string_view bytes);
  // The server closed the connection in good order.
  State end();

  bool began() const;         // a byte of it came
  bool is_streaming() const;  // its head came, and its body goes to `take`
  bool is_reusable() const;   // it is done, and the connection can serve another request
  const Error& error() const;
  Reply release();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ym::net
