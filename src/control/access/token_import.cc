#include "control/access/token_import.h"

#include <set>

#include "control/access/binding_id.h"
#include "control/access/token_text.h"
#include "model/access/roles.h"

namespace ym {
namespace {

constexpr std::string_view kImporter = "server";

class Import {
 public:
  explicit Import(const Tables& known) : tables_(known) {}

  // Its role limits the token, as it did before.
  void add(const TokenRecord& record) {
    set(Principal{.name = record.principal,
                  .handle = record.principal,
                  .created_at = record.created_at,
                  .created_by = std::string(kImporter)});
    AccessToken token{.name = token_id(record.hash),
                      .hash = record.hash,
                      .principal = record.principal,
                      .created_at = record.created_at,
                      .created_by = std::string(kImporter)};
    if (record.role == kAdminRole) set(admin_binding(record.principal));
    else token.scopes = {record.role};
    set(std::move(token));
  }

  std::vector<EventPayload> take() { return std::move(events_); }

 private:
  static Binding admin_binding(const std::string& principal) {
    Binding binding{.role = std::string(kAdminRole),
                    .grantee = {Grantee::Kind::principal, principal},
                    .scope = {},
                    .created_by = std::string(kImporter)};
    binding.name = binding_id(binding);
    return binding;
  }

  template <class Row>
  void set(Row row) {
    const bool is_new =
        !rows_of<Row>(tables_).contains(row.name) && seen_.insert(std::string(Row::kRow) + ' ' + row.name).second;
    if (is_new) events_.emplace_back(RowSet<Row>{std::move(row)});
  }

  const Tables& tables_;
  std::set<std::string> seen_;
  std::vector<EventPayload> events_;
};

}  // namespace

std::vector<EventPayload> import_of(const Tables& tables, const std::vector<TokenRecord>& records) {
  Import made(tables);
  for (const auto& record : records)
    if (record.role != kRevoked) made.add(record);
  return made.take();
}

}  // namespace ym
