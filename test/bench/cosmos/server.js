// The other side of P13: @vercel/cosmosdb-server with keep-alive, which its own command line leaves off.
'use strict';

const { createHttpServer } = require('@vercel/cosmosdb-server');

createHttpServer({ keepAlive: true }).listen(Number(process.argv[2]), '127.0.0.1');
