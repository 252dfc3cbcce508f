#include "munge/munge.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/types.h>

#include <cstdlib>
#include <memory>

namespace ym::munge {
namespace {

// The part of munge.h that is used here. Its values are the interface of version 2 of the library.
using Context = void*;
constexpr int kSuccess = 0;
constexpr int kBadCredential = 8;  // this and higher ones are about the credential
constexpr int kOptionSocket = 8;

struct Library {
  Context (*create)() = nullptr;
  void (*destroy)(Context) = nullptr;
  int (*set)(Context, int, ...) = nullptr;
  int (*encode)(char**, Context, const void*, int) = nullptr;
  int (*decode)(const char*, Context, void**, int*, uid_t*, gid_t*) = nullptr;
  const char* (*text)(int) = nullptr;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));  // NOLINT(*-reinterpret-cast): what dlsym returns
  return function != nullptr;
}

// It stays loaded. Nothing: there is none.
const Library* load() {
  static const Library kLibrary = [] {
    Library found;
    void* library = dlopen("libmunge.so.2", RTLD_NOW | RTLD_LOCAL);
    const bool whole = library != nullptr && find(library, "munge_ctx_create", found.create) &&
                       find(library, "munge_ctx_destroy", found.destroy) && find(library, "munge_ctx_set", found.set) &&
                       find(library, "munge_encode", found.encode) && find(library, "munge_decode", found.decode) &&
                       find(library, "munge_strerror", found.text);
    return whole ? found : Library{};
  }();
  return kLibrary.text == nullptr ? nullptr : &kLibrary;
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }  // NOLINT(*-no-malloc): the library's malloc
};
template <class T>
using Allocated = std::unique_ptr<T, Free>;

using ContextPointer = std::unique_ptr<void, void (*)(Context)>;

std::unexpected<Error> failure(const Library& library, int code) {
  return fail(ErrorCode::unavailable, fmt::format("munge: {}", library.text(code)));
}

Result<ContextPointer> context_for(const Library& library, const std::string& socket) {
  ContextPointer context(library.create(), library.destroy);
  if (!context) return fail(ErrorCode::unavailable, "munge: no memory");
  if (!socket.empty())
    if (const int code = library.set(context.get(), kOptionSocket, socket.c_str()); code != kSuccess)
      return failure(library, code);
  return context;
}

std::unexpected<Error> no_library() {
  return fail(ErrorCode::unavailable, "this machine has no MUNGE: install libmunge2, and munge for its daemon");
}

}  // namespace

Result<std::string> encode(const std::string& payload, const std::string& socket) {
  const Library* library = load();
  if (library == nullptr) return no_library();
  const auto context = context_for(*library, socket);
  if (!context) return std::unexpected(context.error());
  char* text = nullptr;
  const int code = library->encode(&text, context->get(), payload.data(), static_cast<int>(payload.size()));
  const Allocated<char> owned(text);
  if (code != kSuccess) return failure(*library, code);
  return std::string(text);
}

Result<Decoded> decode(const std::string& credential, const std::string& socket) {
  const Library* library = load();
  if (library == nullptr) return no_library();
  const auto context = context_for(*library, socket);
  if (!context) return std::unexpected(context.error());
  void* payload = nullptr;
  int size = 0;
  uid_t uid = 0;
  gid_t gid = 0;
  const int code = library->decode(credential.c_str(), context->get(), &payload, &size, &uid, &gid);
  const Allocated<void> owned(payload);
  if (code >= kBadCredential) return fail(ErrorCode::unauthenticated, fmt::format("munge: {}", library->text(code)));
  if (code != kSuccess) return failure(*library, code);
  return Decoded{.uid = uid, .payload = std::string(static_cast<const char*>(payload), static_cast<std::size_t>(size))};
}

std::string login_payload(const std::string& server_url, const std::string& random) {
  return fmt::format("yardmaster login\n{}\n{}", server_url, random);
}

}  // namespace ym::munge
