// Addresses of databases, as users write them.
#include <fmt/format.h>
#include <libpq-fe.h>

#include <map>
#include <memory>

#include "store/postgres/postgres_store.h"

namespace ym {
namespace {

struct Freed {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
  void operator()(char* text) const { PQfreemem(text); }
};

}  // namespace

Result<std::string> postgres_place(const PostgresOptions& options) {
  char* failed = nullptr;
  const std::unique_ptr<PQconninfoOption, Freed> parsed(PQconninfoParse(options.conninfo.c_str(), &failed));
  const std::unique_ptr<char, Freed> why(failed);
  // libpq's message may repeat a password, so it is not shown.
  if (!parsed)
    return fail(ErrorCode::invalid,
                "the store's address is not a PostgreSQL address: postgresql://USER@HOST:PORT/DATABASE");
  std::map<std::string_view, std::string_view> said;
  for (const auto* option = parsed.get(); option->keyword; ++option)
    if (option->val && *option->val) said[option->keyword] = option->val;
  if (said.contains("password") || said.contains("sslpassword"))
    return fail(ErrorCode::invalid,
                "the store's address holds a password, which every user of this machine could read: put it into a "
                "file that PGPASSFILE names (HOST:PORT:DATABASE:USER:PASSWORD, mode 0600), or into PGPASSWORD");
  const auto or_default = [&](std::string_view keyword) { return said.contains(keyword) ? said[keyword] : "default"; };
  return fmt::format("PostgreSQL at {}, port {}, database '{}', schema '{}'", or_default("host"), or_default("port"),
                     or_default("dbname"), options.schema);
}

}  // namespace ym
