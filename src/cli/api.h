// Api: calls to the server's HTTP interface. Each returns JSON or an Error.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/http/transport.h"

namespace ym::cli {

struct PostBody {
  std::string content;
  std::string content_type = "application/json";
  std::string idempotency_key;  // empty: none
};

// Most rows of a list that is read whole.
inline constexpr std::size_t kMostRows = 100'000;

// A refusal of the server (problem+json) is returned as the Error that it names. `unavailable`: the server did not
// answer.
class Api {
 public:
  // `absent`: the message if no server listens there; empty: the system's own.
  explicit Api(std::unique_ptr<Transport> transport, std::string absent = {})
      : transport_(std::move(transport)), absent_(std::move(absent)) {}

  Result<boost::json::value> get(const std::string& target);
  Result<boost::json::value> post(const std::string& target, const PostBody& body = {});
  Result<boost::json::value> remove(const std::string& target);
  Result<void> stream(const std::string& target, const std::string& accept, const StreamCallbacks& callbacks);
  // Reads all pages of a list, at most `limit` items. `more`: the list has further items.
  struct List {
    boost::json::array items;
    std::int64_t as_of = 0;
    bool more = false;
  };
  Result<List> list(const std::string& path, std::vector<std::pair<std::string, std::string>> parameters,
                    std::size_t limit);

  // Whether a part of the last request may have reached the server.
  bool was_sent() const { return transport_->was_sent(); }
  // Whether the server answered the last call. A refusal is an answer.
  bool was_answered() const { return answered_; }

 private:
  Result<HttpReply> successful(Result<HttpReply> reply);

  std::unique_ptr<Transport> transport_;
  std::string absent_;
  bool answered_ = false;
};

// The Error in a reply with an error status.
Error error_of(const HttpReply& reply);

}  // namespace ym::cli
