"""SCIM as Entra and Okta send it: users and groups that the provider makes, disables and takes away."""

import http.client
import json
import unittest
import urllib.parse

import harness

USER, GROUP = (f"urn:ietf:params:scim:schemas:core:2.0:{kind}" for kind in ("User", "Group"))
ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
PATCH, ERROR, LIST = (f"urn:ietf:params:scim:api:messages:2.0:{kind}" for kind in ("PatchOp", "Error", "ListResponse"))
ISSUER = "https://idp.example/realms/x"
# No provider has to answer: the tests log no user in.
CONFIG = harness.FIVE_NODES + f"""
auth:
  issuers:
    - {{name: corp, url: "{ISSUER}", client_id: web, scim: scim-corp, groups_strip: "ml-"}}
  exchange:
    - {{name: ci, issuer: "https://ci.example", audience: ym, require: {{id: "1"}}, service: ci-vision}}
  bindings:
    - {{role: viewer, to: "group:crew", scope: site}}
    - {{role: admin, to: ann, scope: site}}
"""


class Scim(harness.ServerTest):
    config = CONFIG

    def setUp(self):
        super().setUp()
        self.server.ym("role", "create", "provisioner", "--permission", "identities.get", "--permission", "identities.edit")
        self.secret = self.server.ym("token", "create", "--for", "scim-corp", "--service").stdout.strip()
        self.server.ym("role", "bind", "provisioner", "--to", "scim-corp", "--scope", "site")
        self.line = http.client.HTTPConnection(urllib.parse.urlsplit(self.server.url).netloc, timeout=60)
        self.addCleanup(self.line.close)

    def scim(self, method, path, body=None, token=None, content_type="application/scim+json"):
        """(status, decoded body or None), on a connection that stays."""
        headers = {"Authorization": f"Bearer {token or self.secret}", "Accept": "application/scim+json"}
        if body is not None:
            headers["Content-Type"] = content_type
            body = body if isinstance(body, (str, bytes)) else json.dumps(body)
        self.line.request(method, "/scim/v2" + path, body=body, headers=headers)
        answer = self.line.getresponse()
        data = answer.read()
        if data:
            self.assertEqual(answer.headers["Content-Type"], "application/scim+json", data)
        self.headers = answer.headers
        return answer.status, json.loads(data) if data else None

    def must(self, wanted, method, path, body=None, **more):
        status, answer = self.scim(method, path, body, **more)
        self.assertEqual(status, wanted, answer)
        return answer

    def refused(self, wanted, scim_type, method, path, body=None, **more):
        answer = self.must(wanted, method, path, body, **more)
        self.assertEqual((answer["schemas"], answer["status"], answer.get("scimType")), ([ERROR], str(wanted), scim_type))
        self.assertTrue(answer["detail"])
        return answer

    def patch(self, wanted, path, *operations):
        return self.must(wanted, "PATCH", path, {"schemas": [PATCH], "Operations": list(operations)})

    def user(self, name, **more):
        return self.must(201, "POST", "/Users", {"schemas": [USER], "userName": name, "active": True} | more)["id"]

    def group(self, name, *members):
        said = {"schemas": [GROUP], "displayName": name, "members": [{"value": one} for one in members]}
        return self.must(201, "POST", "/Groups", said)["id"]

    def found(self, kind, question):
        answer = self.must(200, "GET", f"/{kind}?filter=" + urllib.parse.quote(question))
        self.assertEqual((answer["schemas"], answer["totalResults"]), ([LIST], len(answer["Resources"])))
        return [one["id"] for one in answer["Resources"]]

    def token_of(self, name):
        return self.server.ym("token", "create", "--for", name, "--scope", "viewer").stdout.strip()

    def status_with(self, token, path="/api/v1/whoami"):
        return self.server.request("GET", path, headers={"Authorization": f"Bearer {token}"}, authenticated=False)[0]

    def row(self, name):
        [row] = [one for one in self.server.json("identity", "list") if one["name"] == name]
        return row


