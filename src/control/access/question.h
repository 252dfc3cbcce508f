// Question: a permission, and where it is asked, as people write them.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "model/access/permission.h"
#include "model/access/scope.h"

namespace ym {

// An object that has to be looked up.
struct NamedJob {
  std::string name;  // or id
};
struct NamedNode {
  std::string name;
};
struct Question {
  Permission permission = Permission::jobs_list;
  std::variant<Scope, NamedJob, NamedNode> object;
};

// "cancel" and "job train", "use" and "queue team-a", "create" and "project vision", "jobs.get" and "site". The object
// may be a scope, too: "queue:team-a". A verb that the object's kind does not have is one of the jobs in the project or
// queue. Errors: `invalid`, at /verb or /object.
Result<Question> parse_question(std::string_view verb, std::string_view object);

}  // namespace ym
