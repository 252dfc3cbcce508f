// Users, as identity providers make, disable and remove them (RFC 7644, sections 3.3 to 3.6).
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/http/text.h"
#include "api/routes/scim_request.h"
#include "api/scim/resource.h"
#include "login/desk.h"

namespace ym::api {
namespace {

using scim::Provider;

// The users that the provider has made and not removed, by id.
std::vector<Principal> users_of(const Asker& asker, const Provider& provider) {
  return asker.reads().access().provisioned_users(asker.caller, provider.issuer.url);
}

Response render_user(const Principal* user, const Provider& provider, int status) {
  if (user == nullptr) return no_such_resource("user");
  JsonWriter json;
  scim::write_user(json, *user, provider);
  auto response = scim::answer(std::move(json), status);
  if (status == 201) response.headers.push_back({"Location", scim::location_of(provider, "Users", user->name)});
  return response;
}

// Leaves the users that the filter finds. False: it is none for users.
bool keep_found_users(std::vector<Principal>& users, const scim::Filter& filter, const Provider& provider) {
  if (filter.attribute == "username") {
    std::erase_if(users, [&](const Principal& user) {
      return !equal_ignoring_case(scim::user_name_of(user, provider), filter.value);
    });
  } else if (filter.attribute == "externalid") {
    std::erase_if(users, [&](const Principal& user) { return user.provisioned->external_id != filter.value; });
  } else {
    return false;
  }
  return true;
}

ProvisionUser command_of(scim::UserChange change, const Provider& provider, std::string id) {
  ProvisionUser command{.issuer = provider.issuer.url,
                        .id = std::move(id),
                        .external_id = std::move(change.external_id),
                        .display = std::move(change.display),
                        .email = std::move(change.email),
                        .active = change.active,
                        .takes_awaited = provider.is_first};
  if (change.user_name) command.user_name = provider.issuer.handle_prefix + *change.user_name;
  if (provider.issuer.external_id_is_subject && command.external_id && !command.external_id->empty())
    command.subject = command.external_id;
  return command;
}

// Carries out what the body says, if it can be read.
void provision_user(Context& context, Call call, const Provider& provider, scim::Read<scim::UserChange> change,
                    std::string id) {
  if (!change) return call.responder.send(scim::to_response(change.error()));
  const int status = id.empty() ? 201 : 200;
  auto command = command_of(std::move(*change), provider, std::move(id));
  command.reserved = login::reserved_handles(*context.desk.settings());
  const auto name = command.user_name.value_or("");
  run_scim_command(std::move(call), command, [provider, status, id = command.id, name](const Asker& asker) {
    const auto users = users_of(asker, provider);
    const auto named = std::ranges::find_if(users, [&](const Principal& user) {
      return id.empty() ? user.provisioned->user_name == name : user.name == id;
    });
    return render_user(named == users.end() ? nullptr : &*named, provider, status);
  });
}

scim::Read<scim::UserChange> read_whole_user(std::string_view body) {
  auto change = scim::read_user(body);
  if (change) *change = scim::as_whole(std::move(*change));
  return change;
}

}  // namespace

void list_scim_users(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  auto search = read_scim_search(call.request);
  if (!search) return call.responder.send(std::move(search.error()));
  auto users = users_of(call, *provider);
  if (search->filter && !keep_found_users(users, *search->filter, *provider))
    return call.responder.send(
        scim::to_response(scim::invalid_filter("users are found by userName and externalId").error()));
  const auto page = page_of(users, *search);
  JsonWriter json;
  scim::write_list(json, users.size(), search->start, page.size(), [&] {
    for (const Principal& user : page) scim::write_user(json, user, *provider);
  });
  call.responder.send(scim::answer(std::move(json)));
}

void get_scim_user(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  if (auto search = read_scim_search(call.request); !search) return call.responder.send(std::move(search.error()));
  const auto users = users_of(call, *provider);
  call.responder.send(render_user(find_resource(users, call.parameter("id")), *provider, 200));
}

void create_scim_user(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  auto change = read_whole_user(call.request.body);
  provision_user(context, std::move(call), *provider, std::move(change), {});
}

void replace_scim_user(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  auto change = read_whole_user(call.request.body);
  std::string id = call.parameter("id");
  provision_user(context, std::move(call), *provider, std::move(change), std::move(id));
}

void patch_scim_user(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  auto change = scim::read_user_patch(call.request.body);
  std::string id = call.parameter("id");
  provision_user(context, std::move(call), *provider, std::move(change), std::move(id));
}

void remove_scim_user(Context& context, Call call) {
  const auto provider = provider_for(context, call);
  if (!provider) return;
  std::string id = call.parameter("id");
  run_scim_command(std::move(call), RemoveProvisionedUser{.issuer = provider->issuer.url, .id = std::move(id)},
                   [](const Asker&) { return Response{.status = 204}; });
}

}  // namespace ym::api
