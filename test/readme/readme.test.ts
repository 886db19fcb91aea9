import {expect, test} from 'vitest';
import {generatedSections, readReadme, withSections} from './sections.ts';

test('the generated parts of the readme are those of the code (else: npm run docs)', async () => {
	const readme = readReadme();
	expect(withSections(readme, await generatedSections())).toBe(readme);
});

test('the readme gives the two commands that must work on a fresh clone', () => {
	const readme = readReadme();
	expect(readme).toContain('npm ci && npm start');
	expect(readme).toContain('npm ci && npm test');
});
