#include "dialect/kuzzle/documents/exports/exports.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "base/service/logging.h"
#include "base/threads/thread.h"
#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/limits.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

void render_json_line(const Document& document, const Generation& generation, std::string& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("_id", document.id);
  render_source(document, generation, json, "body");
  json.end_object();
  out += '\n';
}

}  // namespace

std::string csv_cell(const Value& value, std::string_view separator) {
  if (value.is_missing() || value.is_null()) return {};
  if (value.is(Kind::object) || value.is(Kind::array)) return "[OBJECT]";
  std::string text = value.is(Kind::text) ? value.text() : render_json(value);
  const bool is_plain = text.find_first_of("\"\r\n") == std::string::npos &&
                        (separator.empty() || text.find(separator) == std::string::npos);
  if (is_plain) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

void ExportFormat::render(const Document& document, std::string& out) const {
  if (kind == Kind::jsonl) return render_json_line(document, *generation, out);
  out += csv_cell(Value(document.id), separator);
  for (const Path& column : columns) {
    out += separator + csv_cell(document.body.at(column), separator);
  }
  out += '\n';
}

// It gives up its slot when its last owner is destroyed, or when it is ended for another export.
struct Exports::Job {
  Job(const ServerContext& of, Export to_send, std::string by, std::shared_ptr<Slots> among)
      : shared(of), rest(std::move(to_send)), client(std::move(by)), places(std::move(among)) {}
  ~Job();

  const ServerContext& shared;
  Export rest;  // its grant is guarded by the mutex of the slots
  const std::string client;
  const std::shared_ptr<Slots> places;
  std::shared_ptr<net::Stream> stream = {};
};

// A truncated file must not look complete.
void Exports::end_with_error(Job& job, std::string_view why) {
  job.stream->send("Error: " + std::string(why) + "\n");
  job.stream->end();
}

// The slots of all exports. Shared with connections' threads, which may end after the server.
struct Exports::Slots {
  std::mutex mutex;                            // guards the members below
  std::deque<std::shared_ptr<Job>> idle;       // waiting for their readers, the longest first
  std::multimap<std::string, Job*> under_way;  // by client
  bool is_stopping = false;

  void wait_for_reader(const std::shared_ptr<Job>& job) {
    const std::lock_guard lock(mutex);
    if (!is_stopping) idle.push_back(job);
  }
  // The reader has taken everything sent so far. False if the export was ended meanwhile.
  bool go_on(const std::shared_ptr<Job>& job) {
    const std::lock_guard lock(mutex);
    return std::erase(idle, job) > 0;
  }
  // Takes a slot for an export, or returns the export that must make room for it; null pointers if
  // there is none.
  struct Admission {
    bool is_admitted = false;
    std::shared_ptr<Job> to_end;
  };
  Admission admit(Job& job) {
    const std::lock_guard lock(mutex);
    const bool is_over_own = under_way.count(job.client) >= limits::exports_of_client_max;
    if (is_over_own || under_way.size() >= limits::exports_max) {
      const auto longest = std::find_if(idle.begin(), idle.end(), [&](const auto& other) {
        return !is_over_own || other->client == job.client;
      });
      if (longest == idle.end()) return {};
      Admission admission{.to_end = *longest};
      idle.erase(longest);
      return admission;
    }
    under_way.emplace(job.client, &job);
    return {.is_admitted = true};
  }
  // Does nothing if it has left already.
  void leave(const Job& job) {
    const std::lock_guard lock(mutex);
    std::erase_if(under_way, [&](const auto& one) { return one.second == &job; });
  }
  Grant grant_of(const Job& job) {
    const std::lock_guard lock(mutex);
    return job.rest.grant;
  }
  void stop() {
    std::deque<std::shared_ptr<Job>> left;  // destroyed after the lock is released
    const std::lock_guard lock(mutex);
    is_stopping = true;
    left.swap(idle);
  }
};

Exports::Job::~Job() {
  places->leave(*this);
}

Exports::Exports() : slots_(std::make_shared<Slots>()) {}

Exports::~Exports() {
  slots_->stop();
}

Result<net::StreamCallback> Exports::sender(const ServerContext& shared, Export rest,
                                            const std::string& client) {
  const auto job = std::make_shared<Job>(shared, std::move(rest), client, slots_);
  for (auto admission = slots_->admit(*job); !admission.is_admitted;
       admission = slots_->admit(*job)) {
    if (!admission.to_end) {
      return fail(Code::throttled, "too many exports are under way; try again later");
    }
    Job& ended = *admission.to_end;
    end_with_error(ended, "the export has waited too long for its reader");
    slots_->leave(ended);
  }
  return [job](std::shared_ptr<net::Stream> stream) {
    job->stream = std::move(stream);
    read_next(job);
  };
}

void Exports::replace_token(const std::string& token, const std::string& by) {
  const std::lock_guard lock(slots_->mutex);
  for (const auto& [client, job] : slots_->under_way) {
    if (job->rest.grant.token == token) job->rest.grant.token = by;
  }
}

// Nothing more is read for a disconnected client: its export ends with its last owner.
void Exports::read_next(const std::shared_ptr<Job>& job) {
  job->stream->work([job] {
    if (run_guarded("an export", [&] { send_next(job); })) return;
    end_with_error(*job, "the server cannot read on");
  });
}

Result<search::ScrollPage> Exports::read_page(const Job& job) {
  TRY(check_grant(job.shared, job.places->grant_of(job)));
  View view = job.shared.services.database.view();
  const CollectionPtr collection = view.catalog().collection(job.rest.scroll.collection);
  if (!collection) return fail(Code::not_found, "the collection is gone");
  const Meter meter{monotonic_now, monotonic_now() + limits::request_time_max};
  return search::go_on(job.rest.scroll, {view, collection, false, meter});
}

// Runs on a worker.
void Exports::send_next(const std::shared_ptr<Job>& job) {
  auto page = read_page(*job);
  if (!page) {
    log(LogLevel::warn, "an export ended early", {{"error", page.error().message}});
    return end_with_error(*job, page.error().message);
  }
  std::string piece;
  for (const auto& hit : page->answer.hits) job->rest.format.render(hit.document, piece);
  job->rest.scroll = std::move(page->next);
  if (!job->stream->send(std::move(piece))) return;
  if (!job->rest.scroll.bookmark) return job->stream->end();
  job->places->wait_for_reader(job);
  job->stream->when_sent([job] {
    if (job->places->go_on(job)) read_next(job);
  });
}

}  // namespace mayfly::kuzzle
