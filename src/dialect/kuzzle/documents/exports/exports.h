// Exports: the documents that a search finds, as a file. The first page is sent with the head of
// the response. Workers read the later pages one at a time as the client takes them, so neither a
// large collection nor a slow client delays other requests. An export that cannot continue, for
// example because its user has lost the right, ends with an error as its last line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/kuzzle/requests/message.h"
#include "dialect/kuzzle/search/search.h"
#include "dialect/kuzzle/security/rights/grants.h"
#include "net/message.h"

namespace mayfly::kuzzle {

// How each document is written as a line.
struct ExportFormat {
  enum class Kind { jsonl, csv } kind = Kind::jsonl;
  const Generation* generation = &generations::v1;
  // Only for csv:
  std::string separator = ",";
  std::vector<Path> columns = {};  // after the id

  void render(const Document& document, std::string& out) const;
};
// A value as one cell of a CSV line.
std::string csv_cell(const Value& value, std::string_view separator);

// The part of an export that is still to be sent.
struct Export {
  search::Scroll scroll;
  ExportFormat format;
  Grant grant;  // the export ends when the grant does
};

// Threads: any.
class Exports {
 public:
  Exports();
  ~Exports();

  // Returns the stream that sends the rest of an export. If there are too many exports, of that
  // client or of all, the one whose client has been idle longest is ended with an error as its last
  // line. Fails with throttled if none is idle.
  Result<net::StreamCallback> sender(const ServerContext& shared, Export rest,
                                     const std::string& client);
  // A token was replaced by another one: its exports continue with the new one.
  void replace_token(const std::string& token, const std::string& by);

 private:
  struct Job;
  struct Slots;
  static void end_with_error(Job& job, std::string_view why);
  static Result<search::ScrollPage> read_page(const Job& job);
  static void send_next(const std::shared_ptr<Job>& job);
  static void read_next(const std::shared_ptr<Job>& job);

  const std::shared_ptr<Slots> slots_;
};

}  // namespace mayfly::kuzzle
