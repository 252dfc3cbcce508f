#include "control/access/question.h"

#include <gtest/gtest.h>

#include <tuple>

namespace ym {
namespace {

TEST(Questions, AreReadAsPeopleWriteThem) {
  using enum Permission;
  for (const auto& [verb, object, permission, scope] :
       {std::tuple{"use", "queue vision", queues_use, "queue:vision"},
        std::tuple{"use", "queue:vision", queues_use, "queue:vision"},
        std::tuple{"create", "project cars", jobs_create, "project:cars"},
        std::tuple{"edit", "project cars", projects_edit, "project:cars"},
        std::tuple{"cancel", "jobs", jobs_cancel, "site"}, std::tuple{"bind", "roles", roles_bind, "site"},
        std::tuple{"jobs.logs", "project:cars", jobs_logs, "project:cars"},
        std::tuple{"drain", "cluster lab", nodes_drain, "cluster:lab"}, std::tuple{"read", "audit", audit_read, "site"},
        std::tuple{"policies.edit", "site", policies_edit, "site"}}) {
    const auto question = parse_question(verb, object);
    ASSERT_TRUE(question) << verb << " " << object;
    EXPECT_EQ(question->permission, permission) << verb << " " << object;
    EXPECT_EQ(to_string(std::get<Scope>(question->object)), scope) << verb << " " << object;
  }
  EXPECT_EQ(std::get<NamedJob>(parse_question("cancel", "job train")->object).name, "train");
  EXPECT_EQ(std::get<NamedNode>(parse_question("drain", "node n1")->object).name, "n1");
}

TEST(Questions, SayWhichWordIsWrong) {
  EXPECT_EQ(parse_question("cancel", "").error().fields.at(0).pointer, "/object");
  EXPECT_EQ(parse_question("cancel", "team a").error().fields.at(0).pointer, "/object");
  EXPECT_EQ(parse_question("paint", "job x").error().fields.at(0).pointer, "/verb");
}

}  // namespace
}  // namespace ym
