// A client on a plain socket. It can send bytes that no HTTP library would send.
//
// Every wait has a deadline of 20 s, after which the read fails.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ym::testing {

struct HttpReply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // chunks joined
};

class RawClient {
 public:
  explicit RawClient(std::uint16_t port);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // False if the server does not accept the bytes (any more).
  bool send(std::string_view bytes);
  // The next answer; nothing if the connection ends before it is complete.
  std::optional<HttpReply> read_reply(bool head_request = false);
  // Only the head of the next answer. Read its body with read_until.
  std::optional<HttpReply> read_head();
  // Raw bytes up to and including `marker`; nothing if the connection ends before.
  std::optional<std::string> read_until(std::string_view marker);
  // Whether the server closes the connection.
  bool read_end();
  void close();

 private:
  bool fill();
  bool fill_to(std::size_t bytes);
  std::optional<std::string> read_chunks();

  int fd_ = -1;
  std::string buffer_;
};

struct HttpCall {
  std::string method = "GET";
  std::string target = "/";
  std::string token{};
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
};

// The bytes of a well-formed request, with Content-Length if there is a body.
std::string to_bytes(const HttpCall& call);

// One request on its own connection. Status 0: there was no answer.
HttpReply fetch(std::uint16_t port, const HttpCall& call);

}  // namespace ym::testing
