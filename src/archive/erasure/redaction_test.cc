#include "archive/erasure/redaction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>

#include "archive/erasure/person_keys.h"
#include "control/access/binding_id.h"
#include "model/json/codec.h"
#include "model/json/event_fields.h"
#include "model/testing/random_rows.h"

namespace ym {
namespace {

constexpr std::string_view kName = "Kanarie", kPseudonym = "erased-0000000a";

Person canary() {
  return {.names = {std::string(kName)},
          .texts = {"kanarie@example.org"},
          .subject = "5",
          .pseudonym = std::string(kPseudonym),
          .keep_jobs = false};
}

// The names of all stored fields with a text, but for those of specs: these are emptied as a whole.
class TextKeys {
 public:
  template <class T>
  void add(std::string_view key, const T& value) {
    if constexpr (std::is_same_v<T, std::string>) keys.insert(std::string(key));
    else if constexpr (json::Described<T>)
      json::for_each_member(json::Fields<T>::list, [&](const auto& f) { add(f.name, value.*f.member); });
    else if constexpr (requires(T copy) {
                         typename T::value_type;
                         copy.emplace();
                         copy.has_value();
                       })
      add(key, typename T::value_type{});
    else if constexpr (requires { typename T::mapped_type; }) add(key, typename T::mapped_type{});
    else if constexpr (requires {
                         typename T::value_type;
                         value.size();
                       } && !std::is_arithmetic_v<T>)
      add(key, typename T::value_type{});
  }
  template <std::size_t... I>
  void add_events(std::index_sequence<I...>) {
    (add("", std::variant_alternative_t<I, EventVariant>{}), ...);
  }
  std::set<std::string> keys;
};

// What a field of another name holds is no person, and nothing that one wrote.
const std::set<std::string> kOthers{"name",     "project",  "queue",    "node",    "devices",  "cluster", "flavor",
                                    "nonce",    "address",  "version",  "verb",    "code",     "token",   "leaves",
                                    "chain",    "id",       "physical", "profile", "gpu_type", "labels",  "withheld",
                                    "executor", "identity", "topology", "nodes",   "queues",   "hash",    "scopes",
                                    "proof",    "role",     "sha256",   "parent",  "projects", "digest",  "group"};

TEST(PersonKeys, EachStoredTextIsInAList) {
  TextKeys found;
  found.add("", Job{});
  found.add("", Attempt{});
  Tables tables;
  each_named(tables, [&]<class Row>(const NamedRows<Row>&) { found.add("", Row{}); });
  found.add_events(std::make_index_sequence<std::variant_size_v<EventVariant>>());
  const auto is_known = [](const std::string& key) {
    const auto in = [&](const auto& list) { return std::ranges::find(list, key) != list.end(); };
    return in(kPrincipalKeys) || in(kProseKeys) || in(kObjectKeys) || in(kPersonKeys) || in(kRequestKeys) ||
           in(kProgramKeys);
  };
  EXPECT_GT(found.keys.size(), 30u);
  for (const auto& key : found.keys)
    EXPECT_TRUE(is_known(key) || kOthers.contains(key))
        << key << " is a text that is stored: add it to person_keys.h if it names a person, or to kOthers here";
}

// Puts the canary into each field that names a person.
void plant(boost::json::value& value, std::string_view key) {
  const auto is = [&](const auto& list) { return std::ranges::find(list, key) != list.end(); };
  if (auto* items = value.if_array())
    for (auto& item : *items) plant(item, key);
  else if (auto* members = value.if_object())
    for (auto& member : *members) plant(member.value(), member.key());
  else if (value.is_string() && is(kPrincipalKeys)) value = kName;
  else if (value.is_string() && is(kProseKeys)) value = "by Kanarie (kanarie@example.org), again";
  else if (value.is_string() && is(kObjectKeys)) value = "principal:Kanarie";
}

TEST(Redaction, LeavesNothingInAnyEvent) {
  Random random(7);
  for (std::size_t round = 0; round < 40 * std::variant_size_v<EventVariant>; ++round) {
    const auto payload = testing::random_payload(random, round % std::variant_size_v<EventVariant>);
    if (std::holds_alternative<LogSealed>(payload)) continue;
    auto value = boost::json::parse(json::encode(payload), {}, {.allow_invalid_utf8 = true});
    plant(value, "");
    StoredColumns event{.seq = 9, .time = 1, .type = std::string(type_name(payload)), .version = 1};
    if (const auto job = job_of(payload)) event.job = static_cast<std::int64_t>(job->value);
    event.actor = kName;
    event.reason = "cancelled by Kanarie";
    event.payload = boost::json::serialize(value);
    if (const auto* submitted = std::get_if<JobSubmitted>(&payload)) event.spec = json::encode(*submitted->job.spec);
    const auto now = Redaction(canary()).event(event);
    ASSERT_TRUE(now) << event.type << ": " << now.error().message;
    ASSERT_TRUE(*now) << event.type;
    for (const auto& text : {(*now)->actor, (*now)->reason, (*now)->payload, (*now)->spec})
      EXPECT_TRUE(!text.contains(kName) && !text.contains("kanarie")) << event.type << ": " << text;
    EXPECT_EQ((*now)->actor, kPseudonym);
    EXPECT_EQ((*now)->seq, 9);
  }
}

StoredColumns columns(const EventPayload& payload, std::string actor = "bob") {
  StoredColumns event{.seq = 9, .time = 1, .type = std::string(type_name(payload)), .version = 1};
  if (const auto job = job_of(payload)) event.job = static_cast<std::int64_t>(job->value);
  event.actor = std::move(actor);
  event.payload = json::encode(payload);
  if (const auto* submitted = std::get_if<JobSubmitted>(&payload)) event.spec = json::encode(*submitted->job.spec);
  return event;
}

JobSubmitted submitted(JobId id, std::string owner) {
  auto spec = std::make_shared<JobSpec>();
  spec->name = "my-secret";
  spec->run.words = {"run", "secret"};
  spec->env = {{"KEY", "secret"}};
  spec->workdir = "/home/secret";
  Job job{.id = id, .spec_id = SpecId{id.value}, .spec = spec, .name = "my-secret", .owner = std::move(owner)};
  job.pending = ReasonCode::pending_evaluation;
  return {.job = std::move(job)};
}

TEST(Redaction, EventsOfOthersStay) {
  Redaction redaction(canary());
  EXPECT_FALSE(*redaction.event(columns(submitted(JobId{5}, "bob"))));
  EXPECT_FALSE(*redaction.event(columns(JobHeld{JobId{5}})));
  EXPECT_FALSE(*redaction.event(columns(PrincipalSet{{.name = "Kanaries", .handle = "Kanaries"}})))
      << "a longer name is another one";
}

std::string said(const std::string& reason) {
  StoredColumns event = columns(JobHeld{JobId{5}});
  event.reason = reason;
  const auto now = Redaction(canary()).event(event).value();
  return now ? now->reason : reason;
}

TEST(Redaction, WordsOfOthersStay) {
  for (const auto* text : {"Kanarie-ci", "Kanarie.x", "x@Kanarie", "Kanarie+1", "a_Kanarie", "exit code 5"})
    EXPECT_EQ(said(text), text);
  EXPECT_EQ(said("held by Kanarie."), "held by " + std::string(kPseudonym) + ".");
  EXPECT_EQ(said("Kanarie. Then (Kanarie)"), std::string(kPseudonym) + ". Then (" + std::string(kPseudonym) + ")");
}

TEST(Redaction, ObjectsOfRequestsAreNamesAndNoWords) {
  const auto object = [](std::string text) {
    const auto now = Redaction(canary()).event(columns(RequestAudited{.verb = "queues.edit", .object = text})).value();
    return now ? std::string(boost::json::parse(now->payload).at("object").as_string()) : text;
  };
  for (const auto* text : {"queue:Kanarie", "principal:Kanarie-ci", "principal:5", "subject:55", "job:1"})
    EXPECT_EQ(object(text), text);
  EXPECT_EQ(object("principal:Kanarie"), "principal:" + std::string(kPseudonym));
  EXPECT_EQ(object("principal:kanarie@example.org"), "principal:" + std::string(kPseudonym));
  EXPECT_EQ(object("subject:5"), "subject:" + std::string(kPseudonym));
  EXPECT_EQ(object("GET /api/v1/principals/Kanarie"), "GET /api/v1/principals/" + std::string(kPseudonym));
}

TEST(Redaction, TheTombstoneIsNoUserOfAProvider) {
  Principal row{.name = std::string(kName), .handle = std::string(kName), .issuer = "https://i", .subject = "5"};
  row.provisioned = Provisioned{.user_name = "k@x", .external_id = "e7", .groups = {"g1"}};
  auto document = boost::json::parse(json::encode(row)).as_object();
  EXPECT_TRUE(Redaction(canary()).row(Principal::kTable, document));
  EXPECT_EQ(json::decode_row<Principal>(document).value(),
            (Principal{.name = std::string(kPseudonym), .handle = std::string(kPseudonym)}));
}

TEST(Redaction, WhatItsProgramsSaidIsInNoReason) {
  Redaction redaction(canary());
  (void)redaction.event(columns(submitted(JobId{5}, std::string(kName))));
  for (const EventPayload& payload :
       {EventPayload(JobRequeued{.job = JobId{5}}), EventPayload(AttemptStopping{.attempt = {JobId{5}, 1}})}) {
    StoredColumns event = columns(payload);
    event.reason = "it said a secret";
    const auto now = redaction.event(event).value();
    ASSERT_TRUE(now) << event.type;
    EXPECT_EQ(now->reason, "") << event.type;
  }
}

TEST(Redaction, TakesTheWordsOutOfItsJobs) {
  Redaction redaction(canary());
  const auto now = redaction.event(columns(submitted(JobId{5}, std::string(kName)))).value();
  ASSERT_TRUE(now);
  for (const auto& text : {now->payload, now->spec}) EXPECT_FALSE(text.contains("secret")) << text;
  EXPECT_TRUE(json::decode_spec(boost::json::parse(now->spec)));
  const auto finished = redaction.event(columns(JobFinished{JobId{5}, JobState::failed, "secret"})).value();
  ASSERT_TRUE(finished);
  EXPECT_FALSE(finished->payload.contains("secret"));
  StoredColumns of_other = columns(JobRequeued{.job = JobId{6}});
  of_other.reason = "preempted for job " + to_string(JobId{5}) + " (my-secret) of queue a";
  EXPECT_EQ(redaction.event(of_other).value()->reason,
            "preempted for job " + to_string(JobId{5}) + " (erased) of queue a");
}

TEST(Redaction, KeepsJobsIfAsked) {
  Person person = canary();
  person.keep_jobs = true;
  Redaction redaction(person);
  const auto now = redaction.event(columns(submitted(JobId{5}, std::string(kName)))).value();
  ASSERT_TRUE(now);
  EXPECT_TRUE(now->spec.contains("secret"));
  EXPECT_FALSE(now->payload.contains(kName));
}

TEST(Redaction, RecordsOfItsRequestsSayNotFromWhere) {
  Redaction redaction(canary());
  const RequestAudited record{
      .verb = "jobs.get", .object = "job:1", .source = "10.1.2.3", .agent = "me", .request = "r"};
  const auto now = redaction.event(columns(record, std::string(kName))).value();
  ASSERT_TRUE(now);
  for (const auto* gone : {"10.1.2.3", "agent", "request"}) EXPECT_FALSE(now->payload.contains(gone));
  EXPECT_FALSE(*redaction.event(columns(record)));
  RequestAudited login{
      .verb = "login", .object = "principal:Kanarie", .outcome = AuditOutcome::refused, .source = "10.1.2.3"};
  EXPECT_FALSE(redaction.event(columns(login, "")).value()->payload.contains("10.1.2.3"));
}

TEST(Redaction, BindingsGetTheIdOfTheirNewGrantee) {
  Redaction redaction(canary());
  Binding row{.role = "admin", .grantee = {Grantee::Kind::principal, std::string(kName)}, .scope = {}};
  row.name = binding_id(row);
  const auto set = redaction.event(columns(BindingSet{row})).value();
  ASSERT_TRUE(set);
  EXPECT_FALSE(set->payload.contains(row.name));
  const auto removed = redaction.event(columns(BindingRemoved{row.name})).value();
  ASSERT_TRUE(removed);
  EXPECT_FALSE(removed->payload.contains(row.name));
}

}  // namespace
}  // namespace ym
