import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {getTheme, type Theme, ThemeContext} from '../../../source/components/theme.ts';
import {formatKeyStatus} from '../../../source/screens/key/status.ts';
import {Key} from '../../../source/screens/key/view.tsx';
import {pngSample} from '../../decoding/samples.ts';
import {getRunCount} from '../../support/full.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];

type KeyOptions = {
	readonly metadata?: object;
	readonly expiration?: number;
	readonly name?: string;
	readonly faults?: string;
};

/** A store in which a key with this value is open. */
async function openKeyWithValue(value: string | Uint8Array, keyOptions: KeyOptions = {}): Promise<TestStore> {
	const {name = 'it', faults = ''} = keyOptions;
	const store = createTestStore({simulate: true}, {faults});
	await store.openNamespace('assets');
	const keys = store.state().keys.data;
	const openKey = store.state().key.open;
	const {metadata, expiration} = keyOptions;
	await keys?.opened.store.put(
		name,
		Buffer.from(value),
		{...(metadata && {metadata: metadata as {v: number}}), ...(expiration && {expiration})},
		store.signal,
	);
	await openKey(name, store.signal);
	return store;
}

const personJson = JSON.stringify(
	{name: 'Ada', roles: ['admin', 'ops'], seen: 1.5, ok: true, none: null},
	undefined,
	2,
);

test('JSON is shown as a tree, below the details of the key', async () => {
	const store = await openKeyWithValue(personJson, {metadata: {v: 2}});
	const drawn = draw(createTestApp(store), <Key />);
	expect(drawn.rows().slice(0, 12)).toEqual([
		`   JSON · ${personJson.length} bytes · never expires · metadata {"v":2}`,
		'',
		' ▸ ▾ {',
		'       "name": "Ada",',
		'   ▾   "roles": [',
		'         "admin",',
		'         "ops"',
		'       ],',
		'       "seen": 1.5,',
		'       "ok": true,',
		'       "none": null',
		'     }',
	]);
	store.state().key.move(2);
	store.state().key.toggleFold();
	await drawn.until(rows => rows.includes(' ▸ ▹   "roles": [ 2 elements ],'));
	expect(formatKeyStatus(store.state())).toBe('$.roles   tab text');
});

test('text is shown with line numbers', async () => {
	const store = await openKeyWithValue('one\n\ttwo\n');
	const drawn = draw(createTestApp(store), <Key />);
	expect(drawn.rows().slice(2, 5)).toEqual([' ▸ 1 one', '   2     two', '   3']);
	expect(formatKeyStatus(store.state())).toBe('line 1 of 3   tab hex');
});

test('bytes are shown as hex with offsets and as ASCII', async () => {
	const store = await openKeyWithValue(Uint8Array.from({length: 20}, (_, at) => at + 60).fill(0, 19));
	const drawn = draw(createTestApp(store), <Key />);
	expect(drawn.rows().slice(2, 4)).toEqual([
		' ▸ 00000000 3c 3d 3e 3f 40 41 42 43  44 45 46 47 48 49 4a 4b  <=>?@ABCDEFGHIJK',
		`   00000010 4c 4d 4e 00${' '.repeat(39)}LMN.`,
	]);
	store.state().key.move(1);
	expect(formatKeyStatus(store.state())).toBe('byte 16 of 20   tab text');
});

test('an empty value is shown as empty', async () => {
	const store = await openKeyWithValue('');
	expect(draw(createTestApp(store), <Key />).rows()[0]).toContain('empty · 0 bytes');
});

