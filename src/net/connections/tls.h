// TLS of the server's side, over a socket that does not block. OpenSSL stays behind this header.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "base/crypto/certificate.h"
#include "base/result.h"

namespace mayfly::net {

// How a client that wants TLS begins: the type of the record that carries its hello. No request of
// HTTP begins with it.
inline constexpr char tls_first_byte = 0x16;

// What came of trying to move bytes over a wire.
struct Moved {
  enum class State {
    moved,
    wants_read,   // nothing moved: again when the socket has something to read
    wants_write,  // nothing moved: again, and with the same bytes, when it takes some
    ended         // by the client, or by an error
  };
  State state = State::ended;
  std::size_t bytes = 0;
};

// What all connections of a listener have in common. Threads: any.
class TlsContext {
 public:
  // Fails with invalid for what read_identity() refuses, and for a key that is too weak.
  static Result<std::unique_ptr<TlsContext>> make(const Identity& identity);
  ~TlsContext();
  // Connections that begin from here on are shown another identity. Fails as make() does, and then
  // changes nothing.
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

// One connection's. It neither owns nor closes the socket. Threads: one at a time.
class TlsChannel {
 public:
  // `begun` is what has been read of the socket already.
  TlsChannel(const TlsContext& context, int socket, std::string_view begun);
  ~TlsChannel();

  // `moved` once both sides have agreed; only then what follows may be called.
  Moved shake_hands();
  Moved read(std::span<char> room);
  // Less than all of it may move; `bytes` is not empty.
  Moved write(std::string_view bytes);
  // Whether there may be something to read although the socket has nothing.
  bool has_read_ahead() const;
  // Whether both sides have agreed on HTTP/2, by ALPN.
  bool has_chosen_http2() const;
  // Tells the client that no more comes, if that is possible now.
  void say_end();

 private:
  struct Library;
  Moved result_of(int returned);

  std::unique_ptr<Library> library_;
  bool is_agreed_ = false;
  bool is_broken_ = false;
};

}  // namespace mayfly::net
