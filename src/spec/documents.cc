#include "spec/documents.h"

#include <utility>

#include "spec/configuration_decoder.h"
#include "spec/job_decoder.h"
#include "spec/queue_decoder.h"
#include "spec/scheduling_decoder.h"
#include "spec/value.h"
#include "spec/waste_table_decoder.h"

namespace ym {
namespace {

constexpr std::string_view kEmpty = "there is no job in this text; write at least `run: [program, argument]`";

// The single document of a configuration; an empty text is an empty map.
Result<spec::Value> single_document(std::string_view yaml) {
  auto documents = spec::read_yaml(yaml);
  if (!documents) return std::unexpected(std::move(documents.error()));
  if (documents->size() > 1) return fail(ErrorCode::invalid, "one document is expected here, not several");
  if (documents->empty()) return spec::Value{.kind = spec::Value::Kind::map, .text = {}, .keys = {}, .items = {}};
  return std::move(documents->front());
}

// What `read` makes of it, if nothing is wrong with it.
template <class Read>
auto read_single(std::string_view yaml, Read read) -> Result<decltype(read(std::declval<spec::Field>()))> {
  const auto document = single_document(yaml);
  if (!document) return std::unexpected(document.error());
  spec::Problems problems;
  auto found = read(spec::Field{&*document, "", &problems});
  if (!problems.empty()) return std::unexpected(problems.error());
  return found;
}

QueueDocument queues_of(const spec::Field& field) {
  auto list = spec::read_queues(field);
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
    jobs.push_back(spec::read_job({&(*documents)[i], pointer, &problems}, defaults));
  }
  if (!problems.empty()) return std::unexpected(problems.error());
  return jobs;
}

Result<JobSpec> parse_job_json(std::string_view text, const SubmitDefaults& defaults) {
  const auto value = spec::read_json(text);
  if (!value) return std::unexpected(value.error());
  if (value->kind == spec::Value::Kind::null) return fail(ErrorCode::invalid, std::string(kEmpty));
  spec::Problems problems;
  auto job = spec::read_job({&*value, "", &problems}, defaults);
  if (!problems.empty()) return std::unexpected(problems.error());
  return job;
}

Result<Configuration> parse_configuration(std::string_view yaml) {
  return read_single(yaml, [](const spec::Field& root) { return spec::read_configuration(root); });
}

Result<WasteTable> parse_waste_table(std::string_view json) {
  const auto value = spec::read_json(json);
  if (!value) return std::unexpected(value.error());
  spec::Problems problems;
  const auto content = spec::read_waste_table({&*value, "", &problems});
  if (!problems.empty()) return std::unexpected(problems.error());
  return WasteTable(content);
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
    const auto scheduling = map.find("scheduling"), preemption = map.find("preemption");
    if (scheduling) spec::read_scheduling(*scheduling, document.settings, document.waste_table_file);
    if (preemption) spec::read_preemption(*preemption, document.settings);
    (void)map.find("flavors");
    document.whole = map.find("clusters").has_value();
    map.finish();
    says_anything = !document.queues.queues.empty() || scheduling || preemption || document.whole;
    return document;
  });
  if (read && !says_anything)
    return fail(ErrorCode::invalid, "there is nothing in it: write `queues`, `scheduling` or `preemption`");
  return read;
}

}  // namespace ym
