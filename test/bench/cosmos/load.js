// Load through the service's own client, for P13: documents created or read, so many requests under way at a time.
//
// usage: load.js ENDPOINT fill DOCUMENTS            makes the container with so many documents
//        load.js ENDPOINT create|read UNDER_WAY SECONDS DOCUMENTS   prints the requests per second
'use strict';

const { randomUUID } = require('node:crypto');
const { performance } = require('node:perf_hooks');
const { CosmosClient } = require('@azure/cosmos');

const KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

// About 300 bytes of JSON.
function sample(id) {
  return { id, age: 42, active: true, tags: ['a', 'b'], note: id.repeat(300).slice(0, 210) };
}

async function fill(client, documents) {
  const { database } = await client.databases.create({ id: 'b' });
  const { container } = await database.containers.create({ id: 'c', partitionKey: { paths: ['/id'] } });
  for (let n = 0; n < documents; ++n) await container.items.create(sample(`d${n}`));
}

const requests = {
  create: (container) => container.items.create(sample(randomUUID())),
  read: (container, documents) => {
    const id = `d${Math.floor(Math.random() * documents)}`;
    return container.item(id, id).read();
  },
};

async function measure(client, name, underWay, seconds, documents) {
  const container = client.database('b').container('c');
  const expected = name === 'create' ? 201 : 200;
  await requests[name](container, documents); // the client reads the container's definition once
  let done = 0;
  const began = performance.now();
  const end = began + seconds * 1000;
  const work = async () => {
    while (performance.now() < end) {
      const { statusCode } = await requests[name](container, documents);
      if (statusCode !== expected) throw new Error(`${name} was answered with ${statusCode}`);
      ++done;
    }
  };
  await Promise.all(Array.from({ length: underWay }, work));
  return (done * 1000) / (performance.now() - began);
}

async function main([endpoint, what, ...figures]) {
  // The other server tells of an address with https where it speaks plain HTTP.
  const client = new CosmosClient({ endpoint, key: KEY, connectionPolicy: { enableEndpointDiscovery: false } });
  if (what === 'fill') {
    await fill(client, ...figures.map(Number));
  } else {
    console.log(await measure(client, what, ...figures.map(Number)));
  }
  client.dispose();
}

main(process.argv.slice(2));
