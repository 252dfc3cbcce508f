// The operations of the document: summary, parameters and answers of each route.
//
// A row has only what its route (routes/route.h) does not: the required token, the types of the body, the parameters of
// the path, and the errors that every such route has (errors.h) follow from the route.
#pragma once

#include <string_view>
#include <vector>

#include "api/http/message.h"
#include "api/openapi/schema.h"

namespace ym::api::openapi {

struct Parameter {
  std::string_view in;  // "query", "header"
  Member member;
};
Parameter query(std::string_view name, Schema schema, std::string_view meaning);
Parameter header(std::string_view name, Schema schema, std::string_view meaning);
// The parameters of lists.
Parameter limit();
Parameter cursor();
// "1" or "true", "0" or "false".
Schema switched();

struct Answer {
  int status = 200;
  std::string_view meaning;
  Schema schema{};  // of JSON or text, as the route produces; empty: no content
  std::vector<Member> headers{};
};

// For operations that list or continue events.
std::vector<Parameter> parameters_of_events();
Answer events();

struct ErrorAnswer {
  int status = 0;
  std::string_view meaning{};  // empty: the usual one of the status
};

struct Operation {
  Method method = Method::get;
  std::string_view path;  // the pattern of its route
  std::string_view id;    // the name in generated clients
  std::string_view summary;
  std::string_view description{};
  std::string_view object{};  // what "{id}" in the path stands for
  std::vector<Parameter> parameters{};
  Schema content{};         // of a JSON body; empty: an object without members, if the route takes one
  std::string_view yaml{};  // the meaning of a YAML body
  std::vector<Answer> answers;
  std::vector<ErrorAnswer> errors{};  // beside those of the route, or with other words
};

struct Group {
  std::string_view tag;
  std::vector<Operation> operations;
};

Group server_operations();
Group job_operations();
Group attempt_operations();
Group cluster_operations();  // queues, policy, reservations, nodes
Group token_operations();
Group access_operations();  // roles, bindings, projects, identities, questions

}  // namespace ym::api::openapi
