import {execFileSync} from 'node:child_process';
import {stripVTControlCharacters} from 'node:util';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {defaultBaseUrl, simulatedBaseUrl} from '../../source/settings/base-url.ts';
import {buildDashboardLink} from '../../source/settings/dashboard.ts';
import {formatLink, type Link, linkPages, supportsLinks} from '../../source/terminal/links.ts';
import {createOutput} from '../../source/terminal/output.ts';
import {formatLinkedTable, formatTable} from '../../source/terminal/table.ts';
import {createScratchFolder, createUnconfiguredEnvironment} from '../support/ledge.ts';
import {anyText} from '../text/any-text.ts';
import {Emulator, readLinks} from './screen/emulator.ts';
import {bundleProgram} from './support/in-terminal.ts';
import {linkedRow, widths} from './support/linked-row.ts';

const link = 'https://dash.cloudflare.com/a/b';
/** Ends of sequences, separators, and characters that turn text around. */
const hostile = fc.string({
	unit: fc.constantFrom(...'\u001b\\\u0007\u009c\u009d\n\r;:/?#@%]8 .a\u202e\u2066\u200b\ud800é'),
	maxLength: 12,
});

/** Returns the text of a row's links after these bytes, and the link of what would be printed next. */
async function readBytes(bytes: string, columns = 80) {
	const emulator = new Emulator({columns, rows: 4, widths: 'graphemes'});
	await emulator.write(Buffer.from(bytes.replaceAll('\n', '\r\n')));
	const shown = {line: emulator.lines()[0], links: readLinks(emulator, 0)};
	await emulator.write(Buffer.from('\r\n\n\nafter'));
	const isOpen = emulator.linksOf(3).some(one => one !== undefined);
	emulator.dispose();
	return {...shown, isOpen};
}