test('metadata too long for the line gets its own line, and M shows it in full with the whole name', async () => {
	const metadata = {about: 'x'.repeat(180), last: 'here'};
	const store = await openKeyWithValue(personJson, {metadata, name: `a${'é'.repeat(80)}z`});
	const drawn = draw(createTestApp(store), <Key />);
	expect(drawn.rows()[1]).toMatch(/^ {3}metadata \{"about":"x+…$/);
	store.state().key.showDetails(true);
	await drawn.until(rows => rows.join('').includes('"last":"here"}'));
	const text = drawn
		.rows()
		.map(row => row.trim())
		.join('');
	expect(text).toContain(`a${'é'.repeat(80)}z`);
	expect(text).toContain(JSON.stringify(metadata));
	expect(formatKeyStatus(store.state())).toContain('éz');
});

test('metadata is still mentioned if there is no room for it', async () => {
	const store = await openKeyWithValue(`${'x'.repeat(300)}\n`.repeat(1000), {metadata: {lines: 1000}});
	expect(draw(createTestApp(store), <Key />, {columns: 60, rows: 15}).rows()[0]).toMatch(
		/ · metadata \{?.*…$/,
	);
});

test('an expiry is shown as a date and as the time left', async () => {
	const now = Math.floor(Date.now() / 1000);
	const store = await openKeyWithValue('it', {expiration: now + 90_000});
	const row = draw(createTestApp(store), <Key />).rows()[0];
	expect(row).toMatch(/expires \d{4}-\d\d-\d\d \d\d:\d\d UTC \(in 2[45] h\)/);
});

test('a missing or unreadable key says so in place of the value', async () => {
	const store = createTestStore({simulate: true}, {faults: 'status=403 path=/values/site'});
	await store.openNamespace('CONFIG');
	await store.state().key.open('nothing', store.signal);
	expect(
		draw(createTestApp(store), <Key />)
			.rows()
			.join('\n'),
	).toContain('This key no longer exists');
	await expect(store.state().key.open('site', store.signal)).rejects.toThrow();
	const rows = draw(createTestApp(store), <Key />)
		.rows()
		.join('\n');
	expect(rows).toContain('×');
	expect(rows).toContain('ctrl-r tries again');
});

test('a slow read says so', async () => {
	const store = createTestStore({simulate: true}, {faults: 'hang path=/values/'});
	await store.openNamespace('CONFIG');
	void store.state().work.run('reading site', 'read', signal => store.state().key.open('site', signal));
	const drawn = draw(createTestApp(store), <Key />);
	await drawn.until(rows => rows.join('').includes('Loading site'));
	expect(store.state().work.cancelReads()).toBe(true);
	await drawn.until(rows => rows.join('').includes('Interrupted'));
});

test('matches are highlighted, and a text without matches is reported', async () => {
	const store = await openKeyWithValue(personJson);
	store.state().key.beginSearch();
	store.state().key.search('ops');
	expect(draw(createTestApp(store), <Key />).rows()).toContain(' ▸       "ops"');
	expect(formatKeyStatus(store.state())).toBe('$.roles[1]   n next, N previous   tab text');
	store.state().key.search('nobody');
	expect(formatKeyStatus(store.state())).toContain('not found');
});

test('a long line is cut with a mark, and scrolls', async () => {
	const store = await openKeyWithValue(`${'0123456789'.repeat(30)}`);
	const drawn = draw(createTestApp(store), <Key />, {columns: 60, rows: 15});
	expect(drawn.rows()[1]).toMatch(/^ ▸ 1 01.*…$/);
	store.state().key.moveSideways(1);
	await drawn.until(rows => rows[1]?.startsWith(' ▸ 1 …789') === true);
	expect(formatKeyStatus(store.state())).toBe('line 1 of 1, from column 17   tab hex');
});

describe('hostile values', () => {
	const hostile = {
		'a tree': JSON.stringify({
			'\u001b[2J': '\u001b]0;owned\u0007\u202e\u0000',
			wide: '名前'.repeat(200),
			marks: `e${'\u0301'.repeat(90)}`,
			family: '👩‍👩‍👧‍👦'.repeat(60),
			rtl: 'שלום مرحبا '.repeat(40),
			['long '.repeat(100)]: [[[[[[[[[[[[[[[[[['deep']]]]]]]]]]]]]]]]]],
			'': '\r\n\t\u009b31m',
		}),
		text: `\u001b[31mred\r\n\t\u009b2Jtab\n${'名'.repeat(300)}\n\u202eright to left\u0007\n${'👨‍👩‍👧 e\u0301'.repeat(80)}`,
		'NUL bytes': `\u0000\u001b[2J${'\u0000'.repeat(500)}`,
		bytes: Uint8Array.from({length: 600}, (_, at) => at % 256),
	};

	test.each(
		sizes.flatMap(size => Object.entries(hostile).map(([what, value]) => ({...size, what, value}))),
	)('$what at $columns×$rows: no line is too long, and nothing harmful is drawn', async ({
		columns,
		rows,
		value,
	}) => {
		const metadata = {'\u001b[2J': '\u202e', w: '名'.repeat(60)};
		const store = await openKeyWithValue(value, {metadata, name: '\u001b[31m名前\n'});
		for (let form = 0; form < 3; form++) {
			const drawn = draw(createTestApp(store), <Key />, {columns, rows});
			for (const showsDetails of [false, true]) {
				store.state().key.showDetails(showsDetails);
				await drawn.until(() => true);
				const shown = drawn.rows();
				expect(shown.length).toBeLessThanOrEqual(rows - 4);
				for (const row of shown) {
					expect(stringWidth(row), row).toBeLessThanOrEqual(columns);
					expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
				}
			}
			expect(formatKeyStatus(store.state())).not.toBe('');
			drawn.unmount();
			store.state().key.changeForm(1);
		}
	});
});

test('any value can be navigated in each of its forms', async () => {
	const store = await openKeyWithValue('');
	await fc.assert(
		fc.asyncProperty(
			fc.oneof(fc.json(), fc.string({unit: 'binary'}), fc.uint8Array()),
			fc.array(fc.constantFrom('down', 'up', 'in', 'out', 'fold', 'all', 'form', 'end', 'find'), {
				maxLength: 20,
			}),
			fc.constantFrom(...sizes),
			async (value, steps, size) => {
				const {state} = store;
				state().navigation.resize(size);
				state().key.noticeWrite({bytes: Buffer.from(value), metadata: null});
				for (const step of steps) {
					const moves: Record<typeof step, () => void> = {
						down: () => state().key.move(1),
						up: () => state().key.move(-1),
						in: () => state().key.moveSideways(1),
						out: () => state().key.moveSideways(-1),
						fold: () => state().key.toggleFold(),
						all: () => state().key.toggleAllFolds(),
						form: () => state().key.changeForm(1),
						end: () => state().key.move(Number.POSITIVE_INFINITY),
						find() {
							state().key.beginSearch();
							state().key.search('a');
							state().key.searchNext();
						},
					};
					moves[step]();
				}
				const drawn = draw(createTestApp(store), <Key />, size);
				const shown = drawn.rows();
				drawn.unmount();
				expect(shown.length).toBeLessThanOrEqual(size.rows - 4);
				for (const row of shown) expect(stringWidth(row)).toBeLessThanOrEqual(size.columns);
				if (value.length > 0) expect(shown.some(row => row.startsWith(' ▸'))).toBe(true);
			},
		),
		{numRuns: getRunCount(60)},
	);
});

describe('an image', () => {
	const drawImage = async (theme: Theme) => {
		const store = await openKeyWithValue(pngSample);
		return draw(
			createTestApp(store),
			<ThemeContext value={theme}>
				<Key />
			</ThemeContext>,
		).rows();
	};

	test('is drawn as half blocks, and described', async () => {
		const rows = await drawImage(getTheme('dark', true));
		expect(rows[0]).toContain('PNG, 16x8 · ');
		expect(rows.slice(2, 6).map(row => row.trimEnd())).toEqual(
			Array.from({length: 4}, () => `   ${'▀'.repeat(16)}`),
		);
	});

	test.each([
		['colours are off', getTheme('none', true)],
		['there are few colours', {...getTheme('dark', true), colorDepth: 4}],
		['the terminal is not UTF-8', getTheme('dark', false)],
	] as const)('is drawn in shades if %s, and says so', async (_when, theme) => {
		const rows = await drawImage(theme);
		expect(rows.join('\n')).toContain('Drawn in shades: this terminal shows too few colors.');
		expect(rows.join('\n')).not.toContain('▀');
		expect(rows.slice(4, 7).join('')).toMatch(/[░.:]/);
	});

	test('sends no byte of the image to the terminal', async () => {
		const store = await openKeyWithValue(Buffer.concat([pngSample, Buffer.from('\u001b]0;title\u0007')]));
		expect(
			draw(createTestApp(store), <Key />)
				.rows()
				.join('\n'),
		).not.toContain('title');
	});
});
