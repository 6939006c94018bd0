// The actions of the routes, one function each; routes.cc has their paths and parameters.
#pragma once

#include "dialect/native/call.h"

namespace mayfly::native {

// server/system.cc
Result<net::Response> describe_server(NativeCall& call);
Result<net::Response> describe_api(NativeCall& call);
Result<net::Response> get_health(NativeCall& call);
Result<net::Response> get_readiness(NativeCall& call);
Result<net::Response> get_metrics(NativeCall& call);
Result<net::Response> get_clock(NativeCall& call);
Result<net::Response> move_clock(NativeCall& call);
Result<net::Response> list_jobs(NativeCall& call);
Result<net::Response> get_sweeper(NativeCall& call);
Result<net::Response> pause_sweeper(NativeCall& call);
Result<net::Response> resume_sweeper(NativeCall& call);
Result<net::Response> run_sweeper(NativeCall& call);

// server/backups.cc
Result<net::Response> create_backup(NativeCall& call);
Result<net::Response> list_backups(NativeCall& call);
Result<net::Response> remove_backup(NativeCall& call);

// server/databases.cc
Result<net::Response> list_databases(NativeCall& call);
Result<net::Response> create_database(NativeCall& call);
Result<net::Response> put_database(NativeCall& call);
Result<net::Response> get_database(NativeCall& call);
Result<net::Response> drop_database(NativeCall& call);

// collections/collections.cc
Result<net::Response> list_collections(NativeCall& call);
Result<net::Response> create_collection(NativeCall& call);
Result<net::Response> put_collection(NativeCall& call);
Result<net::Response> get_collection(NativeCall& call);
Result<net::Response> change_collection(NativeCall& call);
Result<net::Response> drop_collection(NativeCall& call);
Result<net::Response> list_indexes(NativeCall& call);
Result<net::Response> create_index(NativeCall& call);
Result<net::Response> drop_index(NativeCall& call);

// documents/documents.cc
Result<net::Response> create_document(NativeCall& call);
Result<net::Response> put_document(NativeCall& call);
Result<net::Response> patch_document(NativeCall& call);
Result<net::Response> get_document(NativeCall& call);
Result<net::Response> remove_document(NativeCall& call);
Result<net::Response> get_history(NativeCall& call);

// documents/lists.cc
Result<net::Response> list_documents(NativeCall& call);
Result<net::Response> count_documents(NativeCall& call);
Result<net::Response> query_documents(NativeCall& call);

// documents/lifecycle.cc
Result<net::Response> touch_document(NativeCall& call);
Result<net::Response> hold_document(NativeCall& call);
Result<net::Response> release_document(NativeCall& call);
Result<net::Response> list_holds(NativeCall& call);
Result<net::Response> get_forecast(NativeCall& call);
Result<net::Response> preview_default(NativeCall& call);
Result<net::Response> list_purges(NativeCall& call);

// documents/trash.cc
Result<net::Response> list_trash(NativeCall& call);
Result<net::Response> restore_document(NativeCall& call);
Result<net::Response> forget_document(NativeCall& call);

// documents/transactions.cc
Result<net::Response> run_transaction(NativeCall& call);

// documents/feed.cc
Result<net::Response> read_feed(NativeCall& call);

// subscriptions/actions.cc
Result<net::Response> list_subscriptions(NativeCall& call);
Result<net::Response> create_subscription(NativeCall& call);
Result<net::Response> get_subscription(NativeCall& call);
Result<net::Response> remove_subscription(NativeCall& call);
Result<net::Response> pause_subscription(NativeCall& call);
Result<net::Response> resume_subscription(NativeCall& call);
Result<net::Response> replay_subscription(NativeCall& call);
Result<net::Response> list_dead_letters(NativeCall& call);
Result<net::Response> send_dead_letters(NativeCall& call);

}  // namespace mayfly::native
