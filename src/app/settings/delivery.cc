#include "app/settings/delivery.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "app/dialects.h"
#include "base/service/logging.h"
#include "delivery/nats/target.h"
#include "delivery/webhooks/target.h"

namespace mayfly::app {
namespace {

// The subjects of the dialects: no client's subscription may forge what they publish.
std::vector<std::string_view> own_subjects() {
  std::vector<std::string_view> all;
  for (const DialectRow& row : dialects()) {
    all.insert(all.end(), row.subjects.begin(), row.subjects.end());
  }
  return all;
}

std::string_view first_token(std::string_view subject) {
  return subject.substr(0, subject.find('.'));
}

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port <= 65'535;
}

// nats://HOST or tls://HOST, with or without a port. An IPv6 address is in brackets.
bool is_broker_url(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return false;
  if (url.substr(0, scheme) != "nats" && url.substr(0, scheme) != "tls") return false;
  url.remove_prefix(scheme + 3);
  const std::size_t colon = url.find(':', url.starts_with('[') ? url.find(']') : 0);
  const std::string_view host = url.substr(0, colon);
  const bool is_host = !host.empty() && host.find_first_of("/?# ") == host.npos;
  return is_host && (colon == url.npos || is_port(url.substr(colon + 1)));
}

// The message does not show a malformed URL, because it may contain a password.
Result<void> check_url(const std::string& url) {
  if (url.find('@') != std::string::npos) {
    return fail(Code::invalid, "nats.url holds no user: there are nats.user and nats.password",
                "nats.url");
  }
  if (is_broker_url(url)) return {};
  return fail(Code::invalid, "nats.url takes nats://HOST:PORT and tls://HOST:PORT", "nats.url");
}

// Checks that there is at most one login method, and none without a broker.
Result<void> check_login(const Settings& settings) {
  const auto is_set = [&](const char* name) { return !settings.text(name).empty(); };
  if (is_set("nats.user") != is_set("nats.password")) {
    return fail(Code::invalid, "nats.user and nats.password need one another", "nats.user");
  }
  const int ways = is_set("nats.user") + is_set("nats.token") + is_set("nats.credentials");
  if (ways > 1) {
    return fail(Code::invalid, "of nats.user, nats.token and nats.credentials there is one",
                "nats.user");
  }
  if (ways == 0 || !settings.list("nats.url").empty()) return {};
  return fail(Code::invalid, "a login to NATS needs nats.url", "nats.url");
}

Result<void> check_file(const Settings& settings, const std::string& name) {
  const std::string& path = settings.text(name);
  if (path.empty() || access(path.c_str(), R_OK) == 0) return {};
  return fail(Code::invalid, fmt::format("{}: {} cannot be read", name, path), name);
}

// Without certificates no connection would ever be trusted.
Result<void> check_certificates(const Settings& settings) {
  const std::string& file = settings.text("nats.ca_file");
  if (file.empty()) return {};
  const auto checked = net::check_trust({.ca_file = file});
  if (checked) return {};
  return fail(Code::invalid, "nats.ca_file: " + checked.error().message, "nats.ca_file");
}

delivery::NatsOptions nats_options(const Settings& settings,
                                   const delivery::SubjectTemplate& subject) {
  std::vector<std::string> subjects{subject.pattern()};
  for (const std::string_view own : own_subjects()) subjects.emplace_back(own);
  return {.urls = settings.list("nats.url"),
          .credentials_file = settings.text("nats.credentials"),
          .user = settings.text("nats.user"),
          .password = settings.text("nats.password"),
          .token = settings.text("nats.token"),
          .ca_file = settings.text("nats.ca_file"),
          .uses_jetstream = settings.text("nats.jetstream") == "on",
          .stream = settings.text("nats.stream"),
          .subjects = std::move(subjects),
          .duplicate_window = Span::seconds(settings.integer("nats.duplicate_window_seconds"))};
}

}  // namespace

