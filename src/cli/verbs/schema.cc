#include <boost/json/object.hpp>

#include "cli/output.h"
#include "cli/verbs/verb.h"
#include "spec/job_schema.h"

namespace ym::cli {
namespace {

struct SchemaOptions {
  std::string of;
};

int schema(Session& session, const SchemaOptions&) {
  print_json(session.out, job_schema());
  return 0;
}

}  // namespace

void add_schema(Verbs& verbs) {
  auto options = std::make_shared<SchemaOptions>();
  auto* verb = verbs.add("schema", "Print the JSON Schema of a file, for editors that complete and check it");
  verb->add_option("FILE", options->of, "Kind of file: job")->required()->check(CLI::IsMember({"job"}));
  verbs.on(verb, options, schema);
}

}  // namespace ym::cli