class Providers(Scim):
    def test_users_of_entra(self):
        """The requests of its documentation, "Tutorial: Develop a SCIM endpoint", in their order."""
        self.assertEqual(self.found("Users", 'userName eq "not-there"'), [], "the test of the connection")
        made = self.must(201, "POST", "/Users", {
            "schemas": [USER, ENTERPRISE], "externalId": "0a21f0f2-8d2a", "userName": "bob@corp.example", "active": True,
            "emails": [{"primary": True, "type": "work", "value": "bob@corp.example"}], "meta": {"resourceType": "User"},
            "name": {"formatted": "Bob B", "familyName": "B", "givenName": "Bob"}, "roles": []})
        user = made["id"]
        self.assertEqual(self.headers["Location"], made["meta"]["location"])
        self.assertEqual((made["userName"], made["externalId"], made["active"]), ("bob@corp.example", "0a21f0f2-8d2a", True))
        self.assertEqual(self.must(200, "GET", f"/Users/{user}"), made)
        self.assertEqual(self.found("Users", 'userName eq "BOB@corp.example"'), [user])
        self.assertEqual(self.found("Users", 'externalId eq "0a21f0f2-8d2a"'), [user])
        self.refused(409, "uniqueness", "POST", "/Users", {"schemas": [USER], "userName": "Bob@corp.example"})
        changed = self.patch(200, f"/Users/{user}",
                             {"op": "Replace", "path": 'emails[type eq "work"].value', "value": "new@corp.example"},
                             {"op": "Replace", "path": "name.familyName", "value": "C"},
                             {"op": "Add", "path": f"{ENTERPRISE}:department", "value": "vision"})
        self.assertEqual(changed["emails"][0]["value"], "new@corp.example")
        renamed = self.patch(200, f"/Users/{user}", {"op": "Replace", "path": "userName", "value": "robert@corp.example"})
        self.assertEqual((renamed["id"], renamed["userName"]), (user, "robert@corp.example"))
        self.assertEqual(self.found("Users", 'userName eq "robert@corp.example"'), [user])
        token = self.token_of(user)
        gone = self.patch(200, f"/Users/{user}", {"op": "Replace", "path": "active", "value": "False"})
        self.assertIs(gone["active"], False)
        self.assertEqual(self.status_with(token), 401, "with the answer, it is over")
        self.assertEqual(self.patch(200, f"/Users/{user}", {"op": "Replace", "path": "active", "value": "True"})["active"], True)
        self.must(204, "DELETE", f"/Users/{user}")
        self.refused(404, None, "GET", f"/Users/{user}")
        self.refused(404, None, "DELETE", f"/Users/{user}")
        self.assertEqual(self.status_with(token), 401)
        self.assertEqual(self.found("Users", 'userName eq "robert@corp.example"'), [])

    def test_groups_of_entra(self):
        user = self.user("bob@corp.example")
        group = self.must(201, "POST", "/Groups", {"schemas": [GROUP], "externalId": "8aa1a0c0", "displayName": "ml-crew",
                                                   "meta": {"resourceType": "Group"}})["id"]
        self.assertEqual(self.must(200, "GET", f"/Groups/{group}?excludedAttributes=members").get("members"), None)
        question = urllib.parse.quote('displayName eq "ml-crew"')
        listed = self.must(200, "GET", f"/Groups?excludedAttributes=members&filter={question}")
        self.assertEqual([(one["id"], "members" in one) for one in listed["Resources"]], [(group, False)])
        token = self.token_of(user)
        self.assertEqual(self.status_with(token, "/metrics"), 403)
        self.patch(200, f"/Groups/{group}", {"op": "Add", "path": "members", "value": [{"$ref": None, "value": user}]})
        self.assertEqual(self.status_with(token, "/metrics"), 200, "the group is `crew` here")
        with_member = self.must(200, "GET", f"/Groups/{group}")
        self.assertEqual([one["value"] for one in with_member["members"]], [user])
        self.patch(200, f"/Groups/{group}", {"op": "Remove", "path": "members", "value": [{"$ref": None, "value": user}]})
        self.assertEqual(self.status_with(token, "/metrics"), 403)
        self.must(204, "DELETE", f"/Groups/{group}")
        self.refused(404, None, "GET", f"/Groups/{group}")

    def test_okta(self):
        """Those of its documentation, "SCIM 2.0 Protocol Reference"."""
        self.assertEqual(self.must(200, "GET", "/Users?startIndex=1&count=2")["Resources"], [])
        self.assertEqual(self.found("Users", 'userName eq "cleo@corp.example"'), [])
        said = {"schemas": [USER], "userName": "cleo@corp.example", "name": {"givenName": "Cleo", "familyName": "D"},
                "emails": [{"primary": True, "value": "cleo@corp.example", "type": "work"}], "displayName": "Cleo D",
                "locale": "en-US", "externalId": "00ujl29u0le5T6Aj10h7", "groups": [], "password": "1mz050nq", "active": True}
        made = self.must(201, "POST", "/Users", said, content_type="application/scim+json; charset=utf-8")
        user = made["id"]
        self.assertNotIn("password", made)
        put = self.must(200, "PUT", f"/Users/{user}", said | {"id": user, "displayName": "Cleo"}, content_type="application/json")
        self.assertEqual((put["displayName"], put["id"]), ("Cleo", user))
        token = self.token_of(user)
        self.assertIs(self.patch(200, f"/Users/{user}", {"op": "replace", "value": {"active": False}})["active"], False)
        self.assertEqual(self.status_with(token), 401)
        whole = {name: value for name, value in said.items() if name != "active"}
        self.assertIs(self.must(200, "PUT", f"/Users/{user}", whole)["active"], False, "it must say it")
        self.assertIs(self.must(200, "PUT", f"/Users/{user}", said)["active"], True)
        self.assertEqual(self.status_with(token), 200)

        group = self.group("ml-crew", user)
        self.assertEqual(self.status_with(token, "/metrics"), 200)
        self.patch(200, f"/Groups/{group}", {"op": "remove", "path": f'members[value eq "{user}"]'})
        self.assertEqual(self.status_with(token, "/metrics"), 403)
        self.patch(200, f"/Groups/{group}", {"op": "add", "path": "members",
                                             "value": [{"value": user, "display": "cleo@corp.example"}]})
        self.assertEqual(self.status_with(token, "/metrics"), 200)
        self.patch(200, f"/Groups/{group}", {"op": "replace", "value": {"id": group, "displayName": "ml-others"}})
        self.assertEqual(self.status_with(token, "/metrics"), 403, "no binding has the new name")
        self.must(200, "PUT", f"/Groups/{group}", {"schemas": [GROUP], "id": group, "displayName": "ml-crew", "members": []})
        self.assertEqual(self.must(200, "GET", f"/Groups/{group}")["members"], [])

    def test_what_the_server_has_of_it(self):
        features = self.must(200, "GET", "/ServiceProviderConfig")
        self.assertEqual([features[name]["supported"] for name in ("patch", "filter", "bulk", "sort", "etag", "changePassword")],
                         [True, True, False, False, False, False])
        types = self.must(200, "GET", "/ResourceTypes")["Resources"]
        self.assertEqual([(one["id"], one["endpoint"]) for one in types], [("User", "/Users"), ("Group", "/Groups")])
        self.assertEqual(self.must(200, "GET", "/ResourceTypes/User"), types[0])
        schemas = self.must(200, "GET", "/Schemas")["Resources"]
        self.assertEqual([one["id"] for one in schemas], [USER, GROUP])
        self.assertEqual(self.must(200, "GET", f"/Schemas/{USER}"), schemas[0])
        self.refused(404, None, "GET", "/Schemas/other")

    def test_pages(self):
        users = sorted(self.user(f"u{n}") for n in range(5))
        seen = []
        for start in (1, 3, 5):
            page = self.must(200, "GET", f"/Users?startIndex={start}&count=2")
            self.assertEqual((page["totalResults"], page["startIndex"], page["itemsPerPage"]), (5, start, len(page["Resources"])))
            seen += [one["id"] for one in page["Resources"]]
        self.assertEqual(seen, users)
        self.assertEqual(self.must(200, "GET", "/Users?count=0")["Resources"], [])
        self.assertEqual(self.must(200, "GET", "/Users?startIndex=99999999999999")["Resources"], [])


