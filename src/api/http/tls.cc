#include "api/http/tls.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include "base/tls_ciphers.h"

namespace ym::api {
namespace {

using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Names = std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)>;

constexpr std::string_view kServiceUri = "yardmaster:service:";
constexpr std::string_view kProtocol = "\x08http/1.1";

std::unexpected<Error> unusable(const std::string& file, std::string_view what) {
  const char* why = ERR_reason_error_string(ERR_peek_last_error());
  auto failure = fail(ErrorCode::invalid, fmt::format("{}: {}{}{}", file, what, why ? ": " : "", why ? why : ""));
  ERR_clear_error();
  return failure;
}

// Without this callback OpenSSL would ask for a password on the terminal.
int no_password(char*, int, int, void*) { return -1; }

// Clients that offer other protocols only are refused, as RFC 7301 says.
int select_protocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned size, void*) {
  const auto* own = reinterpret_cast<const unsigned char*>(kProtocol.data());
  unsigned char* found = nullptr;
  const int agreed = SSL_select_next_proto(&found, length, own, static_cast<unsigned>(kProtocol.size()), offered, size);
  *chosen = found;
  return agreed == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Result<void> use_pair(SSL_CTX* context, const TlsFiles& files) {
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1)
    return unusable(files.certificate, "this is not a certificate in PEM");
  if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1)
    return unusable(files.key, "this is not the certificate's private key, in PEM and without a password");
  if (SSL_CTX_check_private_key(context) != 1) return unusable(files.key, "the key does not belong to the certificate");
  return {};
}

// A client may show a certificate and need not: most send a token.
Result<void> ask_for_certificates(SSL_CTX* context, const std::string& file) {
  if (file.empty()) return {};
  if (SSL_CTX_load_verify_file(context, file.c_str()) != 1)
    return unusable(file, "these are not certificates of authorities, in PEM");
  SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(file.c_str()));
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  // The file may name an issuing authority alone, so that its root and what else that signs is not trusted.
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), X509_V_FLAG_PARTIAL_CHAIN);
  return {};
}

Instant instant_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return Instant{static_cast<std::int64_t>(::timegm(&parts)) * 1000};
}

TlsCertificate describe(const X509* certificate) {
  return {.fingerprint = fingerprint_of(certificate),
          .not_before = instant_of(X509_get0_notBefore(certificate)),
          .not_after = instant_of(X509_get0_notAfter(certificate))};
}

// A file that was replaced, also behind a link, has another version.
std::string versions_of(const TlsFiles& files) {
  std::string versions;
  for (const auto* path : {&files.certificate, &files.key, &files.client_ca}) {
    struct stat found{};
    if (path->empty() || ::stat(path->c_str(), &found) != 0) versions += "-;";
    else
      versions += fmt::format("{}.{}.{}.{}.{}.{}.{};", found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec,
                              found.st_mtim.tv_nsec, found.st_ctim.tv_sec, found.st_ctim.tv_nsec);
  }
  return versions;
}

}  // namespace

Result<ServerTls::Loaded> ServerTls::load(const TlsFiles& files) {
  const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (!context) return unusable(files.certificate, "TLS cannot be prepared");
  SSL_CTX* const raw = context.get();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(raw, kTlsCiphers);
  SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(raw, SSL_MODE_RELEASE_BUFFERS);  // of a quiet connection only Asio's buffers stay
  SSL_CTX_set_default_passwd_cb(raw, no_password);
  SSL_CTX_set_alpn_select_cb(raw, select_protocol, nullptr);
  constexpr std::array<unsigned char, 2> kSessions{'y', 'm'};
  SSL_CTX_set_session_id_context(raw, kSessions.data(), kSessions.size());
  if (auto used = use_pair(raw, files); !used) return std::unexpected(used.error());
  if (auto asked = ask_for_certificates(raw, files.client_ca); !asked) return std::unexpected(asked.error());
  ERR_clear_error();
  return Loaded{.context = context, .certificate = describe(SSL_CTX_get0_certificate(raw))};
}

Result<std::unique_ptr<ServerTls>> ServerTls::open(const TlsFiles& files) {
  // Looked at first: a file that changes meanwhile is read again.
  auto versions = versions_of(files);
  auto loaded = load(files);
  if (!loaded) return std::unexpected(loaded.error());
  return std::unique_ptr<ServerTls>(new ServerTls(files, std::move(versions), std::move(*loaded)));
}

void FreeSession::operator()(SSL* session) const { SSL_free(session); }

TlsSession ServerTls::new_session() const {
  const std::lock_guard lock(mutex_);
  TlsSession session(SSL_new(loaded_.context.get()));
  ERR_clear_error();
  if (!session) throw std::bad_alloc();
  return session;
}

bool ServerTls::is_for(const std::string& host) const {
  const std::lock_guard lock(mutex_);
  X509* certificate = SSL_CTX_get0_certificate(loaded_.context.get());
  return X509_check_ip_asc(certificate, host.c_str(), 0) == 1 ||
         X509_check_host(certificate, host.data(), host.size(), 0, nullptr) == 1;
}

std::optional<Result<void>> ServerTls::refresh() {
  auto versions = versions_of(files_);
  if (versions == versions_) return std::nullopt;
  auto loaded = load(files_);
  if (!loaded) {
    if (std::exchange(said_, loaded.error().message) == loaded.error().message) return std::nullopt;
    return std::unexpected(loaded.error());
  }
  versions_ = std::move(versions);
  said_.clear();
  const std::lock_guard lock(mutex_);
  loaded_ = std::move(*loaded);
  return Result<void>();
}

TlsCertificate ServerTls::certificate() const {
  const std::lock_guard lock(mutex_);
  return loaded_.certificate;
}

std::string fingerprint_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  X509_digest(certificate, EVP_sha256(), digest.data(), &size);
  std::string text = "sha256:";
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::optional<ClientCertificate> client_certificate(const SSL* session) {
  const Certificate shown(SSL_get1_peer_certificate(session), X509_free);
  if (!shown || SSL_get_verify_result(session) != X509_V_OK) return std::nullopt;
  const Names names(static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(shown.get(), NID_subject_alt_name, nullptr, nullptr)),
                    GENERAL_NAMES_free);
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_URI) continue;
    const auto* uri = name->d.uniformResourceIdentifier;
    const std::string_view text(reinterpret_cast<const char*>(ASN1_STRING_get0_data(uri)),
                                static_cast<std::size_t>(ASN1_STRING_length(uri)));
    if (text.starts_with(kServiceUri))
      return ClientCertificate{.service = std::string(text.substr(kServiceUri.size())),
                               .not_after = instant_of(X509_get0_notAfter(shown.get()))};
  }
  return std::nullopt;
}

}  // namespace ym::api
