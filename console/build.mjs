// Bundles the console and writes it as assets for the binary: `node build.mjs FOLDER`.
//
// FOLDER/files/ has the files as a browser loads them, FOLDER/assets.S their bytes, and
// FOLDER/assets.cc the table that src/dialect/console/assets.h declares. A file whose name has a
// hash never changes, so browsers keep it.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];
if (!folder) throw new Error('usage: node build.mjs FOLDER');
const files = join(folder, 'files');

const types = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

async function bundle() {
  const result = await build({
    entryPoints: { app: join(here, 'src/main.tsx') },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: '/',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return result.outputFiles.map((file) => ({ name: file.path.split('/').pop(), bytes: Buffer.from(file.contents) }));
}

function page(bundled) {
  const of = (start, end) => bundled.find((file) => file.name.startsWith(start) && file.name.endsWith(end)).name;
  return readFileSync(join(here, 'src/index.html'), 'utf8')
    .replace('{style}', `/console/${of('app-', '.css')}`)
    .replace('{script}', `/console/${of('app-', '.js')}`);
}

function compressed(bytes) {
  return {
    plain: bytes,
    brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    gzip: gzipSync(bytes, { level: 9 }),
  };
}

function write(all) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  const assembly = ['.section .rodata'];
  const declarations = [];
  const rows = [];
  all.forEach(({ name, bytes }, number) => {
    writeFileSync(join(files, name), bytes);
    const views = [];
    for (const [kind, packed] of Object.entries(compressed(bytes))) {
      const symbol = `console_${number}_${kind}`;
      const file = kind === 'plain' ? name : `${name}.${kind}`;
      writeFileSync(join(files, file), packed);
      assembly.push(`.global ${symbol}`, `${symbol}: .incbin "${join(files, file)}"`);
      declarations.push(`extern const char ${symbol}[];`);
      views.push(`{${symbol}, ${packed.length}}`);
    }
    const isFixed = /-[A-Z0-9]{8}\./.test(name);
    rows.push(`    {"${name}", "${types[name.split('.').pop()]}", ${isFixed}, ${views.join(', ')}},`);
  });
  writeFileSync(join(folder, 'assets.S'), assembly.join('\n') + '\n.section .note.GNU-stack,"",@progbits\n');
  writeFileSync(join(folder, 'assets.cc'), `#include "dialect/console/assets.h"

extern "C" {
${declarations.join('\n')}
}

namespace mayfly::console {

std::span<const Asset> assets() {
  static const Asset all[] = {
${rows.join('\n')}
  };
  return all;
}

}  // namespace mayfly::console
`);
}

const bundled = await bundle();
write([
  { name: 'index.html', bytes: Buffer.from(page(bundled)) },
  { name: 'favicon.svg', bytes: readFileSync(join(here, 'src/favicon.svg')) },
  ...bundled,
]);
