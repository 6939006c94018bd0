// The server's side of TLS, over a non-blocking socket. OpenSSL is used only behind this header.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "base/crypto/certificate.h"
#include "base/result.h"

namespace mayfly::net {

// The first byte of a TLS client: the type of the record of its hello. No HTTP request begins with
// it.
inline constexpr char tls_first_byte = 0x16;

// The result of a non-blocking read, write or handshake.
struct IoResult {
  enum class State {
    moved,
    wants_read,   // nothing moved: retry when the socket is readable
    wants_write,  // nothing moved: retry with the same bytes when it is writable
    ended         // by the client, or by an error
  };
  State state = State::ended;
  std::size_t bytes = 0;
};

// What all connections of a listener share. Threads: any.
class TlsContext {
 public:
  // Fails with invalid for an identity that read_identity() refuses, and for a key that is too
  // weak.
  static Result<std::unique_ptr<TlsContext>> make(const Identity& identity);
  ~TlsContext();
  // New connections use another identity from here on. Fails as make() does, and then changes
  // nothing.
  Result<void> renew(const Identity& identity);

 private:
  friend class TlsChannel;
  struct Library;
  explicit TlsContext(std::shared_ptr<const Library> library);
  static Result<std::shared_ptr<const Library>> load(const Identity& identity);
  std::shared_ptr<const Library> library() const;

  mutable std::mutex mutex_;  // guards the pointer
  std::shared_ptr<const Library> library_;
};

// TLS of one connection. It neither owns nor closes the socket. Threads: one at a time.
class TlsChannel {
 public:
  // `begun`: bytes that have already been read from the socket.
  TlsChannel(const TlsContext& context, int socket, std::string_view begun);
  ~TlsChannel();

  // Returns `moved` once the handshake is complete. Only then may the members below be called,
  // except say_end().
  IoResult shake_hands();
  IoResult read(std::span<char> room);
  // May write only a part. `bytes` must not be empty.
  IoResult write(std::string_view bytes);
  // Whether there may be data to read although the socket has none.
  bool has_read_ahead() const;
  // Whether HTTP/2 was negotiated by ALPN.
  bool has_chosen_http2() const;
  // Sends the TLS close notification, if that is possible now; not during the handshake.
  void say_end();

 private:
  struct Library;
  IoResult result_of(int returned);

  std::unique_ptr<Library> library_;
  bool is_agreed_ = false;
  bool is_broken_ = false;
};

}  // namespace mayfly::net
