// AccessReads: the rows that concern access, as far as a caller may see them, and questions about access.
//
// Thread-safe, as Reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "control/access/access_answer.h"
#include "control/access/access_book.h"

namespace ym {

class Reads;
struct Question;

class AccessReads {
 public:
  // All arguments must outlive it.
  AccessReads(const Reads& reads, const AccessBook& access, const Clock& clock)
      : reads_(reads), access_(access), clock_(clock) {}

  // By id: the tokens of the caller that can do no more than the token of the request; and those of others, if the
  // caller may see them.
  std::vector<AccessToken> tokens(const Caller& caller) const;
  std::vector<Role> roles() const;                                // by name, built in or not
  std::vector<Binding> bindings(const Caller& caller) const;      // by id
  std::vector<Binding> bindings_of(const Caller& caller) const;   // by id; that give the caller a role now
  std::vector<Project> projects(const Caller& caller) const;      // by name
  std::vector<Principal> principals(const Caller& caller) const;  // by id
  // The users that an issuer has made by SCIM and not removed, by id.
  std::vector<Principal> provisioned_users(const Caller& caller, std::string_view issuer) const;
  std::vector<ProvisionedGroup> provisioned_groups(const Caller& caller) const;  // by id

  AccessMode mode() const { return access_.mode(); }
  // What bindings would have refused since this server began (AccessMode::trial).
  DenialBook::Content denials() const { return access_.denials().read(); }

  // The caller of a request that another one makes on behalf of a user. Errors: as AccessBook::on_behalf.
  Result<Caller> on_behalf(const Caller& gateway, std::string_view handle) const {
    return access_.on_behalf(gateway, handle, clock_.now());
  }

  // The name of a principal for people.
  std::string handle_of(const std::string& principal) const { return access_.handle_of(principal); }
  bool is_service(const std::string& principal) const { return access_.is_service(principal); }

  // Whether the caller, or another principal, may do something. Errors: `invalid`, with the field; `not_found`;
  // `ambiguous`; `forbidden`: the caller may not ask for another principal.
  Result<AccessAnswer> check(const Caller& caller, const AccessQuestion& asked) const;
  // The bindings that allow it, of the bindings that the caller may see. Errors: the same.
  Result<std::vector<Binding>> holders(const Caller& caller, const AccessQuestion& asked) const;

 private:
  // A target with its texts, and the owner if it is a job.
  struct Place {
    std::string project{}, queue{}, cluster{}, owner{};
    Target target() const { return {.project = project, .queue = queue, .cluster = cluster}; }
  };
  template <class Row>
  std::vector<Row> seen(const Caller& caller) const;
  Access access_of(const Caller& caller) const { return access_.access_of(caller, clock_.now()); }
  Result<Place> place_of(const Caller& caller, const Question& question) const;
  Result<Caller> asked_for(const Caller& caller, const std::string& handle) const;

  const Reads& reads_;
  const AccessBook& access_;
  const Clock& clock_;
};

}  // namespace ym
