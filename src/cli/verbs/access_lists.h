// Helpers of the verbs on roles, projects and identities.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/session.h"
#include "cli/views/json_view.h"

namespace ym::cli {

// Prints rows as the session wants them. `id`: the member that names a row.
void print_rows(Session& session, const boost::json::array& rows, std::string_view id,
                void (*show)(Session&, const boost::json::array&));
// Reads a whole list and prints it. Returns the exit code.
int show_list(Session& session, const std::string& path, std::string_view id,
              void (*show)(Session&, const boost::json::array&));
// Posts the body, and prints the answer: as JSON if the session wants that, else by `say`. Returns the exit code.
int post_row(Session& session, const std::string& path, const boost::json::object& body,
             const std::function<void(const boost::json::value&)>& say);
// Removes one row. Returns the exit code.
int remove_row(Session& session, const std::string& path, const std::string& name);

void show_bindings(Session& session, const boost::json::array& bindings);

inline bool flag_at(const boost::json::value& row, std::string_view member) { return text_at(row, member) == "true"; }
// The texts of a list; empty if there is none.
std::vector<std::string> texts_at(const boost::json::value& row, std::string_view member);

}  // namespace ym::cli
