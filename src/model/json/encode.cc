// Written as text directly: a tree of values would cost more time than the writing.
#include <fmt/format.h>

#include <iterator>

#include "model/json/codec.h"
#include "model/json/enum_text.h"
#include "model/json/event_fields.h"

namespace ym::json {
namespace {

constexpr std::string_view short_escape(char c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return {};
  }
}

bool is_plain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

class Writer {
 public:
  template <class T>
  static std::string text(const T& row) {
    Writer writer;
    writer.out_.reserve(1024);
    writer.put(row);
    return std::move(writer.out_);
  }

 private:
  void put(bool flag) { out_ += flag ? "true" : "false"; }
  template <std::integral Number>
  void put(Number number) {
    const fmt::format_int digits(number);
    out_.append(digits.data(), digits.size());
  }
  void put(std::string_view text);
  void put(const std::string& text) { put(std::string_view(text)); }
  // As text: the shortest one that gives back the same bits. JSON numbers do not guarantee that.
  void put(double number) { fmt::format_to(std::back_inserter(out_), "\"{}\"", number); }
  void put(Instant t) { put(t.ms); }
  void put(Duration d) { put(d.ms); }
  template <class Tag>
  void put(StrongId<Tag> id) {
    put(id.value);
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void put(Enum value) {
    put(to_string(value));
  }
  void put(const FlavorQuota& quota);
  void put(const ResourceVector& amounts);
  void put(const QuotaList& quota);
  template <class T>
  void put(const std::vector<T>& items) {
    out_ += '[';
    for (const auto& item : items) {
      comma();
      put(item);
    }
    out_ += ']';
  }
  template <class T>
  void put(const std::map<std::string, T>& entries) {
    out_ += '{';
    for (const auto& [key, value] : entries) member(key, value);
    out_ += '}';
  }
  template <Described T>
  void put(const T& row) {
    out_ += '{';
    for_each_member(Fields<T>::list, [&](const auto& f) { field(f, row.*f.member); });
    out_ += '}';
  }

  template <class F, class T>
  void field(const F& f, const T& value) {
    if (!f.leaves_out(value)) member(f.name, value);
  }
  template <class T>
  void member(std::string_view name, const T& value) {
    comma();
    put(name);
    out_ += ':';
    put(value);
  }
  template <class T>
  void member(std::string_view name, const std::optional<T>& value) {
    if (value) member(name, *value);
  }
  template <class T>
  void member(std::string_view name, const BoxedOptional<T>& value) {
    if (value) member(name, *value);
  }
  template <class T>
  void member(std::string_view name, const Boxed<T>& value) {
    member(name, *value);
  }
  // A separator, unless the next value is the first in its object or list.
  void comma() {
    if (out_.back() != '{' && out_.back() != '[') out_ += ',';
  }

  std::string out_;
};

void Writer::put(std::string_view text) {
  out_ += '"';
  while (true) {
    const auto special = std::ranges::find_if_not(text, is_plain);
    const auto length = static_cast<std::size_t>(special - text.begin());
    out_.append(text.substr(0, length));
    if (special == text.end()) break;
    if (const auto escape = short_escape(*special); !escape.empty()) out_ += escape;
    else fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned char>(*special));
    text.remove_prefix(length + 1);
  }
  out_ += '"';
}

// A kind without a limit is left out.
void Writer::put(const FlavorQuota& quota) {
  out_ += '{';
  for (std::size_t i = 0; i < kResourceKinds; ++i) member(to_string(resource_kind(i)), quota[i]);
  out_ += '}';
}

void Writer::put(const ResourceVector& amounts) {
  out_ += '{';
  for (std::size_t i = 0; i < kResourceKinds; ++i)
    if (amounts.amounts[i] != 0) member(to_string(resource_kind(i)), amounts.amounts[i]);
  out_ += '}';
}

// A list, because the order of keys in a JSON object is not guaranteed.
void Writer::put(const QuotaList& quota) {
  out_ += '[';
  for (const auto& [flavor, kinds] : quota) {
    comma();
    out_ += '{';
    member("flavor", flavor);
    member("kinds", kinds);
    out_ += '}';
  }
  out_ += ']';
}

}  // namespace

std::string encode(const JobSpec& spec) { return Writer::text(spec); }
std::string encode(const Job& job) { return Writer::text(job); }
std::string encode(const Attempt& attempt) { return Writer::text(attempt); }
std::string encode(AnyNamedRow row) {
  return std::visit([](const auto* named) { return Writer::text(*named); }, row);
}
std::string encode(const EventPayload& payload) {
  return std::visit([](const auto& event) { return Writer::text(event); }, payload);
}

}  // namespace ym::json
