// npm run gallery [-- PATTERN]: writes what each sample screen shows at 80×24 and 200×60 to build/gallery/NAME.txt.
// PATTERN: the names of screens, a regular expression. The screens are in test/screens/support/every-place.ts.
import {mkdirSync, readdirSync, rmSync} from 'node:fs';
import {join, resolve} from 'node:path';

Object.assign(globalThis, {LEDGE_VERSION: ''});
const {recordScreens} = await import('./compare/screens.ts');

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'build/gallery');
rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const count = await recordScreens(join(root, 'dist/ledge.cjs'), folder, new RegExp(process.argv[2] ?? ''));
for (const name of readdirSync(folder).sort()) process.stdout.write(`build/gallery/${name}\n`);
if (count === 0) {
	process.stderr.write('No screen has such a name.\n');
	process.exitCode = 1;
}
