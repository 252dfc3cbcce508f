#include "engine/reason.h"

#include <fmt/format.h>

#include <iterator>

#include "engine/reason_fields.h"

namespace ym::engine {
namespace {

template <class T>
concept Named = std::is_enum_v<T> || std::same_as<T, Counted> || std::same_as<T, JobId>;

// The fields that are numbers.
struct Numbers {
  std::vector<Number> found;

  void operator()(std::string_view name, std::int64_t count) { found.push_back({name, count}); }
  void operator()(std::string_view name, const Amount& amount) { found.push_back({name, amount.value, amount.unit}); }
  void operator()(std::string_view name, Instant time) { found.push_back({name, time.ms}); }
  void operator()(std::string_view /*name*/, const std::string& /*text*/) {}
  template <Named T>
  void operator()(std::string_view /*name*/, const T& /*value*/) {}
};

// The fields that are not numbers.
struct Texts {
  std::string_view wanted;
  std::string found{};

  void operator()(std::string_view /*name*/, std::int64_t /*count*/) {}
  void operator()(std::string_view /*name*/, const Amount& /*amount*/) {}
  void operator()(std::string_view /*name*/, Instant /*time*/) {}
  void operator()(std::string_view name, const std::string& text) {
    if (name == wanted) found = text;
  }
  template <Named T>
  void operator()(std::string_view name, const T& value) {
    if (name == wanted) found = to_string(value);
  }
};

struct Blocker {
  JobId found{};

  void operator()(std::string_view /*name*/, JobId job) { found = job; }
  template <class Other>
  void operator()(std::string_view /*name*/, const Other& /*value*/) {}
};

std::string_view unit_mark(Unit unit) {
  switch (unit) {
    case Unit::count: return "";
    case Unit::thousandths: return "m";
    case Unit::bytes: return "B";
  }
  return {};
}

struct TextLine {
  std::string text{};

  template <class Value>
  void add(std::string_view name, const Value& value) {
    fmt::format_to(std::back_inserter(text), " {}={}", name, value);
  }
  void operator()(std::string_view name, std::int64_t count) { add(name, count); }
  void operator()(std::string_view name, const Amount& amount) {
    add(name, fmt::format("{}{}", amount.value, unit_mark(amount.unit)));
  }
  void operator()(std::string_view name, Instant time) { add(name, time.ms); }
  void operator()(std::string_view name, const std::string& value) {
    if (!value.empty()) add(name, value);
  }
  template <Named T>
  void operator()(std::string_view name, const T& value) {
    add(name, to_string(value));
  }
};

template <class D>
ReasonCode code_of(const D& /*details*/) {
  return D::kCode;
}
ReasonCode code_of(const OnlyCode& details) { return details.code; }

template <class Visitor>
Visitor visit_fields(const Reason& reason, Visitor visitor) {
  std::visit([&](const auto& details) { for_each_field(details, visitor); }, reason.details);
  if (reason.lent) for_each_field(*reason.lent, visitor);
  return visitor;
}

// Empty: a field has it, or the reason has none.
std::string_view fixed_about(const Reason& reason) {
  return std::visit(
      []<class D>(const D& /*details*/) -> std::string_view {
        if constexpr (requires { D::kAbout; }) return D::kAbout;
        else return {};
      },
      reason.details);
}

}  // namespace

std::string to_string(const Counted& counted) {
  switch (counted.as) {
    case Counted::As::whole: return std::string(to_string(counted.kind));
    case Counted::As::share: return "gpu_share";
    case Counted::As::slices: return "mig:" + counted.profile;
  }
  return {};
}

ReasonCode Reason::code() const {
  return std::visit([](const auto& one) { return code_of(one); }, details);
}

Reason reason_of(ReasonCode code) {
  if (code == ReasonCode::pending_evaluation) return {NotEvaluated{}};
  if (code == ReasonCode::held) return {JobIsHeld{}};
  return {OnlyCode{code}};
}

std::vector<Number> numbers_of(const Reason& reason) { return visit_fields(reason, Numbers{}).found; }

std::string text_in(const Reason& reason, std::string_view name) {
  return visit_fields(reason, Texts{.wanted = name}).found;
}

std::string about(const Reason& reason) {
  const auto fixed = fixed_about(reason);
  return fixed.empty() ? text_in(reason, "about") : std::string(fixed);
}

JobId blocker_of(const Reason& reason) { return visit_fields(reason, Blocker{}).found; }

std::string canonical_text(const Reason& reason) {
  std::string text(ym::to_string(reason.code()));
  if (const auto fixed = fixed_about(reason); !fixed.empty()) text.append(" about=").append(fixed);
  return text + visit_fields(reason, TextLine{}).text;
}

}  // namespace ym::engine
