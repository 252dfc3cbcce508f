#include "archive/erasure/redaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <cctype>
#include <memory>
#include <utility>

#include "archive/erasure/person_keys.h"
#include "control/access/binding_id.h"
#include "model/json/codec.h"

namespace ym {
namespace {

namespace bj = boost::json;

constexpr std::string_view kErased = "erased";

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// What handles may contain: "ann" is not in "ann-ci", "ann.lee" or "bob@ann".
bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_-.@+").contains(c);
}

// Points at the end of a word end a sentence.
bool is_whole_word(std::string_view text, std::size_t at, std::size_t length) {
  if (at > 0 && is_of_word(text[at - 1])) return false;
  const auto end = text.find_first_not_of('.', at + length);
  return end == std::string_view::npos || !is_of_word(text[end]);
}

// Shorter ones, and numbers, are more often something else.
bool is_found_in_prose(std::string_view word) {
  constexpr std::size_t kShortest = 3;
  return word.size() >= kShortest && std::ranges::any_of(word, is_letter);
}

std::string replaced(std::string text, std::string_view word, std::string_view by) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    if (!is_whole_word(text, at, word.size())) {
      at += word.size();
      continue;
    }
    text.replace(at, word.size(), by);
    at += by.size();
  }
  return text;
}

std::string text_of(const bj::value* value) {
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

JobId id_in(const bj::object& job, std::string_view name) {
  const auto* number = job.if_contains(name);
  return number != nullptr && number->is_int64() ? JobId{static_cast<std::uint64_t>(number->get_int64())} : JobId{};
}

bj::object* object_in(bj::object& in, std::string_view name) {
  auto* found = in.if_contains(name);
  return found != nullptr && found->is_object() ? &found->get_object() : nullptr;
}

// "train-3" of an array is "erased-3".
std::string anonymous_name(const bj::object& job) {
  const auto* index = job.if_contains("group_index");
  return index != nullptr && index->is_int64() ? fmt::format("{}-{}", kErased, index->get_int64())
                                               : std::string(kErased);
}

// Types of events: their reason repeats what a program said, or what the specification asks.
bool repeats_program(std::string_view type) {
  constexpr std::array<std::string_view, 9> kTypes{
      JobDeferred::kType, JobFinished::kType,       AttemptEnded::kType,      StartDelayed::kType,   TaskEnded::kType,
      JobRequeued::kType, AttemptProgressed::kType, CheckpointSkipped::kType, AttemptStopping::kType};
  return is_in(kTypes, type);
}

Result<bj::object> parsed(const std::string& text) {
  bj::error_code error;
  auto value = bj::parse(text, error, {}, {.allow_invalid_utf8 = true});
  if (error || !value.is_object()) return fail(ErrorCode::corrupt, "a stored document is no object of JSON");
  return std::move(value.get_object());
}

Result<JobSpec> spec_of(const std::string& document) {
  const auto value = parsed(document);
  return value ? json::decode_spec(*value) : std::unexpected(value.error());
}

}  // namespace

JobSpec without_words(JobSpec spec) {
  const Program nothing{.form = Program::Form::argv, .words = {std::string(kErased)}};
  spec.name = kErased;
  spec.run = nothing;
  spec.workdir = "/";
  spec.image.clear();
  spec.env.clear();
  spec.checkpoint.edit().dir.clear();
  spec.placement.edit().select.clear();
  spec.placement.edit().exclude.clear();
  for (std::size_t i = 0; i < spec.groups.size(); ++i) {
    auto& group = spec.groups[i];
    group.name = fmt::format("{}-{}", kErased, i);
    group.run = nothing;
    group.env.clear();
  }
  return spec;
}

Redaction::Redaction(Person person) : person_(std::move(person)) {
  needles_.assign(person_.names.begin(), person_.names.end());
  needles_.insert(needles_.end(), person_.texts.begin(), person_.texts.end());
  traces_ = needles_;
  traces_.push_back(person_.subject);
  std::erase(traces_, std::string());
  std::erase_if(needles_, [](const auto& needle) { return !is_found_in_prose(needle); });
  std::ranges::sort(needles_, std::greater(), &std::string::size);
}

bool Redaction::is_person(const bj::value* value) const { return person_.names.contains(text_of(value)); }

