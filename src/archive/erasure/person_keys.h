// Which stored text fields name a person, and which may: by their names in documents (model/json).
//
// A test goes through all fields that are stored. One with a text that is in none of these lists does not pass.
#pragma once

#include <array>
#include <string_view>

namespace ym {

// The value, or each value of the list, is the id or the handle of a principal.
inline constexpr std::array<std::string_view, 8> kPrincipalKeys{"owner",  "created_by", "principal", "handle",
                                                                "behalf", "user",       "users",     "erased_by"};
// Words that people or programs wrote: they may have its name in the middle.
inline constexpr std::array<std::string_view, 4> kProseKeys{"message", "note", "description", "reason"};
// What a request was about: "principal:ann", "queue:train".
inline constexpr std::array<std::string_view, 1> kObjectKeys{"object"};
// Of its own row only. The last two are in `provisioned`.
inline constexpr std::array<std::string_view, 12> kPersonKeys{"issuer",
                                                              "subject",
                                                              "login_name",
                                                              "display",
                                                              "email",
                                                              "groups",
                                                              "issuer_groups",
                                                              "issuer_groups_until",
                                                              "issuer_groups_from",
                                                              "provisioned",
                                                              "user_name",
                                                              "external_id"};
// Of the records of its own requests.
inline constexpr std::array<std::string_view, 3> kRequestKeys{"source", "agent", "request"};
// What its programs said, in rows and events of its jobs.
inline constexpr std::array<std::string_view, 2> kProgramKeys{"message", "uri"};

}  // namespace ym
