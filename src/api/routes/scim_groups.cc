// Groups, and their members, as identity providers keep them (RFC 7644, sections 3.3 to 3.6).
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/routes/scim_request.h"
#include "api/scim/resource.h"
#include "model/access/login_settings.h"
#include "oidc/digest.h"

namespace ym::api {
namespace {

using scim::Provider;

// The groups of the provider, by id.
std::vector<ProvisionedGroup> groups_of(const Asker& asker, const Provider& provider) {
  auto rows = asker.reads().access().provisioned_groups(asker.caller);
  std::erase_if(rows, [&](const ProvisionedGroup& row) { return row.issuer != provider.issuer.url; });
  return rows;
}

// The members of groups, and the rows of these principals.
struct Members {
  Members(const Asker& asker, const Provider& provider)
      : principals(asker.reads().access().provisioned_users(asker.caller, provider.issuer.url)) {
    for (const Principal& row : principals)
      for (const auto& group : row.provisioned->groups) by_group[group].push_back(&row);
  }

  std::vector<Principal> principals;
  std::map<std::string, std::vector<const Principal*>> by_group;
};

Response render_group(const Asker& asker, const Provider& provider, const std::string& id, bool with_members,
                      int status) {
  const auto groups = groups_of(asker, provider);
  const auto* group = find_resource(groups, id);
  if (group == nullptr) return no_such_resource("group");
  Members members(asker, provider);
  JsonWriter json;
  scim::write_group(json, *group, with_members ? &members.by_group[id] : nullptr, provider);
  auto response = scim::answer(std::move(json), status);
  if (status == 201) response.headers.push_back({"Location", scim::location_of(provider, "Groups", id)});
  return response;
}

// Leaves the groups that the filter finds. False: it is none for groups.
bool keep_found_groups(std::vector<ProvisionedGroup>& groups, const scim::Filter& filter) {
  if (filter.attribute != "displayname" && filter.attribute != "externalid") return false;
  const auto member = filter.attribute == "displayname" ? &ProvisionedGroup::display : &ProvisionedGroup::external_id;
  std::erase_if(groups, [&](const ProvisionedGroup& group) { return group.*member != filter.value; });
  return true;
}

// Carries out what the body says, if it can be read.
void provision_group(Call call, const Provider& provider, scim::Read<scim::GroupChange> change, std::string id) {
  if (!change) return call.responder.send(scim::to_response(change.error()));
  const bool is_new = id.empty();
  if (is_new) id = oidc::random_text();
  ProvisionGroup command{.issuer = provider.issuer.url,
                         .id = id,
                         .is_new = is_new,
                         .display = std::move(change->display),
                         .external_id = std::move(change->external_id),
                         .members = std::move(change->members)};
  if (command.display) command.group = group_here(provider.issuer, *command.display);
  run_scim_command(std::move(call), std::move(command), [provider, id, is_new](const Asker& asker) {
    return render_group(asker, provider, id, true, is_new ? 201 : 200);
  });
}

}  // namespace

void list_scim_groups(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  auto search = read_scim_search(call.request);
  if (!search) return call.responder.send(std::move(search.error()));
  auto groups = groups_of(call, *provider);
  if (search->filter && !keep_found_groups(groups, *search->filter))
    return call.responder.send(
        scim::to_response(scim::invalid_filter("groups are found by displayName and externalId").error()));
  const auto page = page_of(groups, *search);
  Members members(call, *provider);
  JsonWriter json;
  scim::write_list(json, groups.size(), search->start, page.size(), [&] {
    for (const ProvisionedGroup& group : page)
      scim::write_group(json, group, search->leaves_out_members ? nullptr : &members.by_group[group.name], *provider);
  });
  call.responder.send(scim::answer(std::move(json)));
}

void get_scim_group(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  auto search = read_scim_search(call.request);
  if (!search) return call.responder.send(std::move(search.error()));
  call.responder.send(render_group(call, *provider, call.parameter("id"), !search->leaves_out_members, 200));
}

void create_scim_group(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  auto change = scim::read_group(call.request.body);
  provision_group(std::move(call), *provider, std::move(change), {});
}

void replace_scim_group(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  auto change = scim::read_group(call.request.body);
  if (change) *change = scim::as_whole(std::move(*change));
  std::string id = call.parameter("id");
  provision_group(std::move(call), *provider, std::move(change), std::move(id));
}

void patch_scim_group(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  auto change = scim::read_group_patch(call.request.body);
  std::string id = call.parameter("id");
  provision_group(std::move(call), *provider, std::move(change), std::move(id));
}

void remove_scim_group(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  std::string id = call.parameter("id");
  run_scim_command(std::move(call), RemoveProvisionedGroup{.issuer = provider->issuer.url, .id = std::move(id)},
                   [](const Asker&) { return Response{.status = 204}; });
}

}  // namespace ym::api
