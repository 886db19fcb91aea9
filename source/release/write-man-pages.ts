// Writes the man pages to dist/man; `npm pack` runs this first.
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {buildManPages} from '../manual/pages.ts';

const {version} = JSON.parse(readFileSync('package.json', 'utf8')) as {version: string};
Object.assign(globalThis, {LEDGE_VERSION: version});
const {createProgram} = await import('../commands/program.ts');
const {exitCodes} = await import('../failure.ts');

const folder = join('dist', 'man');
rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const pages = buildManPages({...(await createProgram()), version, exitCodes});
for (const [name, page] of Object.entries(pages)) writeFileSync(join(folder, name), page);
