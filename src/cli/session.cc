#include "cli/session.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>

#include "base/assert.h"
#include "cli/json_view.h"
#include "cli/term/text.h"

namespace ym::cli {

Result<Api> Session::connect() const {
  const auto found = discover(flags, environment);
  if (!found) return std::unexpected(found.error());
  auto transport = connector(found->connection);
  if (!transport) return std::unexpected(transport.error());
  return Api(std::move(*transport));
}

void Session::print(const boost::json::value& value) const {
  YM_ASSERT(format == Format::json || format == Format::yaml);
  if (format == Format::json) print_json(out, value);
  else print_yaml(out, value);
}

int report(Session& session, const Error& error) {
  session.err << "ym: " << printable(error.message) << '\n';
  for (const auto& field : error.fields)
    session.err << "  " << printable(field.pointer) << ": " << printable(field.message) << '\n';
  if (error.code == ErrorCode::unauthenticated)
    session.err << "give a token with YM_TOKEN_FILE or YM_TOKEN; the server's is in admin.token of its state folder\n";
  return to_int(exit_code_of(error.code));
}

int for_each_id(Session& session, const std::vector<std::string>& ids,
                const std::function<Result<boost::json::value>(Api&, const std::string&)>& act,
                const std::function<void(const boost::json::array&)>& show) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  boost::json::array done;
  int code = 0;
  for (const auto& id : ids) {
    auto result = act(*api, id);
    if (result) done.push_back(std::move(*result));
    else code = worse(code, report(session, result.error()));
  }
  if (session.is_table()) {
    if (!done.empty()) show(done);
  } else if (session.format == Format::name) {
    for (const auto& item : done) session.out << text_at(item, "id") << '\n';
  } else {
    session.print(done);
  }
  return code;
}

}  // namespace ym::cli
