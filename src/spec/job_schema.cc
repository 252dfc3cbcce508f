#include "spec/job_schema.h"

#include <boost/json/array.hpp>

#include "model/keys/job.h"
#include "spec/keys/describe.h"

namespace ym {

boost::json::object job_schema() {
  using boost::json::array, boost::json::object;
  object schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "A job of Yardmaster (ym.yaml)"}};
  for (auto& [key, value] : keys::schema_of(keys::rows_of_keys<JobSpec>())) schema[key] = std::move(value);
  schema["anyOf"] = array{object{{"required", array{"run"}}}, object{{"required", array{"groups"}}}};
  return schema;
}

}  // namespace ym
