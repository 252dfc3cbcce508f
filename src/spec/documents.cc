#include "spec/documents.h"

#include <utility>

#include "spec/configuration/configuration_decoder.h"
#include "spec/configuration/queue_decoder.h"
#include "spec/configuration/scheduling_decoder.h"
#include "spec/job/job_decoder.h"
#include "spec/text/text_kind.h"
#include "spec/text/value.h"

namespace ym {
namespace {

constexpr std::string_view kEmpty = "there is no job in this text; write at least `run: [program, argument]`";
constexpr std::string_view kSeveral =
    "is a list; a job is a map of keys and values, and lines with --- separate several jobs";

// The single document of a configuration. An empty text is an empty map.
Result<spec::Value> single_document(std::string_view yaml) {
  auto documents = spec::read_yaml(yaml);
  if (!documents) return std::unexpected(std::move(documents.error()));
  if (documents->size() > 1) return fail(ErrorCode::invalid, "one document is expected here, not several");
  if (documents->empty()) return spec::Value{.kind = spec::Value::Kind::map, .text = {}, .keys = {}, .items = {}};
  return std::move(documents->front());
}

// Lines of a program are text in YAML, or a map if a line has a colon: "echo a" of `echo a: b` is not a key of a job
// file.
bool may_be_program(const spec::Value& document) {
  if (document.kind == spec::Value::Kind::string) return true;
  return !document.keys.empty() && document.keys.front().find_first_of(" ()") != std::string::npos;
}

// Whether the document is a map, as a job or a configuration is. Otherwise reports once what it is.
bool is_map(const spec::Field& root, std::string_view text, std::string_view of_list) {
  using enum spec::Value::Kind;
  const auto program = may_be_program(*root.value) ? spec::program_kind(text) : std::nullopt;
  if (root.value->kind == map && !program) return true;
  // The advice is about jobs, so it is given only if a job was expected.
  if (program) root.wrong("this looks like " + (of_list.empty() ? program->substr(0, program->find(';')) : *program));
  else if (root.value->kind == list && !of_list.empty()) root.wrong(std::string(of_list));
  else spec::MapReader reader(root);
  return false;
}

// The result of `read` if it reports no problem.
template <class Read>
auto read_single(std::string_view yaml, Read read) -> Result<decltype(read(std::declval<spec::Field>()))> {
  const auto document = single_document(yaml);
  if (!document) return std::unexpected(document.error());
  spec::Problems problems;
  const spec::Field root{&*document, "", &problems};
  if (!is_map(root, yaml, "")) return std::unexpected(problems.error());
  auto found = read(root);
  if (!problems.empty()) return std::unexpected(problems.error());
  return found;
}

QueueDocument queues_of(const spec::Field& field) {
  auto list = spec::read_queues(field, spec::QueuesRead::part);
  return {std::move(list.queues), std::move(list.pointers), std::move(list.says_stop)};
}

}  // namespace

Result<std::vector<JobSpec>> parse_job_yaml(std::string_view text, const SubmitDefaults& defaults) {
  const auto documents = spec::read_yaml(text);
  if (!documents) return std::unexpected(documents.error());
  if (documents->empty()) return fail(ErrorCode::invalid, std::string(kEmpty));
  spec::Problems problems;
  std::vector<JobSpec> jobs;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    const std::string pointer = documents->size() == 1 ? "" : "/" + std::to_string(i);
    const spec::Field root{&(*documents)[i], pointer, &problems};
    if (is_map(root, text, kSeveral)) jobs.push_back(spec::read_job(root, defaults));
  }
  if (!problems.empty()) return std::unexpected(problems.error());
  return jobs;
}

Result<JobSpec> parse_job_json(std::string_view text, const SubmitDefaults& defaults) {
  const auto value = spec::read_json(text);
  if (!value) return std::unexpected(value.error());
  if (value->kind == spec::Value::Kind::null) return fail(ErrorCode::invalid, std::string(kEmpty));
  spec::Problems problems;
  const spec::Field root{&*value, "", &problems};
  if (!is_map(root, text, "is a list; a job is one object, so send each job in its own request"))
    return std::unexpected(problems.error());
  auto job = spec::read_job(root, defaults);
  if (!problems.empty()) return std::unexpected(problems.error());
  return job;
}

Result<Configuration> parse_configuration(std::string_view yaml) {
  return read_single(yaml, [](const spec::Field& root) { return spec::read_configuration(root); });
}

Result<QueueDocument> parse_queues(std::string_view yaml) {
  return read_single(yaml, [](const spec::Field& root) {
    spec::MapReader map(root);
    QueueDocument read;
    if (auto field = map.require("queues", "write the list of queues to create or replace")) read = queues_of(*field);
    map.finish();
    return read;
  });
}

Result<PolicyDocument> parse_policy(std::string_view yaml) {
  bool says_anything = false;
  auto read = read_single(yaml, [&](const spec::Field& root) {
    spec::MapReader map(root);
    PolicyDocument document;
    if (auto field = map.find("queues")) document.queues = queues_of(*field);
    spec::read_settings(map, document.settings, document.warnings);
    (void)map.find("flavors");
    (void)map.find("auth");
    document.whole = map.find("clusters").has_value();
    map.finish();
    says_anything = !document.queues.queues.empty() || map.find("scheduling") || map.find("preemption") ||
                    map.find("user_limits") || document.whole;
    return document;
  });
  if (read && !says_anything)
    return fail(ErrorCode::invalid, "is empty: write `queues`, `scheduling`, `preemption` or `user_limits`");
  return read;
}

}  // namespace ym