// "preempted for job 0000002a (train) of queue a" is in rows and events of others.
std::string Redaction::without_job_names(std::string text) const {
  if (person_.keep_jobs) return text;
  for (auto at = text.find(" ("); at != std::string::npos; at = text.find(" (", at + 1)) {
    const auto begin = text.find_last_of(' ', at - std::min<std::size_t>(at, 1)) + 1;
    const auto id = begin < at ? parse_job_id(std::string_view(text).substr(begin, at - begin)) : std::nullopt;
    const auto job = id ? jobs_.find(*id) : jobs_.end();
    if (job != jobs_.end() && std::string_view(text).substr(at + 2).starts_with(job->second))
      text.replace(at + 2, job->second.size(), kErased);
  }
  return text;
}

std::string Redaction::without_names(std::string text) const {
  for (const auto& needle : needles_) text = replaced(std::move(text), needle, person_.pseudonym);
  for (const auto& [old, now] : bindings_) text = replaced(std::move(text), old, now);
  return without_job_names(std::move(text));
}

// "kind:name", or what was asked for, as "GET /api/v1/jobs".
std::string Redaction::object_without_names(std::string object) const {
  const auto colon = object.find(':');
  if (object.contains(" /") || colon == std::string::npos) return without_names(std::move(object));
  const std::string kind = object.substr(0, colon), name = object.substr(colon + 1);
  const bool is_person_here = kind == "principal" && (person_.names.contains(name) ||
                                                      std::ranges::find(person_.texts, name) != person_.texts.end());
  if (!name.empty() && (is_person_here || (kind == "subject" && name == person_.subject)))
    return fmt::format("{}:{}", kind, person_.pseudonym);
  const auto binding = kind == "binding" ? bindings_.find(name) : bindings_.end();
  return binding == bindings_.end() ? object : fmt::format("{}:{}", kind, binding->second);
}

void Redaction::walk(bj::value& value, std::string_view key) const {
  if (auto* items = value.if_array())
    for (auto& item : *items) walk(item, key);
  else if (auto* members = value.if_object())
    for (auto& member : *members) walk(member.value(), member.key());
  else if (is_in(kPrincipalKeys, key) && is_person(&value)) value = person_.pseudonym;
  else if (is_in(kProseKeys, key) && value.is_string()) value = without_names(text_of(&value));
  else if (is_in(kObjectKeys, key) && value.is_string()) value = object_without_names(text_of(&value));
}

void Redaction::strip_programs(bj::value& value, std::string_view key) const {
  if (auto* items = value.if_array())
    for (auto& item : *items) strip_programs(item, key);
  else if (key == "metrics" && value.is_object()) value = bj::object();
  else if (auto* members = value.if_object())
    for (auto& member : *members) strip_programs(member.value(), member.key());
  else if (is_in(kProgramKeys, key) && value.is_string()) value = "";
}

void Redaction::strip_principal(bj::object& row) const {
  if (!is_person(row.if_contains("name")) && !is_person(row.if_contains("handle"))) return;
  for (const auto key : kPersonKeys) row.erase(key);
  row["name"] = person_.pseudonym;
  row["handle"] = person_.pseudonym;
}

void Redaction::strip_request(bj::object& record, bool own) const {
  const bool logs_in = text_of(record.if_contains("verb")) == "login";
  const auto object = text_of(record.if_contains("object"));
  const bool names_it = logs_in && object.starts_with("principal:") && person_.names.contains(object.substr(10));
  if (!own && !names_it && !is_person(record.if_contains("behalf"))) return;
  for (const auto key : kRequestKeys) record.erase(key);
}

// The id is a hash of the grantee among others, so it would show who it was.
void Redaction::rename_binding(bj::object& row) {
  auto* grantee = object_in(row, "grantee");
  if (grantee == nullptr || text_of(grantee->if_contains("kind")) != "principal" ||
      !is_person(grantee->if_contains("name")))
    return;
  (*grantee)["name"] = person_.pseudonym;
  const auto binding = json::decode_row<Binding>(row);
  if (!binding) return;
  auto& id = bindings_[binding->name];
  if (id.empty()) id = binding_id(*binding);
  row["name"] = id;
}

void Redaction::take_job(bj::object& job) {
  if (!is_person(job.if_contains("owner")) && text_of(job.if_contains("owner")) != person_.pseudonym) return;
  jobs_.try_emplace(id_in(job, "id"), text_of(job.if_contains("name")));
  if (person_.keep_jobs) return;
  job["name"] = anonymous_name(job);
  for (auto& member : job) strip_programs(member.value(), member.key());
}

