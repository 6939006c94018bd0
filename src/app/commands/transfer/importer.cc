// Writes the batches of an import.
#include "app/commands/transfer/importer.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/limits.h"
#include "value/json/writer.h"
#include "value/rfc3339.h"

namespace mayfly::app {
namespace {

// The operation that an error names, as in operations[3].ttl.
struct Fault {
  std::size_t index;
  std::string_view member;
};
std::optional<Fault> fault_of(const Error& error) {
  constexpr std::string_view before = "operations[";
  std::string_view field = error.field;
  if (!field.starts_with(before)) return std::nullopt;
  field.remove_prefix(before.size());
  Fault fault{};
  const auto [end, failure] =
      std::from_chars(field.data(), field.data() + field.size(), fault.index);
  if (failure != std::errc() || *end != ']') return std::nullopt;
  field.remove_prefix(static_cast<std::size_t>(end - field.data()) + 1);
  if (field.starts_with('.')) field.remove_prefix(1);
  fault.member = field;
  return fault;
}

// Whether the line is the cause. A missing collection is no fault of a line.
bool is_about_a_line(const Fault& fault) {
  return fault.member != "collection";
}

}  // namespace

Result<void> Importer::begin() {
  const Value clock = TRY(call_api(target_.remote, {.path = "/v1/clock"}));
  const Value now = clock.member("now");
  if (!now.is(Kind::text)) return fail(Code::internal, "that is not a Mayfly server");
  now_ = TRY(parse_rfc3339(now.text()));
  return {};
}

Result<void> Importer::add(std::uint64_t number, std::string_view text) {
  auto line = parse_line(text, target_.collection, now_);
  if (!line) return add_broken(number, line.error());
  if (line->expires_at && *line->expires_at <= now_) {
    ++counts_.dead;
    return {};
  }
  batch_bytes_ += line->operation.size();
  batch_.push_back(
      {number, std::move(line->operation), line->expires_at.has_value(), std::move(line->hold)});
  const bool is_full = batch_.size() >= limits::import_batch_operations_max ||
                       batch_bytes_ >= limits::import_batch_bytes_max;
  return is_full ? flush() : Result<void>();
}

Result<void> Importer::add_broken(std::uint64_t number, const Error& why) {
  ++counts_.broken;
  report_(number, why.message);
  if (on_broken_ == OnBroken::skip) return {};
  TRY(flush());
  counts_.stopped_at = number;
  return fail(why.code, "the import stopped at line " + std::to_string(number));
}

Result<void> Importer::flush() {
  while (!batch_.empty()) {
    auto sent = send();
    if (sent) {
      TRY(set_holds());
      break;
    }
    const auto fault = fault_of(sent.error());
    if (!fault || fault->index >= batch_.size() || !is_about_a_line(*fault)) {
      Error error = std::move(sent).error();
      error.message = "everything before line " + std::to_string(batch_.front().number) +
                      " was imported, then: " + error.message;
      return tl::unexpected(std::move(error));
    }
    TRY(remove_line(fault->index, sent.error()));
  }
  batch_.clear();
  batch_bytes_ = 0;
  return {};
}

// Removes the faulty line from the batch; if it ends the import, also all lines after it.
Result<void> Importer::remove_line(std::size_t index, const Error& why) {
  const BatchLine line = std::move(batch_[index]);
  const bool has_died =
      line.has_end && why.code == Code::invalid && fault_of(why)->member == "expires_at";
  if (has_died) {
    ++counts_.dead;
    batch_.erase(batch_.begin() + static_cast<std::ptrdiff_t>(index));
    return {};
  }
  if (on_broken_ == OnBroken::stop) {
    batch_.resize(index);
  } else {
    batch_.erase(batch_.begin() + static_cast<std::ptrdiff_t>(index));
  }
  return add_broken(line.number, why);
}

// Sets the holds of the documents of the batch. Existing holds are kept.
Result<void> Importer::set_holds() {
  for (const BatchLine& line : batch_) {
    if (!line.hold) continue;
    std::string path =
        collection_path(target_.database, target_.collection) + "/holds/" + escaped(line.hold->id);
    if (!line.hold->partition.empty()) path += "?partition=" + escaped(line.hold->partition);
    const auto held =
        call_api(target_.remote,
                 {.method = "PUT", .path = path, .body = line.hold->body, .author = line.hold->by});
    if (held || held.error().code == Code::exists) continue;
    return fail(held.error().code, "line " + std::to_string(line.number) +
                                       " was imported without its hold: " + held.error().message);
  }
  return {};
}

Result<void> Importer::send() {
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  json.name("operations").begin_array();
  for (const BatchLine& line : batch_) json.raw(line.operation);
  json.end_array();
  json.end_object();
  const std::string path = "/v1/databases/" + escaped(target_.database) + "/transactions";
  const Value answer =
      TRY(call_api(target_.remote, {.method = "POST", .path = path, .body = std::move(body)}));
  const Value committed_at = answer.member("committed_at"), results = answer.member("results");
  if (!committed_at.is(Kind::text) || !results.is(Kind::array)) {
    return fail(Code::internal, "that is not a Mayfly server");
  }
  now_ = std::max(now_, TRY(parse_rfc3339(committed_at.text())));
  for (const Value& result : results.array()) {
    ++(result.member("created").is_true() ? counts_.created : counts_.replaced);
  }
  return {};
}

}  // namespace mayfly::app
