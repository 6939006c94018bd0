// Exports: documents that a search finds, as a file. The first page goes with the head of the
// response; those behind it follow as the client takes them, read by workers, one page each time,
// so that neither a large collection nor a slow client delays other requests. An export that cannot
// go on, also because who asked for it may not any more, ends with an error as its last line.
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

// How documents are written, each as a line.
struct ExportFormat {
  enum class Kind { jsonl, csv } kind = Kind::jsonl;
  Shape shape = Shape::v1;
  // Of csv:
  std::string separator = ",";
  std::vector<Path> columns = {};  // behind the id

  void render(const Document& document, std::string& out) const;
};
// One value between separators.
std::string csv_cell(const Value& value, std::string_view separator);

// What is still to be sent.
struct Export {
  search::Scroll scroll;
  ExportFormat format;
  Grant grant;  // with it the export ends
};

// Threads: any.
class Exports {
 public:
  Exports();
  ~Exports();

  // What the rest of an export is sent by. Where there are too many, of that client or of all, the
  // one that has waited longest for its reader is ended with an error as its last line. Fails with
  // throttled where none waits.
  Result<net::StreamTaker> sender(const Shared& shared, Export rest, const std::string& client);
  // A token was exchanged for another one: its exports go on by that.
  void exchange(const std::string& token, const std::string& by);

 private:
  struct Job;
  struct Places;
  static void end_with_error(Job& job, std::string_view why);
  static Result<search::ScrollPage> read_page(const Job& job);
  static void send_next(const std::shared_ptr<Job>& job);
  static void read_next(const std::shared_ptr<Job>& job);

  const std::shared_ptr<Places> places_;
};

}  // namespace mayfly::kuzzle
