import {expect, test} from 'vitest';
import {replaceSections} from './markdown.ts';
import {generatePages, readPage} from './pages.ts';

test('the generated parts of the readme and of docs/ match the code (if not: npm run docs)', async () => {
	for (const [path, sections] of Object.entries(await generatePages())) {
		const page = readPage(path);
		expect(replaceSections(page, sections), path).toBe(page);
	}
});

test('the page on speed has a placeholder for each measurement of the benchmark', () => {
	expect(replaceSections(readPage('docs/speed.md'), {bench: 'measured', 'bench memory': 'held'})).toMatch(
		/measured.*held/s,
	);
});

test('the readme names both commands that must work on a fresh clone, and has at most 300 lines', () => {
	const readme = readPage('readme.md');
	expect(readme).toContain('npm ci && npm start');
	expect(readme).toContain('npm ci && npm test');
	expect(readme.split('\n').length).toBeLessThanOrEqual(300);
});
