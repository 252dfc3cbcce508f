#include "api/testing/schema.h"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <regex>

#include "base/time.h"

namespace ym::testing {
namespace {

using boost::json::value;

bool is_of_type(const value& content, std::string_view type) {
  if (type == "null") return content.is_null();
  if (type == "string") return content.is_string();
  if (type == "boolean") return content.is_bool();
  if (type == "integer") return content.is_int64() || content.is_uint64();
  if (type == "number") return content.is_number();
  if (type == "array") return content.is_array();
  return type == "object" && content.is_object();
}

constexpr std::array<std::string_view, 2> kRemarks{"description", "default"};
constexpr std::array<std::string_view, 20> kRules{"anyOf",
                                                  "oneOf",
                                                  "type",
                                                  "enum",
                                                  "const",
                                                  "minimum",
                                                  "maximum",
                                                  "required",
                                                  "items",
                                                  "minItems",
                                                  "maxItems",
                                                  "maxProperties",
                                                  "exclusiveMinimum",
                                                  "exclusiveMaximum",
                                                  "minLength",
                                                  "maxLength",
                                                  "pattern",
                                                  "properties",
                                                  "additionalProperties",
                                                  "format"};

bool is_known(std::string_view keyword) {
  return std::ranges::find(kRemarks, keyword) != kRemarks.end() || std::ranges::find(kRules, keyword) != kRules.end();
}

// Characters, not bytes.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

class Checker {
 public:
  explicit Checker(const value& document) : document_(document) {}

  std::string check(const value& schema, const value& content, const std::string& where) const {
    const auto& rules = schema.as_object();
    if (const auto* reference = rules.if_contains("$ref")) {
      const auto* target = follow_reference(document_, reference->as_string());
      return target == nullptr ? where + ": a dangling reference" : check(*target, content, where);
    }
    for (const auto& [keyword, rule] : rules)
      if (!is_known(keyword)) return fmt::format("{}: the keyword {} is not checked", where, std::string_view(keyword));
    for (const auto rule : {&Checker::any_of, &Checker::one_of, &Checker::type, &Checker::choices, &Checker::range,
                            &Checker::text, &Checker::members, &Checker::elements}) {
      if (auto wrong = (this->*rule)(rules, content, where); !wrong.empty()) return wrong;
    }
    return "";
  }

 private:
  using Rules = boost::json::object;

  std::string any_of(const Rules& rules, const value& content, const std::string& where) const {
    const auto* options = rules.if_contains("anyOf");
    if (options == nullptr) return "";
    std::string why;
    for (const auto& option : options->as_array()) {
      auto wrong = check(option, content, where);
      if (wrong.empty()) return "";
      why = std::move(wrong);
    }
    return why;
  }

  std::string one_of(const Rules& rules, const value& content, const std::string& where) const {
    const auto* options = rules.if_contains("oneOf");
    if (options == nullptr) return "";
    int fitting = 0;
    std::string why;
    for (const auto& option : options->as_array()) {
      const auto wrong = check(option, content, where);
      fitting += wrong.empty() ? 1 : 0;
      if (!wrong.empty()) why += "; " + wrong;
    }
    return fitting == 1 ? "" : fmt::format("{}: fits {} of the alternatives{}", where, fitting, why);
  }

  std::string type(const Rules& rules, const value& content, const std::string& where) const {
    const auto* wanted = rules.if_contains("type");
    if (wanted == nullptr) return "";
    bool fits = false;
    if (wanted->is_string()) fits = is_of_type(content, wanted->get_string());
    else
      for (const auto& each : wanted->as_array()) fits = fits || is_of_type(content, each.as_string());
    return fits ? ""
                : fmt::format("{}: {} is not {}", where, boost::json::serialize(content),
                              boost::json::serialize(*wanted));
  }

  std::string choices(const Rules& rules, const value& content, const std::string& where) const {
    if (const auto* only = rules.if_contains("const"); only != nullptr && *only != content)
      return where + ": not the constant";
    const auto* list = rules.if_contains("enum");
    if (list == nullptr) return "";
    for (const auto& each : list->as_array()) {
      if (each == content) return "";
    }
    return fmt::format("{}: {} is not one of the values", where, boost::json::serialize(content));
  }

