#include "dialect/kuzzle/errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/common/errors.h"
#include "dialect/kuzzle/generations/renderer.h"

namespace mayfly::kuzzle {
namespace {

constexpr ErrorRow rows[] = {
    {"services.storage.unknown_index", 0x01010001, 404, 412, Code::not_found},
    {"services.storage.unknown_collection", 0x01010002, 404, 412, Code::not_found},
    {"services.storage.get_limit_exceeded", 0x01010003, 413, 413, Code::too_large},
    {"services.storage.write_limit_exceeded", 0x01010004, 413, 413, Code::too_large},
    {"services.storage.not_found", 0x0101000b, 404, 404, Code::not_found},
    {"services.storage.unknown_scroll_id", 0x0101000e, 404, 404, Code::not_found},
    {"services.storage.unknown_index_collection", 0x01010010, 412, 412, Code::not_found},
    {"services.storage.document_already_exists", 0x01010011, 400, 400, Code::exists},
    {"services.storage.missing_argument", 0x01010012, 400, 400, Code::invalid},
    {"services.storage.invalid_argument", 0x01010013, 400, 400, Code::invalid},
    {"services.storage.invalid_mapping", 0x01010015, 400, 400, Code::invalid},
    {"services.storage.unexpected_bad_request", 0x01010021, 400, 400, Code::invalid},
    {"services.storage.strict_mapping_rejection", 0x0101002b, 400, 400, Code::invalid},
    {"services.storage.collection_reserved", 0x01010016, 400, 400, Code::invalid},
    {"services.storage.no_mapping_found", 0x01010025, 404, 404, Code::not_found},
    {"services.storage.index_already_exists", 0x01010026, 400, 412, Code::exists},
    {"services.storage.invalid_search_query", 0x01010028, 400, 400, Code::invalid},
    {"services.storage.invalid_index_name", 0x01010029, 400, 400, Code::invalid},
    {"services.storage.invalid_collection_name", 0x0101002a, 400, 400, Code::invalid},
    {"services.storage.index_reserved", 0x01010030, 400, 400, Code::invalid},
    {"services.storage.no_multi_indexes", 0x01010008, 400, 400, Code::invalid},
    {"api.assert.invalid_type", 0x02010001, 400, 400, Code::invalid},
    {"api.assert.invalid_argument", 0x02010002, 400, 400, Code::invalid},
    {"api.assert.missing_argument", 0x02010003, 400, 400, Code::invalid},
    {"api.assert.empty_argument", 0x02010004, 400, 400, Code::invalid},
    {"api.assert.body_required", 0x02010008, 400, 400, Code::invalid},
    {"api.assert.invalid_id", 0x0201000a, 400, 400, Code::invalid},
    {"api.process.too_many_logins_requests", 0x0202000d, 429, 429, Code::throttled},
    {"api.process.overloaded", 0x02020002, 503, 503, Code::throttled},
    {"api.process.controller_not_found", 0x02020004, 400, 404, Code::invalid},
    {"api.process.action_not_found", 0x02020005, 400, 404, Code::invalid},
    {"api.process.admin_exists", 0x02020009, 400, 412, Code::invalid},
    {"api.process.incomplete_multiple_request", 0x0202000a, 400, 400, Code::invalid},
    {"network.http.url_not_found", 0x03040001, 404, 404, Code::not_found},
    {"network.http.unexpected_error", 0x03040003, 400, 400, Code::invalid},
    {"network.http.misdirected_request", 0x03040040, 421, 421, Code::forbidden},
    {"security.token.invalid", 0x07010001, 401, 401, Code::unauthenticated},
    {"security.token.refresh_forbidden", 0x07010005, 403, 403, Code::forbidden},
    {"security.token.expired", 0x07010006, 401, 401, Code::unauthenticated},
    {"security.credentials.unknown_strategy", 0x07020001, 400, 400, Code::invalid},
    {"plugin.strategy.missing_user", 0x04030014, 401, 401, Code::unauthenticated},
    {"security.rights.unauthorized", 0x07030001, 403, 401, Code::forbidden},
    {"security.rights.forbidden", 0x07030002, 403, 403, Code::forbidden},
    {"security.user.not_found", 0x07040002, 404, 404, Code::not_found},
    {"security.profile.not_found", 0x07060001, 404, 404, Code::not_found},
    {"security.role.not_found", 0x07050001, 404, 404, Code::not_found},
    {"security.role.login_required", 0x07050002, 400, 400, Code::invalid},
    {"security.role.unknown_controller", 0x07050009, 400, 400, Code::invalid},
    {"security.role.unknown_action", 0x0705000a, 400, 400, Code::invalid},
    {"security.user.cannot_hydrate", 0x07040004, 404, 404, Code::not_found},
    {"security.profile.cannot_hydrate", 0x07060004, 404, 404, Code::not_found},
    {"security.profile.in_use", 0x07060003, 403, 412, Code::forbidden},
    {"security.role.in_use", 0x07050004, 403, 412, Code::forbidden},
    {"security.user.prevent_overwrite", 0x07040006, 400, 400, Code::invalid},
    {"validation.assert.invalid_specifications", 0x0501000b, 400, 400, Code::invalid},
    {"validation.assert.not_found", 0x0501000c, 404, 404, Code::not_found},
    {"validation.check.failed_document", 0x05030001, 400, 400, Code::invalid},
    {"validation.check.failed_field", 0x05030002, 400, 400, Code::invalid},
    {"services.cache.database_not_found", 0x01030001, 400, 404, Code::invalid},
    {"api.assert.unexpected_argument", 0x02010007, 400, 400, Code::invalid},
    {"api.assert.unsupported_protocol", 0x0201000e, 400, 400, Code::invalid},
    {"core.realtime.room_not_found", 0x00010001, 404, 404, Code::not_found},
    {"core.realtime.too_many_terms", 0x00010006, 413, 413, Code::too_large},
    {"core.realtime.too_many_rooms", 0x00010007, 413, 413, Code::too_large},
    {"core.realtime.not_subscribed", 0x00010008, 404, 412, Code::not_found},
    // For errors without a row above: by code.
    {"api.assert.invalid_argument", 0x02010002, 400, 400, Code::invalid},
    {"security.rights.unauthorized", 0x07030001, 401, 401, Code::unauthenticated},
    {"services.storage.not_found", 0x0101000b, 404, 404, Code::not_found},
    {"services.storage.document_already_exists", 0x01010011, 400, 400, Code::exists},
    {"services.storage.unexpected_bad_request", 0x0101001d, 412, 412, Code::stale},
    {"services.storage.too_many_changes", 0x01010022, 409, 409, Code::contended},
    {"services.storage.size_limit", 0x01010005, 413, 413, Code::too_large},
    {"api.process.timeout", 0x02020021, 504, 504, Code::timed_out},
    {"api.process.not_offered", 0x02020020, 501, 501, Code::unsupported},
    {"services.storage.no_space", 0x01010040, 507, 507, Code::no_space},
    {"core.fatal.unexpected_error", 0x00000001, 500, 500, Code::internal},
};

// Error::field is the row's id. If version 2 has a message of its own, a NUL and the names in it
// follow, separated by NULs.
constexpr char separator = '\0';

std::string_view id_of(const Error& error) {
  const std::string_view field = error.field;
  return field.substr(0, field.find(separator));
}

std::string fill(std::string_view words, std::string_view names) {
  std::string text;
  for (std::size_t hole = words.find("{}"); hole != std::string_view::npos;
       hole = words.find("{}")) {
    const std::string_view name = names.substr(0, names.find(separator));
    text.append(words.substr(0, hole)).append(name);
    words.remove_prefix(hole + 2);
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
  return text.append(words);
}

const ErrorRow& row_of(const Error& error) {
  for (const ErrorRow& row : rows) {
    if (row.id == id_of(error)) return row;
  }
  for (std::size_t i = std::size(rows); i-- > 0;) {
    if (rows[i].code == error.code) return rows[i];
  }
  return rows[std::size(rows) - 1];
}

Code code_of(std::string_view id) {
  for (const ErrorRow& row : rows) {
    if (row.id == id) return row.code;
  }
  return Code::internal;
}

}  // namespace

int status_of(const Error& error, const Generation& generation) {
  return row_of(error).*generation.error_status;
}

// Clients copy the stack into their own errors; the server does not disclose its own.
Object render_error(const Error& error, const Generation& generation) {
  const ErrorRow& row = row_of(error);
  return generation.renderer().error({.id = row.id,
                                      .number = row.number,
                                      .status = row.*generation.error_status,
                                      .message = message_of(error, generation)});
}

tl::unexpected<Error> problem(std::string_view id, std::string message) {
  return fail(code_of(id), std::move(message), std::string(id));
}

tl::unexpected<Error> problem_in_both(std::string_view id, std::string message,
                                      const std::vector<std::string>& names) {
  std::string field(id);
  if (names.empty()) field += separator;
  for (const std::string& name : names) field.append(1, separator).append(name);
  return fail(code_of(id), std::move(message), std::move(field));
}

std::string message_of(const Error& error, const Generation& generation) {
  const std::size_t end = error.field.find(separator);
  if (end == std::string::npos) return client_message(error);
  for (const ErrorMessageRow& row : generation.words.error_messages) {
    if (row.id != id_of(error)) continue;
    return fill(row.words, std::string_view(error.field).substr(end + 1));
  }
  return client_message(error);
}

tl::unexpected<Error> wrong_type(std::string_view name, std::string_view expected) {
  return problem_in_both(
      "api.assert.invalid_type",
      fmt::format("The request must specify the attribute \"{}\" of type \"{}\".", name, expected),
      {std::string(name), std::string(expected)});
}

tl::unexpected<Error> missing_argument(std::string_view name, std::string_view article) {
  return problem_in_both("api.assert.missing_argument",
                         fmt::format("The request must specify {} {}.", article, name),
                         {std::string(name)});
}

tl::unexpected<Error> missing_in_body(std::string_view name) {
  return problem_in_both("api.assert.missing_argument",
                         fmt::format("The request must specify a body attribute \"{}\".", name),
                         {"body." + std::string(name)});
}

tl::unexpected<Error> admin_is_set() {
  return problem_in_both("api.process.admin_exists", "admin user is already set");
}

tl::unexpected<Error> no_such_document(const Message& message) {
  const std::string id = message.id.value_or("");
  return problem_in_both("services.storage.not_found",
                         fill_words(message.generation->words.no_document, id),
                         {id, message.index, message.collection});
}

tl::unexpected<Error> already_exists() {
  return problem_in_both("services.storage.document_already_exists", "Document already exists");
}

tl::unexpected<Error> too_large_for_one_answer(std::string field) {
  return fail(Code::too_large, "the documents are too large for one answer; ask for fewer",
              std::move(field));
}

tl::unexpected<Error> no_such_collection(std::string_view index, std::string_view collection) {
  return problem("services.storage.unknown_index_collection",
                 fmt::format("Index '{}' and/or collection '{}' don't exist", index, collection));
}

}  // namespace mayfly::kuzzle
