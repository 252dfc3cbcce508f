#include "oidc/json_web_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <algorithm>

#include "base/base64url.h"
#include "oidc/json.h"

namespace ym::oidc {
namespace {

constexpr int kLeastRsaBits = 2048;
constexpr std::size_t kMostKeys = 100, kCoordinate = 32;

using Key = std::shared_ptr<evp_pkey_st>;
using Params = std::unique_ptr<OSSL_PARAM, decltype(&OSSL_PARAM_free)>;
using Number = std::unique_ptr<BIGNUM, decltype(&BN_free)>;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// A member of a key that is bytes in base64url. Empty: it is missing or wrong.
std::string bytes_at(const Json& key, std::string_view name) {
  return from_base64url(text_at(key, name)).value_or(std::string());
}

Number number_of(const std::string& bytes) {
  return {BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr), BN_free};
}

Key key_of(const char* type, Params params) {
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
      EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr), EVP_PKEY_CTX_free);
  EVP_PKEY* key = nullptr;
  if (!context || !params || EVP_PKEY_fromdata_init(context.get()) <= 0 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) <= 0)
    return {};
  return {key, EVP_PKEY_free};
}

Key rsa_key(const Json& json) {
  const Number n = number_of(bytes_at(json, "n")), e = number_of(bytes_at(json, "e"));
  const std::unique_ptr<OSSL_PARAM_BLD, decltype(&OSSL_PARAM_BLD_free)> build(OSSL_PARAM_BLD_new(),
                                                                              OSSL_PARAM_BLD_free);
  if (!n || !e || !build || BN_is_zero(n.get()) || BN_is_zero(e.get())) return {};
  OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
  Key key = key_of("RSA", {OSSL_PARAM_BLD_to_param(build.get()), OSSL_PARAM_free});
  return key && EVP_PKEY_get_bits(key.get()) >= kLeastRsaBits ? key : Key{};
}

Key ec_key(const Json& json) {
  const auto x = bytes_at(json, "x"), y = bytes_at(json, "y");
  if (text_at(json, "crv") != "P-256" || x.size() != kCoordinate || y.size() != kCoordinate) return {};
  const std::string point = "\x04" + x + y;  // not compressed
  const std::unique_ptr<OSSL_PARAM_BLD, decltype(&OSSL_PARAM_BLD_free)> build(OSSL_PARAM_BLD_new(),
                                                                              OSSL_PARAM_BLD_free);
  if (!build) return {};
  OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
  OSSL_PARAM_BLD_push_octet_string(build.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size());
  return key_of("EC", {OSSL_PARAM_BLD_to_param(build.get()), OSSL_PARAM_free});
}

Key edwards_key(const Json& json) {
  const auto x = bytes_at(json, "x");
  if (text_at(json, "crv") != "Ed25519") return {};
  return {EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(x), x.size()), EVP_PKEY_free};
}

std::optional<JsonWebKey> read_key(const Json& json) {
  const auto use = text_at(json, "use"), kind = text_at(json, "kty"), algorithm = text_at(json, "alg");
  if (!use.empty() && use != "sig") return std::nullopt;
  JsonWebKey key{.id = text_at(json, "kid"), .algorithms = {}};
  if (kind == "RSA") key = {key.id, {Algorithm::rs256, Algorithm::ps256}, rsa_key(json)};
  if (kind == "EC") key = {key.id, {Algorithm::es256}, ec_key(json)};
  if (kind == "OKP") key = {key.id, {Algorithm::eddsa}, edwards_key(json)};
  if (!algorithm.empty()) std::erase_if(key.algorithms, [&](Algorithm one) { return to_string(one) != algorithm; });
  if (!key.key || key.algorithms.empty()) return std::nullopt;
  return key;
}

// A signature of JOSE is two numbers in a row; OpenSSL reads them in DER.
std::string to_der(std::string_view signature) {
  if (signature.size() != 2 * kCoordinate) return {};
  const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> pair(ECDSA_SIG_new(), ECDSA_SIG_free);
  if (!pair || ECDSA_SIG_set0(pair.get(), BN_bin2bn(bytes_of(signature), kCoordinate, nullptr),
                              BN_bin2bn(bytes_of(signature) + kCoordinate, kCoordinate, nullptr)) != 1)
    return {};
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return {};
  std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

bool set_padding(EVP_PKEY_CTX* context, Algorithm algorithm) {
  if (algorithm == Algorithm::rs256) return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) > 0;
  if (algorithm != Algorithm::ps256) return true;
  return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) > 0 &&
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) > 0;
}

}  // namespace

std::optional<Algorithm> algorithm_of(std::string_view name) {
  for (const Algorithm one : values_of<Algorithm>())
    if (to_string(one) == name) return one;
  return std::nullopt;
}

bool is_signed(const JsonWebKey& key, Algorithm algorithm, std::string_view text, std::string_view signature) {
  if (std::ranges::find(key.algorithms, algorithm) == key.algorithms.end()) return false;
  const std::string seal = algorithm == Algorithm::es256 ? to_der(signature) : std::string(signature);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  EVP_PKEY_CTX* of_key = nullptr;  // the context owns it
  const EVP_MD* digest = algorithm == Algorithm::eddsa ? nullptr : EVP_sha256();
  return context && !seal.empty() &&
         EVP_DigestVerifyInit(context.get(), &of_key, digest, nullptr, key.key.get()) == 1 &&
         set_padding(of_key, algorithm) &&
         EVP_DigestVerify(context.get(), bytes_of(seal), seal.size(), bytes_of(text), text.size()) == 1;
}

Result<std::vector<JsonWebKey>> read_keys(const Json& json) {
  const Json* list = member(json, "keys");
  if (list == nullptr || list->kind != Json::Kind::list) return fail(ErrorCode::invalid, "it is no set of keys");
  std::vector<JsonWebKey> keys;
  for (const Json& item : list->items) {
    if (keys.size() >= kMostKeys) break;
    if (auto key = read_key(item)) keys.push_back(std::move(*key));
  }
  if (keys.empty())
    return fail(ErrorCode::invalid, "none of its keys can check a signature by RS256, PS256, ES256 or EdDSA");
  return keys;
}

}  // namespace ym::oidc