bool Redaction::job(bj::object& job) {
  const bj::object before = job;
  take_job(job);
  for (auto& member : job) walk(member.value(), member.key());
  return job != before;
}

bool Redaction::attempt(bj::object& attempt) {
  const bj::object before = attempt;
  if (is_own(id_in(attempt, "job")) && !person_.keep_jobs)
    for (auto& member : attempt) strip_programs(member.value(), member.key());
  for (auto& member : attempt) walk(member.value(), member.key());
  return attempt != before;
}

bool Redaction::row(std::string_view table, bj::object& row) {
  const bj::object before = row;
  if (table == Principal::kTable) strip_principal(row);
  if (table == Binding::kTable) rename_binding(row);
  if (table == AccessToken::kTable && is_person(row.if_contains("principal"))) row.erase("note");
  if (table == Usage::kTable && is_person(row.if_contains("user")))
    row["name"] = fmt::format("{}/{}", text_of(row.if_contains("queue")), person_.pseudonym);
  for (auto& member : row) walk(member.value(), member.key());
  return row != before;
}

bool Redaction::is_of_own_job(const StoredColumns& event) const {
  return event.job && is_own(JobId{static_cast<std::uint64_t>(*event.job)});
}

// Cheap, and mostly false.
bool Redaction::may_concern(const StoredColumns& event) const {
  const auto names = [&](const std::string& text) {
    return std::ranges::any_of(traces_, [&](const auto& needle) { return text.contains(needle); });
  };
  return is_of_own_job(event) || names(event.actor) || names(event.reason) || names(event.payload) ||
         event.type == BindingRemoved::kType || event.type == RequestAudited::kType || event.reason.contains(" (") ||
         event.payload.contains(" (");
}

void Redaction::take_payload(const StoredColumns& event, bj::object& payload) {
  const auto rename_to = [&](const auto& now) { payload["name"] = now; };
  if (auto* row = object_in(payload, Principal::kRow); row && event.type == PrincipalSet::kType) strip_principal(*row);
  if (auto* row = object_in(payload, Binding::kRow); row && event.type == BindingSet::kType) rename_binding(*row);
  if (auto* row = object_in(payload, AccessToken::kRow); row && is_person(row->if_contains("principal")))
    row->erase("note");
  if (auto* job = object_in(payload, "job"); job && event.type == JobSubmitted::kType) take_job(*job);
  if (event.type == PrincipalRemoved::kType && is_person(payload.if_contains("name"))) rename_to(person_.pseudonym);
  if (event.type == BindingRemoved::kType)
    if (const auto it = bindings_.find(text_of(payload.if_contains("name"))); it != bindings_.end())
      rename_to(it->second);
  if (event.type == RequestAudited::kType) strip_request(payload, person_.names.contains(event.actor));
  if (is_of_own_job(event) && !person_.keep_jobs)
    for (auto& member : payload) strip_programs(member.value(), member.key());
  for (auto& member : payload) walk(member.value(), member.key());
}

Result<std::optional<StoredColumns>> Redaction::event(const StoredColumns& event) {
  if (!may_concern(event)) return std::nullopt;
  auto payload = parsed(event.payload);
  if (!payload) return std::unexpected(payload.error());
  const bj::object before = *payload;
  StoredColumns now = event;
  take_payload(event, *payload);
  if (person_.names.contains(now.actor)) now.actor = person_.pseudonym;
  const bool own = is_of_own_job(event) && !person_.keep_jobs;
  now.reason = own && repeats_program(event.type) ? std::string() : without_names(now.reason);
  std::shared_ptr<const JobSpec> spec;
  if (event.type == JobSubmitted::kType) {
    auto decoded = spec_of(event.spec);
    if (!decoded) return std::unexpected(decoded.error());
    spec = std::make_shared<const JobSpec>(own ? without_words(std::move(*decoded)) : std::move(*decoded));
    if (own) now.spec = json::encode(*spec);
  }
  if (*payload == before && now == event) return std::nullopt;
  const auto decoded = json::decode_event(event.type, *payload, std::move(spec));
  if (!decoded) return std::unexpected(decoded.error());
  now.payload = json::encode(*decoded);
  return std::optional(std::move(now));
}

}  // namespace ym
