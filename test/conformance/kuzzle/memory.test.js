// The memory storage: every method of the controller `ms` of every client.
'use strict';

const assert = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { after, before, describe, test } = require('node:test');
const { Server, failure, ask } = require('./server');

let server;
before(async () => { server = await Server.start(); });
after(async () => { await server.stop(); });

const SOURCES = { v5: 'kuzzle-sdk-5/src/MemoryStorage.js', v6: 'kuzzle-sdk-6/src/controllers/memoryStorage.js',
  v7: 'kuzzle-sdk-7/out/src/controllers/MemoryStorage.js' };

// The names of the methods, as the client's source lists them.
function methodsOf(generation) {
  const text = readFileSync(join(__dirname, 'node_modules', SOURCES[generation]), 'utf8');
  const [table] = text.slice(text.search(/\bcommands = \{/)).split(/^ {0,2}\};/m);
  return [...table.matchAll(/^\s{4}(\w+): ?(?:\{|get|set)/gm)].map((match) => match[1]);
}

// [method, arguments, what the client gives of it]; `same`: what version 5 gives, which does not turn numbers into booleans.
const none = undefined;
const STEPS = [
  ['flushdb', [], none, 'OK'],
  ['ping', [], 'PONG'],
  ['set', ['a', 'foo'], none, 'OK'], ['set', ['x', 'y', { px: 5000, nx: true }], none, 'OK'],
  ['get', ['a'], 'foo'], ['append', ['a', 'bar'], 6], ['strlen', ['a'], 6], ['getrange', ['a', 1, 3], 'oob'],
  ['bitcount', ['a'], 26], ['bitcount', ['a', { start: 0, end: 0 }], 4], ['bitpos', ['a', 1], 1], ['getbit', ['a', 1], 1],
  ['bitop', ['b', 'OR', ['a', 'x']], 6],
  ['getset', ['a', 'new'], 'foobar'], ['setnx', ['a', 'no'], false, 0],
  ['incr', ['n'], 1], ['incrby', ['n', 9], 10], ['decr', ['n'], 9], ['decrby', ['n', 4], 5], ['incrbyfloat', ['n', 0.25], 5.25],
  ['mset', [[{ key: 'm1', value: '1' }, { key: 'm2', value: '2' }]], none, 'OK'],
  ['msetnx', [[{ key: 'm1', value: '1' }, { key: 'm3', value: '2' }]], false, 0],
  ['mget', [['m1', 'm3', 'm2']], ['1', null, '2']],
  ['setex', ['e', 'v', 60], none, 'OK'], ['ttl', ['e'], 60], ['psetex', ['e', 'v', 5000], none, 'OK'], ['pttl', ['e'], 5000],
  ['expire', ['e', 20], true, 1], ['pexpire', ['e', 30000], true, 1], ['persist', ['e'], true, 1], ['ttl', ['e'], -1],
  ['expireat', ['e', 253402300000], true, 1], ['pexpireat', ['e', 253402300000000], true, 1],
  ['exists', [['a', 'e', 'none']], 2], ['touch', [['a', 'e', 'none']], 2], ['del', [['m1', 'm2', 'none']], 2],
  ['rename', ['e', 'f'], none, 'OK'], ['renamenx', ['f', 'a'], false, 0],
  ['type', ['a'], 'string'], ['object', ['a', 'encoding'], 'embstr'],
  ['rpush', ['l', ['a', 'b', 'c']], 3], ['lpush', ['l', ['z']], 4], ['lpushx', ['l', 'y'], 5], ['rpushx', ['l', 'd'], 6],
  ['lrange', ['l', 0, -1], ['y', 'z', 'a', 'b', 'c', 'd']], ['llen', ['l'], 6], ['lindex', ['l', 1], 'z'],
  ['linsert', ['l', 'before', 'a', 'i'], 7], ['lset', ['l', 0, 'Y'], none, 'OK'], ['lrem', ['l', 1, 'i'], 1],
  ['lpop', ['l'], 'Y'], ['rpop', ['l'], 'd'], ['rpoplpush', ['l', 'l2'], 'c'], ['ltrim', ['l', 1, 2], none, 'OK'],
  ['lrange', ['l', 0, -1], ['a', 'b']],
  ['sadd', ['s', ['1', '2', '3']], 3], ['sadd', ['t', ['2', '3', '4']], 3], ['scard', ['s'], 3], ['smembers', ['s'], ['1', '2', '3']],
  ['sismember', ['s', '1'], true, 1], ['sdiff', ['s', ['t']], ['1']], ['sinter', [['s', 't']], ['2', '3']],
  ['sunion', [['s', 't']], ['1', '2', '3', '4']], ['sdiffstore', ['s', ['t'], 'u'], 1], ['sinterstore', ['u', ['s', 't']], 2],
  ['sunionstore', ['u', ['s', 't']], 4], ['smove', ['u', 'w', '1'], true, 1], ['spop', ['w'], ['1']], ['srem', ['u', ['2', '3']], 2],
  ['srandmember', ['u'], ['4']], ['srandmember', ['u', { count: -2 }], ['4', '4']],
  ['sscan', ['s', 0, { match: '[12]' }], { cursor: '0', values: ['1', '2'] }],
  ['sort', ['s', { direction: 'DESC', limit: [0, 2] }], ['3', '2']], ['sort', ['s', { alpha: true, get: ['#', 'none_*'] }], ['1', null, '2', null, '3', null]],
  ['hset', ['h', 'f', 'v'], true, 1], ['hsetnx', ['h', 'f', 'w'], false, 0], ['hget', ['h', 'f'], 'v'],
  ['hmset', ['h', [{ field: 'g', value: '1' }, { field: 'k', value: '2' }]], none, 'OK'], ['hmget', ['h', ['f', 'none', 'g']], ['v', null, '1']],
  ['hgetall', ['h'], { f: 'v', g: '1', k: '2' }], ['hexists', ['h', 'f'], true, 1], ['hkeys', ['h'], ['f', 'g', 'k']], ['hvals', ['h'], ['v', '1', '2']],
  ['hlen', ['h'], 3], ['hstrlen', ['h', 'f'], 1], ['hincrby', ['h', 'g', 4], 5], ['hincrbyfloat', ['h', 'g', 0.5], 5.5],
  ['hscan', ['h', 0, { match: 'f', count: 5 }], { cursor: '0', values: ['f', 'v'] }], ['hdel', ['h', ['f', 'none']], 1],
  ['zadd', ['z', [{ score: 1, member: 'a' }, { score: 2, member: 'b' }, { score: 3, member: 'c' }]], 3],
  ['zadd', ['z', [{ score: 4, member: 'c' }], { xx: true, ch: true }], 1], ['zcard', ['z'], 3], ['zcount', ['z', '(1', '+inf'], 2],
  ['zincrby', ['z', 'a', 0.5], '1.5'], ['zscore', ['z', 'a'], 1.5], ['zrank', ['z', 'b'], 1], ['zrevrank', ['z', 'b'], 1],
  ['zrange', ['z', 0, 1], [{ member: 'a', score: 1.5 }, { member: 'b', score: 2 }]], ['zrevrange', ['z', 0, 0], [{ member: 'c', score: 4 }]],
  ['zrangebyscore', ['z', '-inf', '+inf', { limit: [1, 1] }], [{ member: 'b', score: 2 }]], ['zrevrangebyscore', ['z', 2, 4], [{ member: 'c', score: 4 }, { member: 'b', score: 2 }]],
  ['zscan', ['z', 0, { match: 'a' }], { cursor: '0', values: ['a', '1.5'] }],
  ['zunionstore', ['y', ['z', 's'], { weights: [1, 2], aggregate: 'max' }], 6], ['zinterstore', ['y', ['z', 'z']], 3], ['zscore', ['y', 'b'], 4],
  ['zadd', ['lex', ['a', 'b', 'c', 'd', 'e'].map((member) => ({ score: 0, member }))], 5], ['zlexcount', ['lex', '[b', '(d'], 2],
  ['zrangebylex', ['lex', '-', '(c'], ['a', 'b']], ['zrevrangebylex', ['lex', '-', '[z', { limit: [0, 1] }], ['e']],
  ['zremrangebylex', ['lex', '[a', '[a'], 1], ['zremrangebyrank', ['lex', 0, 0], 1], ['zremrangebyscore', ['z', '(1.5', 2], 1], ['zrem', ['z', ['a']], 1],
  ['geoadd', ['g', [{ lon: 13.361389, lat: 38.115556, name: 'Palermo' }, { lon: 15.087269, lat: 37.502669, name: 'Catania' }]], 2],
  ['geodist', ['g', 'Palermo', 'Catania', { unit: 'km' }], 166.2742], ['geohash', ['g', ['Palermo', 'none']], ['sqc8b49rny0', null]],
  ['geopos', ['g', ['Palermo']], [[13.361389338970184, 38.1155563954963]]],
  ['georadius', ['g', 15, 37, 200, 'km', { withcoord: true, withdist: true, count: 1, sort: 'asc' }],
    [{ name: 'Catania', distance: 56.4413, coordinates: [15.087267458438873, 37.50266842333162] }]],
  ['georadius', ['g', 15, 37, 200, 'km', { sort: 'desc' }], [{ name: 'Palermo' }, { name: 'Catania' }]],
  ['georadiusbymember', ['g', 'Palermo', 10, 'km'], [{ name: 'Palermo' }]],
  ['pfadd', ['p', ['a', 'b', 'a']], true, 1], ['pfadd', ['q', ['c']], true, 1], ['pfcount', [['p', 'q']], 3], ['pfmerge', ['p', ['q']], none, 'OK'], ['pfcount', [['p']], 3],
  ['keys', ['l*'], (found) => assert.deepEqual(found.sort(), ['l', 'l2', 'lex'])],
  ['scan', [0, { match: 'h', count: 100 }], { cursor: '0', values: ['h'] }],
  ['dbsize', [], (count) => assert.ok(count > 15)], ['randomkey', [], (key) => assert.equal(typeof key, 'string')],
  ['mexecute', [[{ action: 'set', args: { _id: 'me', body: { value: '1' } } }, { action: 'incr', args: { _id: 'me' } }, { action: 'get', args: { _id: 'me' } }]],
    (results) => assert.deepEqual(results, [[null, 'OK'], [null, 2], [null, '2']])],
  ['time', [], ([seconds, micros]) => assert.ok(seconds > 1.5e9 && micros < 1e6)],
];

const CLIENTS = [['v5', 'WebSocket'], ['v6', 'WebSocket'], ['v6', 'Http'], ['v7', 'WebSocket'], ['v7', 'Http']];

for (const [generation, protocol] of CLIENTS) {
  describe(`${generation} over ${protocol}`, () => {
    let call;
    before(async () => {
      const client = await server[generation](protocol);
      call = generation === 'v5' ? (method, args) => ask(client.memoryStorage, method, ...args) : (method, args) => client.ms[method](...args);
    });

    test('every method is in the list of steps', () => {
      const methods = methodsOf(generation);
      assert.ok(methods.length > 110, `${methods.length}`);
      const named = new Set(STEPS.map(([method]) => method));
      assert.deepEqual(methods.filter((method) => !named.has(method)), []);
    });

    test('each gives what it should', async () => {
      const methods = methodsOf(generation);
      for (const [method, args, wanted, raw] of STEPS.filter(([name]) => methods.includes(name))) {
        const given = await call(method, JSON.parse(JSON.stringify(args)));
        if (typeof wanted === 'function') wanted(given);
        else assert.deepEqual(given, generation === 'v5' && raw !== undefined ? raw : wanted, `${method} ${JSON.stringify(args)}`);
      }
    });

    test('a key ends at its millisecond', async () => {
      await call('psetex', ['brief', 'v', 1000]);
      await server.advance(999);
      assert.equal(await call('get', ['brief']), 'v');
      await server.advance(2);
      assert.equal(await call('get', ['brief']), null);
      assert.equal(await call('ttl', ['brief']), -2);
    });

    test('a command on another type is refused', async () => {
      await call('sadd', ['members', ['a']]);
      const error = await failure(call('lpush', ['members', ['b']]));
      assert.equal(error.status, 400);
      assert.match(error.message, /^WRONGTYPE /);
      assert.deepEqual(await call('smembers', ['members']), ['a']);
    });
  });
}