Settings::Table nats_settings() {
  return {
      {.name = "nats.url",
       .kind = SettingKind::list,
       .help = "Servers of a NATS broker, tried in turns: `nats://HOST:4222`, or `tls://` for TLS. "
               "With them subscriptions can go to NATS, and the events of records do without any.",
       .placeholder = "URL"},
      {.name = "nats.credentials",
       .help = "A credentials file of NATS, by which the server logs in.",
       .placeholder = "FILE"},
      {.name = "nats.user", .help = "The user of the NATS broker.", .placeholder = "NAME"},
      {.name = "nats.password",
       .help = "The password of that user.",
       .placeholder = "PASSWORD",
       .secret = true},
      {.name = "nats.token",
       .help = "The token of the NATS broker, where it asks for one.",
       .placeholder = "TOKEN",
       .secret = true},
      {.name = "nats.ca_file",
       .help = "Certificates in PEM by which the NATS broker is believed, instead of those of the "
               "system. With it connections use TLS.",
       .placeholder = "FILE"},
      {.name = "nats.jetstream",
       .initial = "on",
       .help =
           "Publishes to JetStream, which acknowledges what it has stored. With `off` a message "
           "arrives at most once: it is lost if no consumer listens.",
       .choices = {"on", "off"}},
      {.name = "nats.stream",
       .initial = "mayfly",
       .help = "The stream of JetStream that is made where it is missing. Empty: none is made, and "
               "another stream has to take the subjects.",
       .placeholder = "NAME"},
      {.name = "nats.subject",
       .initial = "mayfly.{database}.{collection}.{event}",
       .help = "The subject of a message. Subjects of single subscriptions begin with the same "
               "tokens before the first place.",
       .placeholder = "SUBJECT"},
      {.name = "nats.duplicate_window_seconds",
       .kind = SettingKind::integer,
       .initial = "7200",
       .help =
           "How long the stream knows what it has stored, so that a repeated message is dropped. "
           "A message may wait 72 minutes between attempts.",
       .placeholder = "N",
       .least = 1,
       .most = 31'536'000},
  };
}

Result<void> check_delivery(const Settings& settings) {
  hide_in_logs(settings.text("nats.password"));
  hide_in_logs(settings.text("nats.token"));
  for (const std::string& url : settings.list("nats.url")) TRY(check_url(url));
  TRY(check_login(settings));
  for (const char* file : {"nats.credentials", "nats.ca_file"}) TRY(check_file(settings, file));
  TRY(check_certificates(settings));
  const auto subject = delivery::SubjectTemplate::parse(settings.text("nats.subject"));
  if (!subject) {
    return fail(Code::invalid, "nats.subject: " + subject.error().message, "nats.subject");
  }
  for (const std::string_view own : own_subjects()) {
    if (first_token(own) != first_token(subject->prefix())) continue;
    return fail(Code::invalid, "nats.subject: there are other messages under its first token",
                "nats.subject");
  }
  const std::string& stream = settings.text("nats.stream");
  const bool is_named = stream.find_first_of(". *>/\\\t") == std::string::npos;
  if (!is_named) {
    return fail(Code::invalid, "nats.stream: a stream's name has no spaces, dots, * and >",
                "nats.stream");
  }
  return {};
}

std::unique_ptr<delivery::Deliveries> make_deliveries(const Settings& settings, Database& database,
                                                      Random& random) {
  const net::AddressPolicy address_policy = settings.flag("webhooks.allow_private")
                                                ? net::AddressPolicy::anywhere
                                                : net::AddressPolicy::public_only;
  const auto caller = std::make_shared<net::Caller>();
  const auto call = [caller](net::OutgoingCall made, net::Caller::Done done) {
    caller->call(std::move(made), std::move(done));
  };
  std::vector<std::unique_ptr<delivery::Target>> targets;
  targets.push_back(delivery::webhook_target(call, address_policy));
  const std::string& text = settings.text("nats.subject");
  auto subject = delivery::SubjectTemplate::parse(text);
  if (!settings.list("nats.url").empty() && subject) {
    delivery::NatsOptions options = nats_options(settings, *subject);
    targets.push_back(delivery::nats_target(std::move(options), *std::move(subject), text));
  }
  return std::make_unique<delivery::Deliveries>(database, database.jobs(), random,
                                                std::move(targets));
}

}  // namespace mayfly::app
