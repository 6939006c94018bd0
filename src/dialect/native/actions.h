// The actions of the routes, one function each; routes.cc has their paths and parameters.
#pragma once

#include "dialect/native/call.h"

namespace mayfly::native {

// server/system.cc
Result<net::Response> describe_server(Call& call);
Result<net::Response> describe_api(Call& call);
Result<net::Response> get_health(Call& call);
Result<net::Response> get_readiness(Call& call);
Result<net::Response> get_metrics(Call& call);
Result<net::Response> get_clock(Call& call);
Result<net::Response> move_clock(Call& call);
Result<net::Response> list_jobs(Call& call);
Result<net::Response> get_sweeper(Call& call);
Result<net::Response> pause_sweeper(Call& call);
Result<net::Response> resume_sweeper(Call& call);
Result<net::Response> run_sweeper(Call& call);

// server/backups.cc
Result<net::Response> create_backup(Call& call);
Result<net::Response> list_backups(Call& call);
Result<net::Response> remove_backup(Call& call);

// server/databases.cc
Result<net::Response> list_databases(Call& call);
Result<net::Response> create_database(Call& call);
Result<net::Response> put_database(Call& call);
Result<net::Response> get_database(Call& call);
Result<net::Response> drop_database(Call& call);

// collections/collections.cc
Result<net::Response> list_collections(Call& call);
Result<net::Response> create_collection(Call& call);
Result<net::Response> put_collection(Call& call);
Result<net::Response> get_collection(Call& call);
Result<net::Response> change_collection(Call& call);
Result<net::Response> drop_collection(Call& call);
Result<net::Response> list_indexes(Call& call);
Result<net::Response> create_index(Call& call);
Result<net::Response> drop_index(Call& call);

// documents/documents.cc
Result<net::Response> create_document(Call& call);
Result<net::Response> put_document(Call& call);
Result<net::Response> patch_document(Call& call);
Result<net::Response> get_document(Call& call);
Result<net::Response> remove_document(Call& call);
Result<net::Response> get_history(Call& call);

// documents/lists.cc
Result<net::Response> list_documents(Call& call);
Result<net::Response> count_documents(Call& call);
Result<net::Response> query_documents(Call& call);

// documents/lifecycle.cc
Result<net::Response> touch_document(Call& call);
Result<net::Response> hold_document(Call& call);
Result<net::Response> release_document(Call& call);
Result<net::Response> list_holds(Call& call);
Result<net::Response> get_forecast(Call& call);
Result<net::Response> preview_default(Call& call);
Result<net::Response> list_purges(Call& call);

// documents/trash.cc
Result<net::Response> list_trash(Call& call);
Result<net::Response> restore_document(Call& call);
Result<net::Response> forget_document(Call& call);

// documents/transactions.cc
Result<net::Response> run_transaction(Call& call);

// documents/feed.cc
Result<net::Response> read_feed(Call& call);

// subscriptions/actions.cc
Result<net::Response> list_subscriptions(Call& call);
Result<net::Response> create_subscription(Call& call);
Result<net::Response> get_subscription(Call& call);
Result<net::Response> remove_subscription(Call& call);
Result<net::Response> pause_subscription(Call& call);
Result<net::Response> resume_subscription(Call& call);
Result<net::Response> replay_subscription(Call& call);
Result<net::Response> list_dead_letters(Call& call);
Result<net::Response> send_dead_letters(Call& call);

}  // namespace mayfly::native
