// Redaction: stored documents without a person.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/ids.h"
#include "model/job_spec.h"
#include "store/stored_event.h"

namespace ym {

// Who is erased.
struct Person {
  std::set<std::string> names;     // its id and its handle
  std::vector<std::string> texts;  // other texts that say who it is: a mail address
  std::string subject;             // at its identity provider
  std::string pseudonym;
  bool keep_jobs = false;  // the commands of its ended jobs stay
};

// The spec without what a person wrote. It is still a valid one.
JobSpec without_words(JobSpec spec);

// Takes documents in the order of the log: it remembers the person's jobs, and bindings that got another id. The same
// document gives the same one, whenever it comes again. Errors of all: `corrupt`.
class Redaction {
 public:
  explicit Redaction(Person person);

  // The event without the person; its payload is as this version writes it. Nothing: the event does not name it.
  Result<std::optional<StoredColumns>> event(const StoredColumns& event);
  // These say whether they changed the document.
  bool job(boost::json::object& job);
  bool attempt(boost::json::object& attempt);
  // A row of a named table.
  bool row(std::string_view table, boost::json::object& row);

  bool is_own(JobId job) const { return jobs_.contains(job); }
  const Person& person() const { return person_; }
  const std::map<JobId, std::string>& jobs() const { return jobs_; }  // of the person, with their names
  // Jobs and bindings that it remembers. A document may change differently when there are more.
  std::size_t known() const { return jobs_.size() + bindings_.size(); }

 private:
  bool is_person(const boost::json::value* value) const;
  std::string without_names(std::string text) const;
  std::string object_without_names(std::string object) const;
  std::string without_job_names(std::string text) const;
  void walk(boost::json::value& value, std::string_view key) const;
  void strip_programs(boost::json::value& value, std::string_view key) const;
  void strip_principal(boost::json::object& row) const;
  void strip_request(boost::json::object& record, bool own) const;
  void rename_binding(boost::json::object& row);
  void take_job(boost::json::object& job);
  void take_payload(const StoredColumns& event, boost::json::object& payload);
  bool may_concern(const StoredColumns& event) const;
  bool is_of_own_job(const StoredColumns& event) const;

  const Person person_;
  std::vector<std::string> needles_;  // names and texts that are looked for in prose, the longest first
  std::vector<std::string> traces_;   // an event without one of these does not name the person
  std::map<JobId, std::string> jobs_;
  std::map<std::string, std::string, std::less<>> bindings_;  // old id -> new id
};

}  // namespace ym
