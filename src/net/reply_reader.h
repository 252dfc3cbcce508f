// ReplyReader: parses the bytes of a reply. Private to net. It hides Beast.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "net/http_client.h"

namespace ym::net {

struct ReplyRules {
  bool no_body = false;                                         // the reply to a HEAD
  std::size_t most_bytes = 0;                                   // of a body that is not streamed
  const std::function<bool(std::string_view)>* take = nullptr;  // receives the body of a 200, if not null
  const std::function<void(const Reply&)>* head = nullptr;  // receives the head of a 200, if the body goes to `take`
};

class ReplyReader {
 public:
  enum class State {
    more,    // the reply is not complete yet
    done,    // it is complete, or `take` returned false
    broken,  // see error()
  };

  explicit ReplyReader(ReplyRules rules);
  ~ReplyReader();

  // Precondition: the state is `more`.
  State feed(std::string_view bytes);
  // Call it when the server has closed the connection cleanly.
  State end();

  bool began() const;         // a byte of the reply came
  bool is_streaming() const;  // its head came, and its body goes to `take`
  bool is_reusable() const;   // it is done, and the connection can be used again
  const Error& error() const;
  Reply release();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ym::net
