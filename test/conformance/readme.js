// The README's quick starts, run as they are printed: as files, by `node FILE`.
'use strict';

const { execFileSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');

// The block that the README marks with these words. Each pair of `replace` is a printed text and what replaces it here: an
// address with a free port.
function quickStart(words, replace) {
  const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
  const block = readme.match(new RegExp('```' + words + '\\n([^]*?)```'));
  if (!block) throw new Error(`the README has no block \`\`\`${words}`);
  let source = block[1];
  for (const [printed, used] of replace) {
    if (!source.includes(printed)) throw new Error(`the block \`\`\`${words} does not contain ${printed}`);
    source = source.replaceAll(printed, used);
  }
  return source;
}

// A folder in which the client is installed under the name that the README gives it. `installed` is its real folder.
class QuickStartFolder {
  constructor(client, installed) {
    this.path = mkdtempSync(join(tmpdir(), 'mayfly-readme-'));
    const link = join(this.path, 'node_modules', client);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(installed, link);
  }

  // Saves the program under the name that the README gives it, and runs it. Returns what it prints; throws if it fails.
  run(name, replace) {
    const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
    if (!readme.includes(`Save this as \`${name}.mjs\` and run \`node ${name}.mjs\``)) throw new Error(`the README does not say how to run ${name}.mjs`);
    writeFileSync(join(this.path, `${name}.mjs`), quickStart(`js ${name}`, replace));
    return execFileSync(process.execPath, [`${name}.mjs`], { cwd: this.path, encoding: 'utf8', timeout: 60_000 });
  }

  remove() {
    rmSync(this.path, { recursive: true });
  }
}

module.exports = { QuickStartFolder, quickStart };
