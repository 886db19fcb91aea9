// Writes the generated parts of the readme and of docs/: `npm run docs`.
import {writeFileSync} from 'node:fs';
import {replaceSections} from './markdown.ts';

Object.assign(globalThis, {LEDGE_VERSION: ''});
const {generatePages, getPageUrl, readPage} = await import('./pages.ts');
for (const [path, sections] of Object.entries(await generatePages()))
	writeFileSync(getPageUrl(path), replaceSections(readPage(path), sections));
