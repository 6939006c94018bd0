#include "net/calls/call_steps.h"

#include <fmt/format.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "net/calls/outbound.h"

namespace mayfly::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using Failure = boost::system::error_code;

// --- trusted certificates ---

using TlsPtr = std::shared_ptr<asio::ssl::context>;

Result<TlsPtr> make_tls(const Trust& trust) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  if (!trust.checks) {
    tls->set_verify_mode(asio::ssl::verify_none);
    return tls;
  }
  tls->set_verify_mode(asio::ssl::verify_peer);
  tls->set_default_verify_paths();
  if (trust.ca_file.empty()) return tls;
  Failure failure;
  tls->load_verify_file(trust.ca_file, failure);
  if (!failure) return tls;
  return fail(Code::invalid, "'" + trust.ca_file + "' holds no certificates in PEM");
}

// All calls of the process share TLS contexts: loading the certificates of the system takes a fifth
// of a second, which would block the loop.
Result<TlsPtr> tls_for(const Trust& trust) {
  static std::mutex mutex;
  static std::vector<std::pair<Trust, TlsPtr>> kept;
  const std::lock_guard lock(mutex);
  for (const auto& [known, tls] : kept) {
    if (known == trust) return tls;
  }
  TlsPtr made = TRY(make_tls(trust));
  if (kept.size() >= limits::trusts_kept_max) kept.clear();
  kept.emplace_back(trust, made);
  return made;
}

// --- request and response ---

http::request<http::string_body> request_of(OutgoingCall& call, const CallTarget& target) {
  http::request<http::string_body> request;
  request.version(11);
  request.method_string(call.method);
  request.target(target.path);
  request.set(http::field::host, target.host_and_port);
  request.set(http::field::content_type, "application/json");
  request.set(http::field::connection, "close");
  for (const auto& [name, value] : call.headers) request.set(name, value);
  request.body() = std::move(call.body);
  request.prepare_payload();
  return request;
}

