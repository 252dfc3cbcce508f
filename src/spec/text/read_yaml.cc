#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <sstream>

#include "spec/text/text_check.h"
#include "spec/text/text_kind.h"
#include "spec/text/value.h"
#include "spec/text/value_builder.h"

namespace ym::spec {
namespace {

bool take_digits(std::string_view& text) {
  const auto end = text.find_first_not_of("0123456789");
  const auto count = end == std::string_view::npos ? text.size() : end;
  text.remove_prefix(count);
  return count > 0;
}

bool take_any_of(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

bool is_based_number(std::string_view text) {
  if (text.starts_with("0x"))
    return text.size() > 2 && text.find_first_not_of("0123456789abcdefABCDEF", 2) == text.npos;
  return text.starts_with("0o") && text.size() > 2 && text.find_first_not_of("01234567", 2) == text.npos;
}

bool is_special_number(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNan{".nan", ".NaN", ".NAN"};
  for (const auto name : kNan)
    if (text == name) return true;
  take_any_of(text, "+-");
  return text == ".inf" || text == ".Inf" || text == ".INF";
}

// YAML 1.2.2, section 10.3.2.
bool is_core_number(std::string_view text) {
  if (is_based_number(text) || is_special_number(text)) return true;
  take_any_of(text, "+-");
  const bool whole = take_digits(text);
  const bool point = take_any_of(text, ".");
  const bool fraction = point && take_digits(text);
  if (!whole && !fraction) return false;
  if (take_any_of(text, "eE")) {
    take_any_of(text, "+-");
    if (!take_digits(text)) return false;
  }
  return text.empty();
}

Value::Kind plain_kind(std::string_view text) {
  for (const std::string_view word : {"true", "True", "TRUE", "false", "False", "FALSE"})
    if (text == word) return Value::Kind::boolean;
  return is_core_number(text) ? Value::Kind::number : Value::Kind::string;
}

// yaml-cpp resolves nothing here. It reports anchors, tags and aliases, and the handler refuses each at once, before
// anything is expanded.
class EventReader final : public YAML::EventHandler {
 public:
  EventReader(std::string_view text, bool first) : text_(text), first_(first) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    // yaml-cpp takes text after a complete value for a new document.
    const auto at = static_cast<std::size_t>(mark.pos);
    if (!first_ && (at > text_.size() || !text_.substr(at).starts_with("---")))
      throw Refused{line(mark), is_json_lines(at) ? kJsonLines : kUnexpected};
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add(mark, Value::Kind::null, {});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{line(mark), "YAML aliases (*name) are not allowed; write the value out"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    add(mark, tag == "?" ? plain_kind(value) : Value::Kind::string, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(mark, tag, anchor, Value::Kind::list);
  }
  void OnSequenceEnd() override { builder_.end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(mark, tag, anchor, Value::Kind::map);
  }
  void OnMapEnd() override { builder_.end(); }

  Value take() { return builder_.take(); }

 private:
  static constexpr auto kUnexpected = "unexpected text; separate documents by a line with ---";
  static constexpr auto kJsonLines =
      "another JSON object: this looks like JSON lines; write one object, or separate several by lines with ---";

  bool is_json_lines(std::size_t at) const {
    return at > 0 && at < text_.size() && text_[at] == '{' && text_[at - 1] == '\n' && text_.starts_with('{');
  }

  static int line(const YAML::Mark& mark) { return mark.line + 1; }

  static void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) throw Refused{line(mark), "YAML anchors (&name) are not allowed"};
  }
  // yaml-cpp gives "?" and "!" as the tags of plain and quoted scalars that have none.
  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") throw Refused{line(mark), "YAML tags (!name) are not allowed"};
  }

  void begin(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Value::Kind kind) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (builder_.wants_key()) throw Refused{line(mark), "a key must be plain text"};
    builder_.begin(kind, line(mark));
  }

  void add(const YAML::Mark& mark, Value::Kind kind, std::string value) {
    if (!builder_.wants_key()) return builder_.scalar(kind, std::move(value), line(mark));
    if (kind == Value::Kind::null) throw Refused{line(mark), "a key is missing before ':'"};
    builder_.key(std::move(value), line(mark));
  }

  std::string_view text_;
  bool first_;
  ValueBuilder builder_;
};

Error yaml_error(int line, const std::string& message) {
  return {.code = ErrorCode::invalid,
          .message = (line > 0 ? "line " + std::to_string(line) + ": " : "") + message,
          .fields = {}};
}

Error yaml_error(const Refused& refused) {
  if (refused.pointer.empty()) return yaml_error(refused.line, refused.message);
  return fail_field(refused.pointer, refused.message + " (line " + std::to_string(refused.line) + ")").error();
}

// Errors that no parser explains well: a tab, and text that is not YAML.
Error not_yaml(std::string_view text, int line, const std::string& message) {
  if (is_indented_by_tab(text, line)) return yaml_error(line, "a tab indents this line; YAML takes spaces only");
  const auto program = program_kind(text);
  return yaml_error(line, "not valid YAML: " + message + (program ? "; this looks like " + *program : ""));
}

// For several documents, the pointers of the n-th begin with "/n".
std::string document_pointer(std::string_view text, std::size_t before) {
  return before > 0 || text.find("\n---") != std::string_view::npos ? "/" + std::to_string(before) : "";
}

std::vector<Value> read_documents(std::string_view text) {
  std::istringstream stream{std::string(text)};
  YAML::Parser parser(stream);
  std::vector<Value> documents;
  std::size_t values = 0;
  for (bool first = true;; first = false) {
    EventReader handler(text, first);
    try {
      if (!parser.HandleNextDocument(handler)) return documents;
    } catch (Refused& refused) {
      if (!refused.pointer.empty()) refused.pointer.insert(0, document_pointer(text, documents.size()));
      throw;
    }
    if (++values > kMaxDocuments) throw Refused{0, "more than 1000 documents in one text"};
    Value document = handler.take();
    if (document.kind != Value::Kind::null) documents.push_back(std::move(document));
  }
}

}  // namespace

Result<std::vector<Value>> read_yaml(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (auto error = check_text(text)) return std::unexpected(std::move(*error));
  try {
    return read_documents(text);
  } catch (const Refused& refused) {
    return std::unexpected(yaml_error(refused));
  } catch (const YAML::Exception& error) {
    return std::unexpected(not_yaml(text, error.mark.line + 1, error.msg));
  }
}

}  // namespace ym::spec