describe('supportsLinks', () => {
	const terminal = {isTTY: true};
	test.each([
		{TERM_PROGRAM: 'iTerm.app'},
		{TERM: 'xterm-kitty'},
		{TERM: 'foot'},
		{VTE_VERSION: '7600', TERM: 'xterm-256color'},
		{WT_SESSION: 'b1'},
		{TMUX: '/tmp/tmux,1,0', TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.5a'},
		{FORCE_HYPERLINK: '1', TERM: 'dumb'},
		{NO_COLOR: '1', TERM_PROGRAM: 'WezTerm'},
	])('a terminal with %o has them', env => {
		expect(supportsLinks(terminal, env)).toBe(true);
		expect(supportsLinks({isTTY: false}, env)).toBe(false);
		expect(supportsLinks(terminal, {...env, FORCE_HYPERLINK: '0'})).toBe(false);
	});
	test.each([
		{},
		{TERM: 'xterm-256color'},
		{TERM: 'dumb', TERM_PROGRAM: 'iTerm.app'},
		{VTE_VERSION: '4205'},
		{TERM_PROGRAM: 'Apple_Terminal'},
		// Started in a terminal that has them.
		{TMUX: '/tmp/tmux,1,0', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3', VTE_VERSION: '7600'},
		{TMUX: '/tmp/tmux,1,0', VTE_VERSION: '7600'},
		{STY: '1.pts', VTE_VERSION: '7600'},
	])('a terminal with %o has none', env => {
		expect(supportsLinks(terminal, env)).toBe(false);
	});
});

describe('buildDashboardLink', () => {
	test('names account and zone, or lets the dashboard ask', () => {
		const zone = {id: 'z1', name: 'acme.example', accountId: 'a1'};
		const build = (more: Partial<typeof zone>) =>
			buildDashboardLink(defaultBaseUrl, {...zone, ...more}, '/security/events');
		expect(build({})).toBe('https://dash.cloudflare.com/a1/acme.example/security/events');
		const asking = 'https://dash.cloudflare.com/?to=/:account/:zone/security/events';
		expect(build({accountId: ''})).toBe(asking);
		expect(build({name: 'z1'})).toBe(asking);
		expect(build({name: '..'})).toBe(asking);
		expect(buildDashboardLink(simulatedBaseUrl, zone)).toBeUndefined();
		expect(buildDashboardLink('https://api.example/client/v4', zone)).toBeUndefined();
		expect(buildDashboardLink(undefined, zone)).toBeUndefined();
	});

	test('any name stays inside its segment of the path', () => {
		fc.assert(
			fc.property(fc.oneof(hostile, anyText), fc.oneof(hostile, anyText), (name, accountId) => {
				const built = buildDashboardLink(defaultBaseUrl, {id: 'z1', name, accountId}, '/security/events');
				expect(built).toMatch(/^[!-~]+$/);
				const {origin, pathname, search, hash} = new URL(built ?? '');
				expect({origin, hash}).toEqual({origin: 'https://dash.cloudflare.com', hash: ''});
				if (search === '') expect(pathname.split('/').slice(3)).toEqual(['security', 'events']);
			}),
		);
	});
});

test('an address with a character that could end the sequence is no link', () => {
	for (const character of '\u001b\u0007\u009c\n \u202eé')
		expect(formatLink('a', `${link}${character}`)).toBe('a');
});

describe('output', () => {
	const print = async (env: NodeJS.ProcessEnv, isTTY: boolean, text: string, json = false) => {
		const written: string[] = [];
		const stream = {isTTY, write: (chunk: string) => written.push(chunk) > 0};
		const streams = {stdout: stream, stderr: stream, env} as never;
		await createOutput({json, verbose: false}, streams).writeText(['a ', {text, link}, ' b\n']);
		return written.join('');
	};

	test('data cannot end a link, start one, or choose its address', async () => {
		const attempts = fc.oneof(hostile, anyText, fc.constant(formatLink('x', 'https://jmespath.org')));
		await fc.assert(
			fc.asyncProperty(attempts, async data => {
				const plain = await print({}, true, data);
				expect(plain).toMatch(/^a [^\p{Cc}]* b\n$/u);
				const bytes = await print({FORCE_HYPERLINK: '1'}, true, data);
				expect(bytes).toBe(`a ${formatLink(plain.slice(2, -3), link)} b\n`);
			}),
		);
	});

	test('a terminal shows them on exactly their text', async () => {
		const bytes = await print({FORCE_HYPERLINK: '1'}, true, '\u001b\\\u001b]8;;https://evil.example\u0007x');
		const text = '\\x1b\\\\x1b]8;;https://evil.example\\x07x';
		expect(await readBytes(bytes)).toEqual({line: `a ${text} b`, links: [{text, link}], isOpen: false});
	});

	test('has links only on a terminal with them, and not with --json', async () => {
		expect(await print({FORCE_HYPERLINK: '1'}, true, 'x')).toBe(`a ${formatLink('x', link)} b\n`);
		for (const text of [
			await print({FORCE_HYPERLINK: '1'}, false, 'x'),
			await print({}, true, 'x'),
			await print({FORCE_HYPERLINK: '1'}, true, 'x', true),
		])
			expect(text).toBe('a x b\n');
	});
});

test('a table with links has the same text', () => {
	const columns = [
		{title: 'N', cell: ([first]: readonly string[]) => first ?? ''},
		{
			title: 'NAME',
			cell: ([, second]: readonly string[]) => second ?? '',
			getLink: ([, second]: readonly string[]): Link | undefined => (second === '-' ? undefined : link),
		},
		{title: 'LAST', cell: ([, , third]: readonly string[]) => third ?? ''},
	];
	const rows = fc.array(fc.array(fc.oneof(anyText, fc.constant('-')), {minLength: 3, maxLength: 3}));
	fc.assert(
		fc.property(rows, texts => {
			const parts = formatLinkedTable(columns, texts);
			expect(parts.map(part => (typeof part === 'string' ? part : part.text)).join('')).toBe(
				formatTable(columns, texts),
			);
			expect(parts.filter(part => typeof part !== 'string')).toHaveLength(
				texts.filter(([, second]) => second !== '-').length,
			);
		}),
	);
});

test('only pages of the documentation are links in a text', () => {
	const page = 'https://developers.cloudflare.com/waf/tools/lists/';
	const list = (text: string) => linkPages(text).flatMap(part => (typeof part === 'string' ? [] : [part]));
	expect(list(`See ${page}, or https://jmespath.org.`)).toEqual([
		{text: page, link: page},
		{text: 'https://jmespath.org', link: 'https://jmespath.org'},
	]);
	for (const text of [
		'https://evil.example/',
		'https://jmespath.org.evil.example/',
		'https://jmespath.orgy/',
		'https://developers.cloudflare.com.evil.example/',
		'https://developers.cloudflare.com@evil.example/',
		'http://jmespath.org',
	])
		expect(list(text)).toEqual([]);
});

test('a cut row has its link on exactly the rest of its text, and closes it', async () => {
	const env = createUnconfiguredEnvironment(createScratchFolder(), {FORCE_COLOR: '1'});
	const program = await bundleProgram('link-program');
	const pictures: {columns: number; end: string; both: string; plain: string}[] = JSON.parse(
		execFileSync(process.execPath, [program], {env, encoding: 'utf8'}),
	);
	const {text: target = '', link: address} = linkedRow[1] ?? {};
	expect(pictures).toHaveLength(widths.length);
	for (const {columns, end, both, plain} of pictures) {
		expect(plain).not.toContain('\u001b]');
		expect(stripVTControlCharacters(end)).toBe(stripVTControlCharacters(plain));
		for (const bytes of [end, both]) {
			const {line = '', links, isOpen} = await readBytes(bytes);
			const left = [...line].filter(character => character !== ' ' && target.includes(character)).join('');
			const linked = links.map(({text}) => text.replaceAll(' ', '')).join('');
			expect({columns, linked, isOpen}).toEqual({columns, linked: left, isOpen: false});
			expect(links.every(one => one.link === address)).toBe(true);
		}
	}
	expect(pictures.at(-1)?.end).toContain(target);
});
