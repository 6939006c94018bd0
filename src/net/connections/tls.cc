// TLS by OpenSSL: versions, ciphers, and what its return values mean.
#include "net/connections/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <climits>
#include <new>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/threads/freed.h"

namespace mayfly::net {
namespace {

// Ciphers of TLS 1.2: only those with forward secrecy and authenticated encryption. All ciphers of
// TLS 1.3 are good.
constexpr const char* ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
constexpr unsigned char protocols[] = "\x02h2\x08http/1.1";  // the preferred one first
constexpr std::string_view http2 = "h2";

// Selects a protocol by ALPN. A client that offers only unknown protocols gets an alert, because it
// would not understand the answers.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_bytes,
                    const unsigned char* offered, unsigned int offered_bytes, void*) {
  unsigned char* found = nullptr;
  const int status = SSL_select_next_proto(&found, chosen_bytes, protocols, sizeof protocols - 1,
                                           offered, offered_bytes);
  *chosen = found;
  return status == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

using ContextPtr = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using ChannelPtr = std::unique_ptr<SSL, Freed<SSL_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;

void set_rules(SSL_CTX& context) {
  CHECK(SSL_CTX_set_min_proto_version(&context, TLS1_2_VERSION) == 1);
  CHECK(SSL_CTX_set_cipher_list(&context, ciphers) == 1);
  SSL_CTX_set_options(&context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // Clients resume sessions by tickets; a table of sessions here would be memory that clients could
  // fill.
  SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
  // Bytes that could not be sent may have moved when they are sent again. An idle connection keeps
  // no buffers.
  SSL_CTX_set_mode(&context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                 SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(&context, choose_protocol, nullptr);
}

Certificate next_certificate(const Bio& text) {
  return Certificate(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
}

// The texts must be valid for read_identity().
bool use(SSL_CTX& context, const Identity& identity) {
  const Bio certificates(BIO_new_mem_buf(identity.certificate.c_str(), -1));
  const Bio keys(BIO_new_mem_buf(identity.key.c_str(), -1));
  const Certificate own = next_certificate(certificates);
  const Key key(PEM_read_bio_PrivateKey(keys.get(), nullptr, nullptr, nullptr));
  if (SSL_CTX_use_certificate(&context, own.get()) != 1) return false;
  while (const Certificate other = next_certificate(certificates)) {
    if (SSL_CTX_add1_chain_cert(&context, other.get()) != 1) return false;
  }
  return SSL_CTX_use_PrivateKey(&context, key.get()) == 1;
}

}  // namespace

struct TlsContext::Library {
  ContextPtr context;
};

TlsContext::TlsContext(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
TlsContext::~TlsContext() = default;

Result<std::unique_ptr<TlsContext>> TlsContext::make(const Identity& identity) {
  std::shared_ptr<const Library> loaded = TRY(load(identity));
  return std::unique_ptr<TlsContext>(new TlsContext(std::move(loaded)));
}

Result<void> TlsContext::renew(const Identity& identity) {
  std::shared_ptr<const Library> loaded = TRY(load(identity));
  const std::lock_guard lock(mutex_);
  library_ = std::move(loaded);
  return {};
}

std::shared_ptr<const TlsContext::Library> TlsContext::library() const {
  const std::lock_guard lock(mutex_);
  return library_;
}

Result<std::shared_ptr<const TlsContext::Library>> TlsContext::load(const Identity& identity) {
  const Identity read = TRY(read_identity(identity.certificate, identity.key));
  auto library = std::make_shared<Library>();
  library->context.reset(SSL_CTX_new(TLS_server_method()));
  CHECK(library->context != nullptr);
  set_rules(*library->context);
  const bool is_used = use(*library->context, read);
  // The end of the list of certificates is reported as an error, too: the first error is the
  // reason.
  const char* reason = ERR_reason_error_string(ERR_peek_error());
  ERR_clear_error();
  if (!is_used) {
    return fail(Code::invalid,
                std::string("the certificate cannot be used: ") + (reason != nullptr ? reason : ""),
                "certificate");
  }
  return library;
}

struct TlsChannel::Library {
  ChannelPtr channel;
  BIO* ahead = nullptr;  // owned by the channel: bytes read from the socket but not processed
};

TlsChannel::TlsChannel(const TlsContext& context, int socket, std::string_view begun)
    : library_(std::make_unique<Library>()) {
  library_->channel.reset(SSL_new(context.library()->context.get()));
  if (library_->channel == nullptr) throw std::bad_alloc();
  Bio in(BIO_new_socket(socket, BIO_NOCLOSE));
  Bio out(BIO_new_socket(socket, BIO_NOCLOSE));
  Bio ahead(BIO_new(BIO_f_buffer()));
  if (in == nullptr || out == nullptr || ahead == nullptr ||
      BIO_set_buffer_read_data(ahead.get(), const_cast<char*>(begun.data()), begun.size()) != 1) {
    throw std::bad_alloc();
  }
  library_->ahead = ahead.get();
  BIO_push(ahead.get(), in.release());
  SSL_set_bio(library_->channel.get(), ahead.release(), out.release());
  SSL_set_accept_state(library_->channel.get());
}

TlsChannel::~TlsChannel() = default;

IoResult TlsChannel::result_of(int returned) {
  if (returned > 0) return {IoResult::State::moved, static_cast<std::size_t>(returned)};
  const int error = SSL_get_error(library_->channel.get(), returned);
  if (error == SSL_ERROR_WANT_READ) return {IoResult::State::wants_read};
  if (error == SSL_ERROR_WANT_WRITE) return {IoResult::State::wants_write};
  is_broken_ = error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL;
  return {IoResult::State::ended};
}

// ERR_clear_error() is needed because SSL_get_error() also sees errors of other connections of the
// thread.
IoResult TlsChannel::shake_hands() {
  ERR_clear_error();
  const IoResult moved = result_of(SSL_do_handshake(library_->channel.get()));
  is_agreed_ = moved.state == IoResult::State::moved;
  return moved;
}

IoResult TlsChannel::read(std::span<char> room) {
  ERR_clear_error();
  const int bytes = static_cast<int>(std::min<std::size_t>(room.size(), INT_MAX));
  return result_of(SSL_read(library_->channel.get(), room.data(), bytes));
}

IoResult TlsChannel::write(std::string_view bytes) {
  ERR_clear_error();
  const int size = static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX));
  return result_of(SSL_write(library_->channel.get(), bytes.data(), size));
}

// An incomplete record does not count: the socket becomes readable when more arrives. After
// wants_read both are empty.
bool TlsChannel::has_read_ahead() const {
  return SSL_pending(library_->channel.get()) > 0 || BIO_pending(library_->ahead) > 0;
}

bool TlsChannel::has_chosen_http2() const {
  const unsigned char* chosen = nullptr;
  unsigned bytes = 0;
  SSL_get0_alpn_selected(library_->channel.get(), &chosen, &bytes);
  return std::string_view(reinterpret_cast<const char*>(chosen), bytes) == http2;
}

void TlsChannel::say_end() {
  if (!is_agreed_ || is_broken_) return;
  ERR_clear_error();
  SSL_shutdown(library_->channel.get());
}

}  // namespace mayfly::net
