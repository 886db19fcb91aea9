// Writes the generated parts of the readme: `npm run docs`.
import {writeFileSync} from 'node:fs';

Object.assign(globalThis, {LEDGE_VERSION: ''});
const {generatedSections, readmeFile, readReadme, withSections} = await import('./sections.ts');
writeFileSync(readmeFile, withSections(readReadme(), await generatedSections()));
