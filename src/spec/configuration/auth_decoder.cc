#include "spec/configuration/auth_decoder.h"

#include <fmt/format.h>

#include <set>

#include "spec/keys/auth.h"
#include "spec/keys/read.h"

namespace ym::spec {
namespace {

void check_project_names(const Field& field, const std::vector<Project>& projects) {
  std::set<std::string> names;
  for (const Project& project : projects)
    if (!project.name.empty() && !names.insert(project.name).second)
      field.wrong(fmt::format("there are two projects named {}", quoted(project.name)));
}

}  // namespace

AuthSettings read_auth(const Field& field) {
  AuthSettings auth;
  keys::read_struct(field, auth);
  if (field.value->kind != Value::Kind::map) return auth;
  if (const auto projects = MapReader(field).find("projects")) check_project_names(*projects, auth.projects);
  for (Project& project : auth.projects) project.managed_by = ManagedBy::file;
  return auth;
}

}  // namespace ym::spec
