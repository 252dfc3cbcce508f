#include "net/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <span>

#include "base/tls_ciphers.h"

namespace ym::net {
namespace {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Bio = std::unique_ptr<BIO, Deleter<BIO_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;

std::unexpected<Error> refuse(std::string what) {
  if (const char* why = ERR_reason_error_string(ERR_peek_last_error()); why != nullptr) what += std::string(": ") + why;
  ERR_clear_error();
  return fail(ErrorCode::invalid, std::move(what));
}

// Without this callback, OpenSSL would ask for a password on the terminal.
int no_password(char*, int, int, void*) { return -1; }

Bio reader(const std::string& text) {
  if (text.size() > INT_MAX) return nullptr;
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Certificate next_certificate(const Bio& from) {
  return Certificate(PEM_read_bio_X509(from.get(), nullptr, no_password, nullptr));
}

Result<void> trust(SSL_CTX* context, const TlsOptions& options) {
  if (!options.ca_data.empty()) {
    const Bio from = reader(options.ca_data);
    int count = 0;
    while (const auto certificate = next_certificate(from)) {
      if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.get()) != 1)
        return refuse("a certificate authority cannot be used");
      ++count;
    }
    if (count == 0) return refuse("the certificate authorities are not certificates in PEM");
  } else if (!options.ca_file.empty()) {
    if (SSL_CTX_load_verify_file(context, options.ca_file.c_str()) != 1)
      return refuse("cannot read certificate authorities from '" + options.ca_file + "'");
  } else if (SSL_CTX_set_default_verify_paths(context) != 1) {
    return refuse("cannot read the system's certificate authorities");
  }
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), X509_V_FLAG_PARTIAL_CHAIN);
  // OpenSSL reports the end of the text as an error. The next call must not see it.
  ERR_clear_error();
  return {};
}

Result<void> identify(SSL_CTX* context, const TlsOptions& options) {
  if (options.client_certificate.empty() && options.client_key.empty()) return {};
  const Bio from = reader(options.client_certificate.reveal());
  const auto own = next_certificate(from);
  if (!own || SSL_CTX_use_certificate(context, own.get()) != 1) return refuse("the client certificate cannot be used");
  while (const auto issuer = next_certificate(from))
    if (SSL_CTX_add1_chain_cert(context, issuer.get()) != 1) return refuse("the client certificate cannot be used");
  ERR_clear_error();
  const Bio key_from = reader(options.client_key.reveal());
  const Key key(PEM_read_bio_PrivateKey(key_from.get(), nullptr, no_password, nullptr));
  if (!key) return refuse("the client key is not a private key in PEM without a password");
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1)
    return refuse("the client key does not belong to the client certificate");
  return {};
}

// The list of protocols has the length before each name.
void announce(SSL_CTX* context, const std::string& protocol) {
  if (protocol.empty()) return;
  std::vector<unsigned char> list{static_cast<unsigned char>(protocol.size())};
  list.insert(list.end(), protocol.begin(), protocol.end());
  SSL_CTX_set_alpn_protos(context, list.data(), static_cast<unsigned>(list.size()));
}

constexpr std::string_view kFingerprint = "sha256:";
constexpr std::size_t kFingerprintBytes = 32;

// Nothing: it is not one.
std::optional<std::vector<unsigned char>> parse_fingerprint(std::string_view text) {
  if (!text.starts_with(kFingerprint)) return std::nullopt;
  std::string digits(text.substr(kFingerprint.size()));
  std::erase(digits, ':');
  std::vector<unsigned char> bytes(kFingerprintBytes);
  std::size_t length = 0;
  const bool read = digits.size() == 2 * kFingerprintBytes &&
                    OPENSSL_hexstr2buf_ex(bytes.data(), bytes.size(), &length, digits.c_str(), '\0') == 1;
  ERR_clear_error();
  return read ? std::optional(std::move(bytes)) : std::nullopt;
}

// In place of OpenSSL's own verification.
int is_pinned(X509_STORE_CTX* shown, void* pinned) {
  const auto& wanted = *static_cast<const std::vector<unsigned char>*>(pinned);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const X509* certificate = X509_STORE_CTX_get0_cert(shown);
  const bool same = certificate && X509_digest(certificate, EVP_sha256(), digest.data(), &size) == 1 &&
                    std::ranges::equal(std::span(digest).first(size), wanted);
  if (!same) X509_STORE_CTX_set_error(shown, X509_V_ERR_CERT_REJECTED);
  return same ? 1 : 0;
}

}  // namespace

Result<TlsContext> TlsContext::make(const TlsOptions& options, const std::string& host) {
  const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (!context) return refuse("cannot prepare TLS");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(context.get(), kTlsCiphers);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_verify(context.get(), options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  announce(context.get(), options.protocol);
  std::shared_ptr<std::vector<unsigned char>> pinned;
  if (!options.fingerprint.empty()) {
    auto parsed = parse_fingerprint(options.fingerprint);
    if (!parsed)
      return fail(ErrorCode::invalid,
                  "'" + options.fingerprint + "' is not a fingerprint: write sha256: and 64 hexadecimal digits");
    pinned = std::make_shared<std::vector<unsigned char>>(std::move(*parsed));
    SSL_CTX_set_cert_verify_callback(context.get(), is_pinned, pinned.get());
  } else if (options.verify)
    if (const auto trusted = trust(context.get(), options); !trusted) return std::unexpected(trusted.error());
  if (const auto shown = identify(context.get(), options); !shown) return std::unexpected(shown.error());
  return TlsContext(context, std::move(pinned), options.server_name.empty() ? host : options.server_name);
}

ssl_st* TlsContext::new_session() const {
  std::unique_ptr<SSL, Deleter<SSL_free>> session(SSL_new(context_.get()));
  if (!session) return nullptr;
  // An address is compared with the certificate's addresses. It is not sent to the server as a name.
  if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session.get()), name_.c_str()) == 1) return session.release();
  ERR_clear_error();
  SSL_set_hostflags(session.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (SSL_set1_host(session.get(), name_.c_str()) != 1) return nullptr;
  if (SSL_set_tlsext_host_name(session.get(), name_.c_str()) != 1) return nullptr;
  return session.release();
}

std::string verification_failure(const ssl_st* session) {
  const long result = SSL_get_verify_result(session);
  if (result == X509_V_ERR_CERT_REJECTED)
    return "the server shows another certificate than the one with this fingerprint";
  return result == X509_V_OK ? std::string() : X509_verify_cert_error_string(result);
}

}  // namespace ym::net