class Rules(Scim):
    def test_it_outlives_the_server(self):
        user, group = self.user("dan"), self.group("ml-crew")
        self.patch(200, f"/Groups/{group}", {"op": "add", "path": "members", "value": [{"value": user}]})
        token = self.token_of("dan")
        off = self.user("eve")
        self.patch(200, f"/Users/{off}", {"op": "replace", "path": "active", "value": False})
        before = [self.must(200, "GET", path) for path in ("/Users", "/Groups")]
        self.server.kill()
        self.server.start()
        self.line = http.client.HTTPConnection(urllib.parse.urlsplit(self.server.url).netloc, timeout=60)
        after = [self.must(200, "GET", path) for path in ("/Users", "/Groups")]
        self.assertEqual([[one["id"] for one in page["Resources"]] for page in before],
                         [[one["id"] for one in page["Resources"]] for page in after])
        self.assertEqual([one["active"] for one in after[0]["Resources"]], [True, False])
        self.assertEqual(self.status_with(token, "/metrics"), 200)

    def test_a_user_in_many_groups(self):
        user = self.user("gil")
        groups = [self.group(f"ml-g{n}", user) for n in range(300)]
        self.assertEqual(len({*groups}), 300)
        answer = self.must(200, "GET", "/Groups?count=200&startIndex=201")
        self.assertEqual((answer["totalResults"], len(answer["Resources"])), (300, 100))
        crew = self.group("ml-crew", user)
        token = self.token_of("gil")
        self.assertEqual(self.status_with(token, "/metrics"), 200)
        self.must(204, "DELETE", f"/Groups/{crew}")
        self.assertEqual(self.status_with(token, "/metrics"), 403)

    def test_names_of_others_are_not_taken(self):
        self.server.ym("token", "create", "--for", "robot", "--service")
        self.server.ym("token", "create", "--for", "hal")
        own = self.server.json("whoami")["user"]
        for name in ("robot", "hal", "ci-vision", "scim-corp", own):
            self.refused(409, "uniqueness", "POST", "/Users", {"userName": name})
        for name in ("server", "", "a b", "x/y", "x" * 65):
            self.refused(400, "invalidValue", "POST", "/Users", {"userName": name})
        self.refused(400, "invalidValue", "POST", "/Users", {})
        ann = self.user("ann")
        self.assertEqual((ann, self.row("ann")["issuer"]), ("ann", ISSUER), "the name of the file waited for its user")

    def test_an_administrator_and_the_provider_do_not_undo_each_other(self):
        user = self.user("ida")
        self.server.ym("identity", "disable", "ida")
        active = {"op": "replace", "path": "active", "value": True}
        self.assertIs(self.patch(200, f"/Users/{user}", active)["active"], False)
        self.server.ym("identity", "enable", "ida")
        self.assertIs(self.must(200, "GET", f"/Users/{user}")["active"], True)
        self.patch(200, f"/Users/{user}", active | {"value": False})
        run = self.server.ym("identity", "enable", "ida", check=False)
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(self.row("ida")["provisioned"], "inactive")

    def test_only_the_account_of_the_provider_speaks_for_it(self):
        user, group = self.user("jolanda"), self.group("ml-crew")
        plain = self.server.ym("token", "create", "--for", "kim").stdout.strip()
        narrow = self.server.ym("token", "create", "--for", "scim-corp", "--scope", "identities.get").stdout.strip()
        requests = [("GET", "/Users", None), ("GET", f"/Users/{user}", None), ("POST", "/Users", {"userName": "lea"}),
                    ("PUT", f"/Users/{user}", {"userName": "jolanda"}), ("DELETE", f"/Users/{user}", None),
                    ("PATCH", f"/Users/{user}", {"Operations": [{"op": "replace", "value": {"active": False}}]}),
                    ("GET", "/Groups", None), ("GET", f"/Groups/{group}", None), ("POST", "/Groups", {"displayName": "x"}),
                    ("PUT", f"/Groups/{group}", {"displayName": "x"}), ("DELETE", f"/Groups/{group}", None),
                    ("PATCH", f"/Groups/{group}", {"Operations": [{"op": "add", "path": "members", "value": [{"value": user}]}]}),
                    ("GET", "/ServiceProviderConfig", None), ("GET", "/ResourceTypes", None), ("GET", "/Schemas", None)]
        for method, path, body in requests:
            for token in (plain, self.server.token()):
                refused = self.refused(403, None, method, path, body, token=token)
                self.assertNotIn("jolanda", json.dumps(refused).replace(path, ""))
            self.refused(401, None, method, path, body, token="ymt_wrong")
            if method != "GET":
                self.refused(403, None, method, path, body, token=narrow)
        self.assertEqual(self.must(200, "GET", f"/Users/{user}")["active"], True)
        # It may make tokens of others, and has the rights of the account; but not what the file gives to that.
        clerk = self.server.ym("token", "create", "--for", "clerk").stdout.strip()
        self.server.ym("role", "create", "clerk", "--permission", "tokens.create", "--permission", "identities.get",
                       "--permission", "identities.edit")
        self.server.ym("role", "bind", "clerk", "--to", "clerk", "--scope", "site")
        self.server.ym("token", "create", "--for", "robot", "--service")
        for account, wanted in (("robot", 201), ("scim-corp", 403)):
            said = json.dumps({"principal": account})
            status, _, body = self.server.request("POST", "/api/v1/tokens", body=said, authenticated=False, headers={
                "Authorization": f"Bearer {clerk}", "Content-Type": "application/json"})
            self.assertEqual(status, wanted, body)
        self.refused(404, None, "GET", "/Nothing")
        self.refused(405, None, "DELETE", "/Users")
        self.refused(415, None, "POST", "/Users", "a: b", content_type="application/yaml")

    def test_hostile_bodies(self):
        user, group = self.user("mia"), self.group("ml-crew")
        deep = "[" * 5_000 + "]" * 5_000
        for body, wanted in (("{", "invalidSyntax"), ("[]", "invalidSyntax"), ('{"userName":"a","userName":"b"}', "invalidSyntax"),
                             ('{"userName":"a","USERNAME":"b"}', "invalidSyntax"), (f'{{"userName":{deep}}}', "invalidSyntax"),
                             ('{"userName":["a"]}', "invalidValue"), ('{"userName":"a","active":"maybe"}', "invalidValue"),
                             ('{"userName":"a","emails":[1]}', "invalidValue"), ('{"userName":"a\\u0000"}', "invalidSyntax"),
                             (b'{"userName":"\xff"}', "invalidSyntax"),
                             (json.dumps({"userName": "a", "externalId": "x" * 5_000}), "invalidValue"),
                             (json.dumps({"userName": "a", "displayName": "a\nb"}), "invalidValue")):
            self.refused(400, wanted, "POST", "/Users", body)
        members = [{"value": f"u{n}"} for n in range(20_000)]
        for path, operation, wanted in (
                (f"/Users/{user}", {"op": "jump"}, "invalidSyntax"), (f"/Users/{user}", {"op": "remove"}, "noTarget"),
                (f"/Users/{user}", {"op": "replace", "path": "emails[", "value": "x"}, "invalidPath"),
                (f"/Groups/{group}", {"op": "remove", "path": 'members[display eq "x"]'}, "invalidFilter"),
                (f"/Groups/{group}", {"op": "add", "path": "members", "value": members}, "invalidValue"),
                (f"/Groups/{group}", {"op": "add", "path": "members", "value": [{"value": "root"}]}, "invalidValue")):
            self.refused(400, wanted, "PATCH", path, {"Operations": [operation]})
        for question in ('userName co "a"', "userName", 'password eq "x"', "active eq true", 'userName eq "' + "a" * 2_000 + '"'):
            self.refused(400, "invalidFilter", "GET", "/Users?filter=" + urllib.parse.quote(question))
        self.refused(400, "invalidValue", "GET", "/Users?count=-1")
        self.refused(400, "invalidValue", "GET", "/Users?unknown=1")
        self.assertEqual([one["id"] for one in self.must(200, "GET", "/Users")["Resources"]], [user])

    def test_each_change_is_in_the_audit_log_and_no_secret_is(self):
        user = self.user("nia")
        self.patch(200, f"/Users/{user}", {"op": "replace", "path": "active", "value": False})
        self.must(204, "DELETE", f"/Users/{user}")
        rows = self.server.json("audit", "list", "--actor", "scim-corp")
        self.assertEqual([(row["verb"], row["object"]) for row in rows],
                         [("identities.edit", "principal:nia"), ("identities.edit", "principal:nia"), ("identities.delete", "principal:nia")])
        self.assertNotIn(self.secret, json.dumps(rows) + self.server.log_text())


class WithoutAProvider(harness.ServerTest):
    config = harness.FIVE_NODES

    def test_there_is_nothing(self):
        status, headers, body = self.server.request("GET", "/scim/v2/Users")
        self.assertEqual((status, headers["content-type"]), (404, "application/scim+json"), body)


if __name__ == "__main__":
    unittest.main()
