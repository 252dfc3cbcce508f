// `default_for:` of a queue: users and projects whose jobs go to this queue if they name none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/queue.h"
#include "spec/text/field.h"

namespace ym::spec {

// Reads `default_for` of all queues of a text. Reports a user or project that two queues name.
class DefaultsReader {
 public:
  // Precondition: `queue` has its name. `is_cohort`: the queue has children, and jobs go to these.
  void read(const Field& field, Queue& queue, bool is_cohort);

 private:
  struct Kind {
    std::string_view one, many;
    std::optional<std::string> (*read)(const Field&);
    std::map<std::string, std::string> queue_of{};  // by name
  };

  static std::vector<std::string> names(const Field& field, const std::string& queue, Kind& kind);
  static std::optional<std::string> read_user(const Field& field);

  Kind users_{.one = "user", .many = "users", .read = read_user};
  Kind projects_{.one = "project", .many = "projects", .read = read_name};
};

}  // namespace ym::spec
