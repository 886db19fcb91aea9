import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {expect, test} from 'vitest';
import {findAnchors, findLinkTargets} from './markdown.ts';
import {readPage} from './pages.ts';

const pages = ['readme.md', ...readdirSync('docs').map(name => `docs/${name}`)];

/** Why a link is broken; undefined if it is not. */
function explainBrokenLink(from: string, link: string): string | undefined {
	const [path = '', anchor] = link.split('#');
	const file = path === '' ? from : normalize(join(dirname(from), path));
	if (!existsSync(file)) return `${from}: ${link} (there is no ${file})`;
	if (anchor === undefined || findAnchors(readPage(file)).has(anchor)) return undefined;
	return `${from}: ${link} (${file} has no such heading)`;
}

test('every link and picture in the readme and docs/ exists, with its heading', () => {
	const problems = pages.flatMap(page =>
		findLinkTargets(readPage(page))
			.filter(link => !/^[a-z]+:/.test(link))
			.map(link => explainBrokenLink(page, link)),
	);
	expect(problems.length).toBeGreaterThan(30);
	expect(problems.filter(Boolean)).toEqual([]);
});

test('every page of docs/ is linked from the readme', () => {
	const links = findLinkTargets(readPage('readme.md'));
	for (const page of pages.slice(1)) expect(links).toContain(page);
});

test('a heading has the anchor that GitHub generates', () => {
	const page = '# One\n## 2. Two, and `three`\n```sh\n# not a heading\n```\n## One';
	expect([...findAnchors(page)]).toEqual(['one', '2-two-and-three', 'one-1']);
});

test('every repository path in docs/ exists', () => {
	const missing = pages.flatMap(page =>
		[...readPage(page).matchAll(/`((?:source|test|docs|media)\/[\w./-]*\w)\/?`/g)]
			.map(([, path = '']) => path)
			.filter(path => !existsSync(path) && !sampleFiles.has(path))
			.map(path => `${page}: ${path}`),
	);
	expect(missing).toEqual([]);
});

/** Files that the worked examples of docs/architecture.md would create. */
const sampleFiles: ReadonlySet<string> = new Set(['source/commands/kv/count.ts', 'test/screens/lockdowns']);

const sources = ['source', 'test'].flatMap(root =>
	readdirSync(root, {recursive: true, encoding: 'utf8'})
		.filter(path => /\.(ts|tsx|cjs|mjs)$/.test(path))
		.map(path => join(root, path)),
);

test('every page mentioned in a comment exists, with its heading', () => {
	const wrong = sources.flatMap(file =>
		[...readFileSync(file, 'utf8').matchAll(/\bdocs\/[a-z-]+\.md(?:#[\w-]+)?/g)].map(([link]) =>
			explainBrokenLink('readme.md', link)?.replace('readme.md', file),
		),
	);
	expect(wrong.filter(Boolean)).toEqual([]);
});

/** Pages that are not in the repository, and decisions by a number that is not one of docs/decisions.md. */
const outsideReference =
	/\bdecisions? \d|\b(?:design|platform|screens|words|sign-in|terminal-notes|toolchain-notes|service-contract|wrangler-compat)\.md\b|(?<!docs\/)\bdecisions\.md\b|\b(?:service-contract|wrangler-compat|terminal-notes|toolchain-notes)\b/i;

test('no comment refers to a page outside the repository', () => {
	const referring = sources.filter(
		file => !file.startsWith(join('test', 'docs')) && outsideReference.test(readFileSync(file, 'utf8')),
	);
	expect(referring).toEqual([]);
});

test('every source file that a guide names exists', () => {
	const files = ['source', 'test'].flatMap(folder =>
		readdirSync(folder, {recursive: true, encoding: 'utf8'}).map(path => `${folder}/${path}`),
	);
	const guides = [
		'contributing.md',
		'docs/architecture.md',
		'docs/debugging.md',
		...files.filter(path => /^source\/.*readme\.md$/.test(path)),
	];
	const missing = guides.flatMap(guide => {
		const text = readFileSync(guide, 'utf8').replace(/```.*?```/gs, '');
		return [...text.matchAll(/`([\w./-]+\.(?:tsx?|cjs))`/g)]
			.map(([, name = '']) => name)
			.filter(name => !existsSync(name) && !files.some(path => path.endsWith(`/${name}`)))
			.filter(name => !/^dist\/|^cli\.cjs$/.test(name))
			.map(name => `${guide}: ${name}`);
	});
	expect(missing).toEqual([]);
});