Response response_of(http::response<http::string_body> answer) {
  Response response{.status = static_cast<int>(answer.result_int()),
                    .content_type = std::string(answer[http::field::content_type])};
  for (const auto& field : answer) {
    response.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  response.body = std::move(answer.body());
  return response;
}

// --- the steps ---

// Each step is started by the previous one, and keeps the call alive. The first event that ends the
// call determines its result, and cancels the step in progress; later results are dropped.
class CallSteps : public std::enable_shared_from_this<CallSteps> {
 public:
  CallSteps(asio::io_context& loop, NameResolver& resolver, OutgoingCall call, CallTarget target,
            Caller::Done done)
      : resolver_(resolver),
        call_(std::move(call)),
        target_(std::move(target)),
        done_(std::move(done)),
        deadline_(loop),
        socket_(loop) {}

  void begin() {
    deadline_.expires_after(std::chrono::microseconds(call_.time_max.micros));
    deadline_.async_wait([self = shared_from_this()](Failure failure) {
      if (!failure) self->finish(self->failed(Code::timed_out, "no answer in time"));
    });
    run([&] {
      if (target_.is_secure) {
        auto tls = tls_for(call_.trust);
        if (!tls) return finish(tl::unexpected(tls.error()));
        tls_ = *std::move(tls);
      }
      const Result<void> started = resolver_.resolve(
          target_.host, this,
          [self = shared_from_this()](Failure failure, const NameResolver::Addresses& found) {
            self->run([&] { self->connect(failure, found); });
          });
      if (!started) finish(failed(started.error().code, started.error().message));
    });
  }

 private:
  // A library may throw for lack of memory or of random numbers.
  template <class Step>
  void run(const Step& step) {
    if (is_over()) return;
    try {
      step();
    } catch (const std::exception& error) {
      finish(failed(Code::internal, error.what()));
    }
  }
  // A callback that continues with `next` if the step has succeeded.
  template <class Next>
  auto then(Next next) {
    return [self = shared_from_this(), next](Failure failure, const auto&...) {
      self->run([&] {
        if (failure) return self->finish(self->failed(Code::internal, failure.message()));
        next(*self);
      });
    };
  }

  bool is_over() const { return !done_; }
  void finish(Result<Response> outcome) {
    if (is_over()) return;
    const Caller::Done done = std::exchange(done_, nullptr);
    deadline_.cancel();
    resolver_.forget(target_.host, this);
    Failure ignored;
    socket_.close(ignored);
    done(std::move(outcome));
  }
  tl::unexpected<Error> failed(Code code, const std::string& why) const {
    return fail(code, url_for_errors(call_.url) + ": " + why);
  }

  void connect(Failure failure, const NameResolver::Addresses& found) {
    if (failure == asio::error::host_not_found) {
      return finish(
          fail(Code::invalid, target_.origin() + ": there is no host of this name", "url"));
    }
    if (failure) {
      return finish(
          fail(Code::internal,
               target_.origin() + ": the host's name cannot be resolved: " + failure.message()));
    }
    const auto port = static_cast<std::uint16_t>(std::stoi(target_.port));
    for (const asio::ip::address& address : found) {
      const bool is_in_reach =
          call_.address_policy == AddressPolicy::anywhere || is_public_address(address.to_string());
      if (is_in_reach) endpoints_.emplace_back(address, port);
    }
    if (endpoints_.empty()) return finish(tl::unexpected(out_of_reach()));
    asio::async_connect(socket_, endpoints_, then([](CallSteps& self) {
                          self.target_.is_secure ? self.shake_hands() : self.write(self.socket_);
                        }));
  }

  void shake_hands() {
    secure_.emplace(socket_, *tls_);
    if (call_.trust.checks) {
      secure_->set_verify_callback(asio::ssl::host_name_verification(target_.host));
    }
    if (!target_.is_address) {
      SSL_set_tlsext_host_name(secure_->native_handle(), target_.host.c_str());
    }
    secure_->async_handshake(asio::ssl::stream_base::client,
                             [self = shared_from_this()](Failure failure) {
                               self->run([&] {
                                 if (failure) return self->finish(self->not_agreed(failure));
                                 self->write(*self->secure_);
                               });
                             });
  }

  tl::unexpected<Error> not_agreed(Failure failure) {
    const auto failed_for = [&](int reason) {
      return failure.category() == asio::error::get_ssl_category() &&
             ERR_GET_REASON(static_cast<unsigned long>(failure.value())) == reason;
    };
    if (failed_for(SSL_R_WRONG_VERSION_NUMBER) || failed_for(SSL_R_HTTP_REQUEST)) {
      return failed(Code::invalid, "the port does not speak TLS; try http://");
    }
    if (!failed_for(SSL_R_CERTIFICATE_VERIFY_FAILED)) {
      return failed(Code::internal, failure.message());
    }
    const long why = SSL_get_verify_result(secure_->native_handle());
    // A failed check of the name sets no reason of its own.
    const bool is_of_another = why == X509_V_OK || why == X509_V_ERR_UNSPECIFIED;
    return failed(Code::forbidden, "its certificate is not trusted: " +
                                       (is_of_another ? "it is not for '" + target_.host + "'"
                                                      : X509_verify_cert_error_string(why)));
  }

  template <class Stream>
  void write(Stream& stream) {
    request_ = request_of(call_, target_);
    http::async_write(stream, request_, then([&stream](CallSteps& self) { self.read(stream); }));
  }

  template <class Stream>
  void read(Stream& stream) {
    answer_.emplace();
    answer_->body_limit(call_.answer_bytes_max);
    http::async_read(stream, buffer_, *answer_,
                     [&stream, self = shared_from_this()](Failure failure, std::size_t) {
                       self->run([&] {
                         if (!failure && self->is_interim()) return self->read(stream);
                         self->take_answer(failure);
                       });
                     });
  }

  // An interim response is followed by the answer (RFC 9110, 15.2).
  bool is_interim() const { return answer_->get().result_int() / 100 == 1; }

  void take_answer(Failure failure) {
    const bool is_cut = failure == http::error::body_limit && answer_->is_header_done() &&
                        call_.long_answer == LongAnswerPolicy::is_cut;
    if (failure == http::error::body_limit && !is_cut) {
      return finish(
          failed(Code::too_large, fmt::format("the answer is too large: it has more than {} bytes",
                                              call_.answer_bytes_max)));
    }
    if (failure && !is_cut) return finish(failed(Code::internal, failure.message()));
    finish(response_of(answer_->release()));
  }

  NameResolver& resolver_;
  OutgoingCall call_;
  const CallTarget target_;
  Caller::Done done_;  // empty: the call is over
  asio::steady_timer deadline_;
  tcp::socket socket_;
  TlsPtr tls_;
  std::optional<asio::ssl::stream<tcp::socket&>> secure_;
  std::vector<tcp::endpoint> endpoints_;
  http::request<http::string_body> request_;
  beast::flat_buffer buffer_;
  std::optional<http::response_parser<http::string_body>> answer_;
};

}  // namespace

Result<void> check_trust(const Trust& trust) {
  TRY(make_tls(trust));
  return {};
}

void begin_call(asio::io_context& loop, NameResolver& resolver, OutgoingCall call,
                CallTarget target, Caller::Done done) {
  asio::post(
      loop, [steps = std::make_shared<CallSteps>(loop, resolver, std::move(call), std::move(target),
                                                 std::move(done))] { steps->begin(); });
}

}  // namespace mayfly::net
