// The parts that sentences about a reason are made of: its amounts with their units, and what they are of.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "engine/reason.h"
#include "model/cluster.h"
#include "model/resources.h"

namespace ym::engine {

// A view of the reason.
class ReasonText {
 public:
  explicit ReasonText(const Reason& reason) : reason_(reason) {}

 protected:
  // In which domain of the topology.
  std::string one_place() const { return reason_.wanted.empty() ? "cluster" : reason_.wanted; }
  std::string of_one() const { return reason_.wanted.empty() ? "" : " of one " + reason_.wanted; }

  const Number* find(std::string_view name) const {
    const auto it = std::ranges::find(reason_.numbers, name, &Number::name);
    return it == reason_.numbers.end() ? nullptr : &*it;
  }
  std::int64_t number(std::string_view name) const {
    const Number* found = find(name);
    return found ? found->value : 0;
  }
  static std::string nodes(std::int64_t n) { return fmt::format("{} node{}", n, n == 1 ? "" : "s"); }

  // "8", "0.5", "64GiB": in the unit that the numbers of the reason's resource have.
  static std::string text(const Number& value) {
    switch (value.unit) {
      case Unit::count: return std::to_string(value.value);
      case Unit::thousandths: return format_thousandths(value.value);
      case Unit::bytes: return format_bytes(value.value);
    }
    return {};
  }
  std::string text(std::int64_t value) const {
    return text(Number{
        .name = {}, .value = value, .unit = reason_.numbers.empty() ? Unit::count : reason_.numbers.front().unit});
  }
  std::string amount(std::string_view name) const {
    const Number* found = find(name);
    return found ? text(*found) : "0";
  }

  // "8 t4 GPUs", "64GiB of t4 memory", "2 MIG 1g.10gb"
  std::string things(std::string_view name, bool with_flavor = true) const {
    const bool plain = !with_flavor || reason_.flavor.empty() || reason_.flavor == kDefaultFlavor;
    return counted(amount(name), reason_.resource, plain ? "" : reason_.flavor + " ");
  }
  static std::string counted(const std::string& amount, std::string_view resource, const std::string& flavor) {
    if (resource == "memory") return fmt::format("{} of {}memory", amount, flavor);
    constexpr std::string_view kSlices = "mig:";
    if (resource.starts_with(kSlices))
      return fmt::format("{} {}MIG {}", amount, flavor, resource.substr(kSlices.size()));
    return fmt::format("{} {}{}{}", amount, flavor, resource.starts_with("gpu") ? "GPU" : "CPU",
                       amount == "1" ? "" : "s");
  }
  // "8 GPUs, 4 CPUs, 64GiB of memory"
  std::string all_things(std::initializer_list<std::string_view> names) const {
    std::string all;
    for (const auto name : names)
      if (find(name)) all += (all.empty() ? "" : ", ") + counted(amount(name), name, "");
    return all;
  }

  // Which nodes are spoken of.
  std::string of_flavor() const {
    if (!reason_.queue.empty()) return fmt::format(" that queue {} may use", reason_.queue);
    return reason_.flavor.empty() || reason_.flavor == kDefaultFlavor ? "" : " of flavor " + reason_.flavor;
  }
  std::string offered(std::string_view none) const {
    return reason_.offered.empty() ? std::string(none) : "there are: " + reason_.offered;
  }
  std::string per_node() const {
    const Number* gpus = find("gpus_per_node");
    return gpus ? fmt::format(" with {} each", counted(text(*gpus), "gpus", "")) : "";
  }

  const Reason& reason_;
};

}  // namespace ym::engine
