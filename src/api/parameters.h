// Query parameters of one request, with checks.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "api/http/message.h"

namespace ym::api {

// Stores the first fault. Read all parameters, then call fault(). A parameter that is wrong or absent reads as nothing.
class Parameters {
 public:
  // A parameter that is not `known`, or is given twice, is a fault. Keeps a reference to `request`.
  Parameters(const Request& request, std::initializer_list<std::string_view> known);

  std::optional<std::string> text(std::string_view name);  // not empty
  std::optional<std::uint64_t> number(std::string_view name, std::uint64_t min = 0,
                                      std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
  bool flag(std::string_view name);  // "1" or "true"; "0", "false" or absent
  std::size_t limit();               // 1 to 1,000; 100 if absent

  void reject(std::string_view name, std::string message);
  std::optional<Response> fault() { return std::move(fault_); }

 private:
  const std::string* find(std::string_view name) const;

  const Request& request_;
  std::optional<Response> fault_;
};

// How long a request may wait for news (`wait=30s`), at most one minute; 0 if absent.
Duration read_wait(Parameters& parameters);

}  // namespace ym::api
