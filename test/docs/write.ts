// Writes the generated parts of the readme and of docs/: `npm run docs`.
import {writeFileSync} from 'node:fs';
import {withSections} from './markdown.ts';

Object.assign(globalThis, {LEDGE_VERSION: ''});
const {generatedPages, pageFile, readPage} = await import('./pages.ts');
for (const [path, sections] of Object.entries(await generatedPages()))
	writeFileSync(pageFile(path), withSections(readPage(path), sections));
