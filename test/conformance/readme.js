// The README's quick starts, run as they are printed.
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const AsyncFunction = (async () => {}).constructor;

// Runs the block that the README marks with this name; what it logs is the answer. `load` stands in for require, and
// each pair of `replace` is a text and what stands in its place here: an address with a free port.
async function runQuickStart(name, load, replace) {
  const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
  const block = readme.match(new RegExp('```js ' + name + '\\n([^]*?)```'));
  if (!block) throw new Error(`the README has no quick start for ${name}`);
  let source = block[1];
  for (const [printed, used] of replace) {
    if (!source.includes(printed)) throw new Error(`the quick start for ${name} does not say ${printed}`);
    source = source.replaceAll(printed, used);
  }
  const logged = [];
  await new AsyncFunction('require', 'console', source)(load, { log: (...values) => logged.push(...values) });
  return logged;
}

module.exports = { runQuickStart };
