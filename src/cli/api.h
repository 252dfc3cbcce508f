// Api: the server's HTTP interface as calls that give JSON or an Error.
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

// Rows of a list that is meant to be read whole.
inline constexpr std::size_t kMostRows = 100'000;

// Every refusal of the server (problem+json) comes back as the Error that it names;
// `unavailable` means that no answer came.
class Api {
 public:
  // `absent` is said in place of the system's words when nobody is there to connect to.
  explicit Api(std::unique_ptr<Transport> transport, std::string absent = {})
      : transport_(std::move(transport)), absent_(std::move(absent)) {}

  Result<boost::json::value> get(const std::string& target);
  // What is not JSON, such as a log.
  Result<std::string> get_text(const std::string& target);
  Result<boost::json::value> post(const std::string& target, const PostBody& body = {});
  Result<boost::json::value> remove(const std::string& target);
  Result<void> stream(const std::string& target, const std::string& accept, const StreamCallbacks& callbacks);
  // All pages of a list until `limit` items; whether there are more.
  struct List {
    boost::json::array items;
    std::int64_t as_of = 0;
    bool more = false;
  };
  Result<List> list(const std::string& path, std::vector<std::pair<std::string, std::string>> parameters,
                    std::size_t limit);

  // Whether anything of the last call may have reached the server.
  bool was_sent() const { return transport_->was_sent(); }
  // Whether the server answered the last call, be it with a refusal.
  bool was_answered() const { return answered_; }

 private:
  Result<HttpReply> successful(Result<HttpReply> reply);

  std::unique_ptr<Transport> transport_;
  std::string absent_;
  bool answered_ = false;
};

// The Error in a reply whose status is not of success.
Error error_of(const HttpReply& reply);

}  // namespace ym::cli