  // Whether the value keeps the bound of that name, if there is one.
  template <class Compare>
  static bool keeps(const Rules& rules, std::string_view bound, double number, Compare compare) {
    const auto* limit = rules.if_contains(bound);
    return limit == nullptr || compare(number, limit->to_number<double>());
  }

  std::string range(const Rules& rules, const value& content, const std::string& where) const {
    if (!content.is_number()) return "";
    const auto number = content.to_number<double>();
    const bool fits = keeps(rules, "minimum", number, std::greater_equal()) &&
                      keeps(rules, "maximum", number, std::less_equal()) &&
                      keeps(rules, "exclusiveMinimum", number, std::greater()) &&
                      keeps(rules, "exclusiveMaximum", number, std::less());
    return fits ? "" : where + ": out of range";
  }

  static bool has_size(const Rules& rules, std::string_view least, std::string_view most, std::size_t size) {
    const auto number = static_cast<double>(size);
    return keeps(rules, least, number, std::greater_equal()) && keeps(rules, most, number, std::less_equal());
  }

  std::string text(const Rules& rules, const value& content, const std::string& where) const {
    if (!content.is_string()) return "";
    const std::string_view text = content.get_string();
    if (!has_size(rules, "minLength", "maxLength", length_of(text))) return where + ": too short or too long";
    if (const auto* format = rules.if_contains("format"); format != nullptr) {
      if (*format != "date-time") return where + ": the format is not checked";
      if (!parse_rfc3339(text)) return where + ": no time";
    }
    const auto* pattern = rules.if_contains("pattern");
    if (pattern == nullptr) return "";
    const std::regex regex{std::string(pattern->as_string())};
    return std::regex_search(text.begin(), text.end(), regex) ? "" : where + ": not of the pattern";
  }

  std::string members(const Rules& rules, const value& content, const std::string& where) const {
    if (!content.is_object()) return "";
    const auto& object = content.get_object();
    if (!has_size(rules, "minProperties", "maxProperties", object.size())) return where + ": too many members";
    if (const auto* required = rules.if_contains("required")) {
      for (const auto& name : required->as_array()) {
        if (!object.contains(name.as_string())) return fmt::format("{}: no {}", where, boost::json::serialize(name));
      }
    }
    const auto* properties = rules.if_contains("properties");
    const auto* rest = rules.if_contains("additionalProperties");
    for (const auto& [name, member] : object) {
      const std::string inner = fmt::format("{}/{}", where, std::string_view(name));
      const auto* known = properties == nullptr ? nullptr : properties->as_object().if_contains(name);
      if (known == nullptr && rest == nullptr && properties != nullptr) return inner + ": is not described";
      if (known == nullptr && rest != nullptr && rest->is_bool()) {
        if (rest->as_bool()) continue;
        return inner + ": is not described";
      }
      const auto* schema = known != nullptr ? known : rest;
      if (schema == nullptr) continue;
      if (auto wrong = check(*schema, member, inner); !wrong.empty()) return wrong;
    }
    return "";
  }

  std::string elements(const Rules& rules, const value& content, const std::string& where) const {
    const auto* items = rules.if_contains("items");
    if (items == nullptr || !content.is_array()) return "";
    if (!has_size(rules, "minItems", "maxItems", content.get_array().size())) return where + ": too few or too many";
    std::size_t index = 0;
    for (const auto& element : content.get_array()) {
      if (auto wrong = check(*items, element, fmt::format("{}/{}", where, index++)); !wrong.empty()) return wrong;
    }
    return "";
  }

  const value& document_;
};

}  // namespace

std::string check_schema(const value& document, const value& schema, const value& content) {
  return Checker(document).check(schema, content, "");
}

const value* follow_reference(const value& document, std::string_view reference) {
  if (!reference.starts_with('#')) return nullptr;
  reference.remove_prefix(1);
  boost::system::error_code error;
  return document.find_pointer({reference.data(), reference.size()}, error);
}

}  // namespace ym::testing
