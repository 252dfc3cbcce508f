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

// Every refusal of the server (problem+json) comes back as the Error that it names;
// `unavailable` means that no answer came.
class Api {
 public:
  explicit Api(std::unique_ptr<Transport> transport) : transport_(std::move(transport)) {}

  Result<boost::json::value> get(const std::string& target);
  // What is not JSON, such as a log.
  Result<std::string> get_text(const std::string& target);
  Result<boost::json::value> post(const std::string& target, const PostBody& body = {});
  Result<void> stream(const std::string& target, const std::string& accept, const StreamCallbacks& callbacks);
  // All pages of a list until `limit` items; whether there are more.
  struct List {
    boost::json::array items;
    std::int64_t as_of = 0;
    bool more = false;
  };
  Result<List> list(const std::string& path, std::vector<std::pair<std::string, std::string>> parameters,
                    std::size_t limit);

 private:
  std::unique_ptr<Transport> transport_;
};

// The Error in a reply whose status is not of success.
Error error_of(const HttpReply& reply);

}  // namespace ym::cli
