// Full text and hybrid search: the client asks for the plan, the statistics and each part, and puts
// the rows together by their ranks.
'use strict';

const assert = require('node:assert/strict');
const { Server, failure } = require('./server');

const server = Server.forTests();
const DEFINITION = {
  fullTextPolicy: {
    defaultLanguage: 'en-US',
    fullTextPaths: [{ path: '/text', language: 'en-US' }, { path: '/titre', language: 'fr-FR' }],
  },
  vectorEmbeddingPolicy: {
    vectorEmbeddings: [{ path: '/v', dataType: 'float32', dimensions: 2, distanceFunction: 'euclidean' }],
  },
  indexingPolicy: {
    includedPaths: [{ path: '/*' }],
    fullTextIndexes: [{ path: '/text' }, { path: '/titre' }],
    vectorIndexes: [{ path: '/v', type: 'flat' }],
  },
};
const ITEMS = [
  { id: 'bikes', text: 'Red bicycles, blue bicycles: we sell every bicycle.', titre: 'Les vélos', v: [9, 9] },
  { id: 'one', text: 'A long story about a man and his one bicycle in the city of the seven hills', v: [0, 1] },
  { id: 'cars', text: 'Fast cars run on red roads', titre: 'Un cheval', v: [0, 2] },
  { id: 'boats', text: 'Boats', titre: 'Des chevaux', v: [5, 5] },
  { id: 'none', other: 1, v: [1] },
];

async function filled(throughput) {
  const container = await server.container(DEFINITION, { offerThroughput: throughput });
  for (const item of ITEMS) await container.items.create({ pk: `key of ${item.id}`, ...item });
  return container;
}
const ask = async (container, query) => (await container.items.query(query).fetchAll()).resources;
const idsOf = async (container, query) => (await ask(container, query)).map(({ id }) => id);

server.test('the policy is kept, and words are found in the language of their path', async () => {
  const container = await filled(400);
  const { resource } = await container.read();
  assert.deepEqual(resource.fullTextPolicy, DEFINITION.fullTextPolicy);
  assert.deepEqual(resource.indexingPolicy.fullTextIndexes, DEFINITION.indexingPolicy.fullTextIndexes);
  const where = (condition) => idsOf(container, `SELECT c.id FROM c WHERE ${condition}`);
  assert.deepEqual(await where("FullTextContains(c.text, 'Bicycle')"), ['bikes', 'one']);
  assert.deepEqual(await where("FullTextContains(c.text, 'red bicycle')"), ['bikes']);
  assert.deepEqual(await where("FullTextContainsAll(c.text, 'red', 'run')"), ['cars']);
  assert.deepEqual(await where("FullTextContainsAny(c.text, 'boat', 'car')"), ['cars', 'boats']);
  assert.deepEqual(await where("FullTextContains(c.titre, 'cheval')"), ['cars', 'boats']);
  assert.deepEqual(await where("NOT FullTextContains(c.text, 'bicycle')"), ['cars', 'boats']);
});

for (const throughput of [400, 30000]) {
  server.test(`a rank orders documents by what their words are worth, of ${throughput} RU`, async () => {
    const container = await filled(throughput);
    const rank = "SELECT TOP 3 c.id FROM c ORDER BY RANK FullTextScore(c.text, 'bicycle', 'red')";
    assert.deepEqual(await idsOf(container, rank), ['bikes', 'cars', 'one']);
    const filter = "SELECT TOP 3 * FROM c WHERE c.id != 'bikes' ORDER BY RANK FullTextScore(c.text, 'bicycle')";
    assert.equal((await idsOf(container, filter))[0], 'one');
    const byParameter = {
      query: 'SELECT c.id FROM c ORDER BY RANK FullTextScore(c.text, @words) OFFSET 1 LIMIT 1',
      parameters: [{ name: '@words', value: ['bicycle', 'red'] }],
    };
    assert.deepEqual(await idsOf(container, byParameter), ['cars']);
    const ofKey = `SELECT TOP 3 c.id FROM c WHERE c.pk = 'key of one'
      ORDER BY RANK FullTextScore(c.text, 'bicycle')`;
    assert.deepEqual(await idsOf(container, ofKey), ['one']);
  });

  server.test(`RRF puts texts and vectors together, of ${throughput} RU`, async () => {
    const container = await filled(throughput);
    const query = (weights) => `SELECT TOP 2 c.id FROM c WHERE IS_DEFINED(c.text)
      ORDER BY RANK RRF(FullTextScore(c.text, 'bicycle'), VectorDistance(c.v, [0, 0])${weights})`;
    assert.equal((await idsOf(container, query('')))[0], 'one');
    assert.equal((await idsOf(container, query(', [10, 0.1]')))[0], 'bikes');
    assert.equal((await idsOf(container, query(', [0.1, 10]')))[0], 'one');
    const texts = `SELECT TOP 1 c.id FROM c
      ORDER BY RANK RRF(FullTextScore(c.text, 'red'), FullTextScore(c.titre, 'chevaux'))`;
    assert.deepEqual(await idsOf(container, texts), ['cars']);
  });
}

server.test('rows whose distance is undefined are kept, first for euclidean and last for cosine', async () => {
  const container = await filled(400);
  const order = (options) => `SELECT TOP 5 c.id FROM c ORDER BY VectorDistance(c.v, [0, 1]${options})`;
  assert.deepEqual(await idsOf(container, order('')), ['none', 'one', 'cars', 'boats', 'bikes']);
  const cosine = await idsOf(container, order(", false, {distanceFunction: 'cosine'}"));
  assert.equal(cosine.length, 5);
  assert.equal(cosine[4], 'none');
});

server.test('what is wrong with policies and ranks is refused', async () => {
  const refused = async (definition) => (await failure(server.container(definition))).message;
  assert.match(await refused({ indexingPolicy: { vectorIndexes: [{ path: '/w', type: 'flat' }] } }),
    /path::\/w not matching in Embedding's path/);
  assert.match(await refused({ ...DEFINITION, indexingPolicy: { vectorIndexes: [{ path: '/w', type: 'flat' }] } }),
    /path::\/w not matching in Embedding's path/);
  assert.match(await refused({ indexingPolicy: { fullTextIndexes: [{ path: '/t' }] } }),
    /The path of the Full Text Index \/t does not match the path specified in the Full Text Policy/);
  assert.match(await refused({ fullTextPolicy: { defaultLanguage: 'tlh', fullTextPaths: [] } }),
    /contains an unsupported language tlh/);
  assert.match(await refused({ fullTextPolicy: { fullTextPaths: [{ language: 'en-US' }] } }),
    /Missing path in Full Text Policy/);
  const container = await filled(400);
  const wrong = async (query) => {
    const { code, message } = await failure(ask(container, query));
    assert.equal(code, 400);
    return message;
  };
  assert.match(await wrong("SELECT * FROM c WHERE FullTextContains(c.other, 'a')"), /not in the fullTextPolicy/);
  assert.match(await wrong("SELECT FullTextScore(c.text, 'a') FROM c"), /only allowed in the ORDER BY RANK clause/);
  assert.match(await wrong("SELECT TOP 1 * FROM c ORDER BY RANK FullTextScore(c.other, 'a')"),
    /not in the fullTextPolicy/);
  assert.match(await wrong('SELECT TOP 1 * FROM c ORDER BY RANK ABS(c.text)'), /RANK takes FullTextScore/);
  assert.match(await wrong("SELECT TOP 1 * FROM c ORDER BY RANK RRF(FullTextScore(c.text, 'a'))"), /requires 2 to/);
});
