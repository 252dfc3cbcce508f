#include "engine/explain/reason_text.h"

#include <fmt/format.h>

#include "model/cluster.h"

namespace ym::engine {

std::string nodes(std::int64_t count) { return fmt::format("{} node{}", count, count == 1 ? "" : "s"); }

std::string jobs(std::int64_t count) { return fmt::format("{} job{}", count, count == 1 ? "" : "s"); }

std::string text(const Amount& amount) {
  switch (amount.unit) {
    case Unit::count: return std::to_string(amount.value);
    case Unit::thousandths: return format_thousandths(amount.value);
    case Unit::bytes: return format_bytes(amount.value);
  }
  return {};
}

std::string things(const Amount& amount, const Counted& of, std::string_view flavor) {
  const std::string number = text(amount);
  const std::string kind = flavor.empty() || flavor == kDefaultFlavor ? "" : fmt::format("{} ", flavor);
  if (of.as == Counted::As::slices) return fmt::format("{} {}MIG {}", number, kind, of.profile);
  const std::string_view plural = number == "1" ? "" : "s";
  switch (of.kind) {
    case ResourceKind::cpus: return fmt::format("{} {}CPU{}", number, kind, plural);
    case ResourceKind::memory: return fmt::format("{} of {}memory", number, kind);
    case ResourceKind::gpus: return fmt::format("{} {}GPU{}", number, kind, plural);
  }
  return number;
}

std::string one_place(const std::string& place) { return place.empty() ? "cluster" : place; }

std::string of_one(const std::string& place) { return place.empty() ? "" : " of one " + place; }

std::string of_flavor(const std::string& flavor) {
  return flavor.empty() || flavor == kDefaultFlavor ? "" : " of flavor " + flavor;
}

std::string of_those(const AskedNodes& nodes) {
  return nodes.queue.empty() ? of_flavor(nodes.flavor) : fmt::format(" that queue {} may use", nodes.queue);
}

std::string per_node(const std::optional<Amount>& gpus) {
  return gpus ? fmt::format(" with {} each", things(*gpus, {})) : "";
}

}  // namespace ym::engine
