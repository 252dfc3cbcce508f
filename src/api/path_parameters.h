// PathParameters: the values in a path for the parameters of a route's pattern. A value.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace ym::api {

class PathParameters {
 public:
  // `name` points into the pattern. Precondition: there is no value with that name.
  void add(std::string_view name, std::string value) { values_.emplace_back(name, std::move(value)); }

  // Null: the pattern has no such parameter.
  const std::string* find(std::string_view name) const {
    const auto found = std::ranges::find(values_, name, &std::pair<std::string_view, std::string>::first);
    return found == values_.end() ? nullptr : &found->second;
  }
  // Precondition: the pattern has the parameter.
  const std::string& at(std::string_view name) const {
    const std::string* value = find(name);
    YM_ASSERT(value != nullptr);
    return *value;
  }

 private:
  std::vector<std::pair<std::string_view, std::string>> values_;
};

}  // namespace ym::api
