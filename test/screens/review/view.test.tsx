import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getScreenPath} from '../../../source/screens/path.ts';
import {findChangedSpans} from '../../../source/screens/review/changed-spans.ts';
import {computeDifference} from '../../../source/screens/review/difference.ts';
import {buildCellParts, createDifferenceLayout} from '../../../source/screens/review/difference-rows.ts';
import {formatReviewStatus, Review} from '../../../source/screens/review/view.tsx';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {measureColumns, toDrawable} from '../../../source/text/columns.ts';
import {runSteps} from '../../../source/text/steps.ts';
import {getRunCount} from '../../support/full.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createEditingPerson, createOtherPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];

async function openKeyWithValue(value: string | Uint8Array, name = 'it') {
	const store = createTestStore();
	await store.openNamespace('assets');
	const others = createOtherPerson(store);
	await store.state().keys.data?.opened.store.put(name, Buffer.from(value), {metadata: {v: 2}}, store.signal);
	const person = createEditingPerson(store);
	await person.openKey(name);
	return {...store, person, others, app: createTestApp(store)};
}

const json = '{"name":"Ada","roles":["admin","ops"],"seen":1,"one":1,"two":2,"three":3,"four":4}';

test('a change is shown beside the stored value, one field per line, with the unchanged parts below', async () => {
	const {person, app, state} = await openKeyWithValue(json);
	person.editField(['roles', 0]);
	person.retype('owner');
	await state().review.begin();
	const rows = draw(app, <Review />).rows();
	expect(rows.slice(0, 14)).toEqual([
		'   The stored key has not changed since you opened it.',
		'',
		'       before                                after',
		'   1   {                                 1   {',
		'   2     "name": "Ada",                  2     "name": "Ada",',
		'   3     "roles": [                      3     "roles": [',
		'   4 -     "admin",                      4 +     "owner",',
		'   5       "ops"                         5       "ops"',
		'   6     ],                              6     ],',
		'   7     "seen": 1,                      7     "seen": 1,',
		'     ── 5 unchanged lines ──',
		'',
		`   no expiration · metadata stays {"v":2} (m edits it separately) · ${json.length} bytes`,
		'',
	]);
	expect(rows.slice(14, 16)).toEqual(['   y write the key   esc back to the editor', '']);
	expect(formatReviewStatus(state())).toBe('nothing has been sent');
	expect(getScreenPath(state())).toEqual(['ledge', 'assets', 'it', 'review']);
});

test.each([
	['only the stored value has', 'one\ntwo\n', 'one\ntwo', '+ \\ No newline at end of value'],
	['only the new value has', 'one\ntwo', 'one\ntwo\n', '- \\ No newline at end of value'],
	['only the stored JSON has', `${json}\n`, json.replace('Ada', 'Bea'), '+ \\ No newline at end of value'],
])('%s a final line feed: this is shown as in diff', async (_what, before, after, marker) => {
	const {person, app, state} = await openKeyWithValue(before);
	person.editValue();
	person.retype(after);
	await state().review.begin();
	for (const columns of [60, 80]) {
		const rows = draw(app, <Review />, {columns, rows: 40}).rows();
		const marked = rows.filter(row => row.includes('No newline at end of value'));
		expect(marked).toHaveLength(1);
		expect(marked[0]?.trim()).toBe(marker);
	}
});

test.each([
	['one\ntwo\n', 'one\n2\n'],
	['one\ntwo', 'one\n2'],
	['', 'one\n'],
])('a missing final line feed is not marked from %j to %j', async (before, after) => {
	const {person, app, state} = await openKeyWithValue(before);
	person.editValue();
	person.retype(after);
	await state().review.begin();
	expect(
		draw(app, <Review />)
			.rows()
			.join('\n'),
	).not.toContain('No newline');
});

test('a line that reads like the mark is a numbered line', async () => {
	const {person, app, state} = await openKeyWithValue('one\n');
	person.editValue();
	person.retype('one\n\\ No newline at end of value');
	await state().review.begin();
	const rows = draw(app, <Review />, {columns: 60, rows: 24}).rows();
	expect(rows.filter(row => row.includes('No newline'))).toEqual([
		'   2 + \\ No newline at end of value',
		'     + \\ No newline at end of value',
	]);
});

test('below 80 columns, one version is shown below the other', async () => {
	const {person, app, state} = await openKeyWithValue(json);
	person.editField(['name']);
	person.retype('Bea');
	await state().review.begin();
	const rows = draw(app, <Review />, {columns: 60, rows: 24}).rows();
	expect(rows).toContain('   2 -   "name": "Ada",');
	expect(rows[rows.indexOf('   2 -   "name": "Ada",') + 1]).toBe('   2 +   "name": "Bea",');
});

test('changes by others are marked, and distinguished from changes by both', async () => {
	const {person, app, state, others} = await openKeyWithValue(json);
	person.editValue();
	person.retype(json.replace('Ada', 'Bea').replace('"seen":1', '"seen":2'));
	await others.put('it', json.replace('Ada', 'Cleo').replace('"two":2', '"two":3'));
	await state().review.begin();
	const rows = draw(app, <Review />, {columns: 80, rows: 40}).rows();
	expect(rows[0]).toBe(' ! Changed since you opened it.');
	expect(rows).toContain('   No merge, because both sides changed name (theirs "Cleo", yours "Bea").');
	expect(rows.some(row => /^ +stored now +yours$/.test(row))).toBe(true);
	expect(rows.find(row => row.includes('"name": "Cleo"'))).toMatch(/^ × +2 - .*"Cleo".*2 \+ .*"Bea"/);
	expect(rows.find(row => row.includes('"seen": 2'))).toMatch(/^ {3} *7 - .*7 \+ /);
	expect(rows.find(row => row.includes('"two": 3'))).toMatch(/^ ! +9 - .*9 \+ /);
	expect(rows.findIndex(row => row.includes('Back to the editor'))).toBeLessThan(
		rows.findIndex(row => row.includes('Overwrite with mine')),
	);
});

test('an expiration so near that the review asks about it is not shown as unchanged, and counts down', async () => {
	const {person, app, state, signal} = await openKeyWithValue(json);
	const expiration = Math.floor(Date.now() / 1000) + 100;
	await state().keys.data?.opened.store.put('it', Buffer.from(json), {expiration}, signal);
	await person.openKey('it');
	person.editField(['name']);
	person.retype('Bea');
	await state().review.begin();
	const screen = draw(app, <Review />);
	expect(screen.rows().join('\n')).toContain('expiration stays');
	screen.unmount();
	vi.useFakeTimers({now: (expiration - 30) * 1000, toFake: ['Date', 'setInterval', 'setTimeout']});
	onTestFinished(() => void vi.useRealTimers());
	const screenNearExpiration = draw(app, <Review />);
	expect(screenNearExpiration.rows().join('\n')).toContain('The key expires in 30 s');
	expect(screenNearExpiration.rows().join('\n')).not.toContain('expiration stays');
	await vi.advanceTimersByTimeAsync(3000);
	await screenNearExpiration.until(rows => rows.join('\n').includes('The key expires in 27 s'));
});

test('at 80 columns, a change of the expiration is shown with both times in full', async () => {
	const {person, app, state, signal} = await openKeyWithValue(json);
	const expiration = Math.floor(Date.now() / 1000) + 600_000;
	await state().keys.data?.opened.store.put('it', Buffer.from(json), {expiration}, signal);
	await person.openKey('it');
	person.editExpiry();
	person.retype('2031-01-31 09:00');
	await state().review.begin();
	const text = draw(app, <Review />)
		.rows()
		.join(' ')
		.replace(/\s+/g, ' ');
	expect(text).toMatch(/expiration \S+ \S+ UTC \(in \d+ d\) becomes 2031-01-31 09:00 UTC \(in [^…]+\)/);
});

test('bytes are shown by their sizes and the beginnings of their SHA-256', async () => {
	const {app, state, others} = await openKeyWithValue(Uint8Array.from([0, 1, 2]));
	await others.put('other', 'x');
	await state().review.beginDeletion('it', undefined);
	const rows = draw(app, <Review />).rows();
	expect(rows).toContain('   stored now           3 bytes, SHA-256 ae4b3280e56e2faf…');
	expect(rows).toContain('   y delete the key   esc keep the key');
});

test('a failed write says what is known and what can be done', async () => {
	const {person, app, state, simulator} = await openKeyWithValue(json);
	person.editField(['name']);
	person.retype('Bea');
	await state().review.begin();
	simulator.faults.add('method=PUT status=500');
	await person.choose('write');
	const rows = draw(app, <Review />).rows();
	expect(rows.join(' ').replace(/\s+/g, ' ')).toContain(
		'it may or may not have been written. Your edit is kept.',
	);
	expect(rows).toContain(' ▸ Check what is stored now');
	expect(formatReviewStatus(state())).toBe('outcome unknown: it may have taken effect');
});

describe.each(sizes)('at $columns×$rows', size => {
	const buildLongJson = (word: string) =>
		JSON.stringify(
			Object.fromEntries(
				Array.from({length: 20}, (_, at) => [`${'名前 '.repeat(20)}${at}`, word.repeat(10)]),
			),
		);

	test('no line wraps, the choices are visible, and the whole difference can be scrolled to', async () => {
		const {person, app, state, others} = await openKeyWithValue(buildLongJson('é名\u202e👩‍👩‍👧‍👦'));
		person.editValue();
		person.retype(buildLongJson('x名\u001b[2J'));
		await others.put('it', `${buildLongJson('y')} `, {metadata: {long: 'm'.repeat(900)}});
		await state().review.begin();
		const drawn = draw(app, <Review />, size);
		for (const by of [0, 7, Number.POSITIVE_INFINITY]) {
			const before = drawn.countFrames();
			state().review.scroll(by, 10_000);
			if (by !== 0) await drawn.until(() => drawn.countFrames() > before);
			const rows = drawn.rows();
			expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
			for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(size.columns);
			for (const {label} of person.choices()) expect(rows.some(row => row.includes(label))).toBe(true);
			expect(rows.join('\n')).not.toMatch(/[\u202e\u001b]/);
		}
	});
});

test('at 40×10, y shows the rest of the difference before it writes', async () => {
	const {person, app, state, others, advanceClock} = await openKeyWithValue(json);
	person.editField(['roles', 0]);
	person.retype('owner');
	state().navigation.resize({columns: 40, rows: 10});
	await state().review.begin();
	const drawn = draw(app, <Review />, {columns: 40, rows: 10});
	const text = () => drawn.rows().join('\n');
	let presses = 0;
	for (; text().includes('y read on'); presses++) {
		expect(presses).toBeLessThan(20);
		advanceClock(minReviewMs);
		const before = drawn.countFrames();
		dispatch(app, createTextKey('y'));
		await drawn.until(() => drawn.countFrames() > before);
		expect(state().review.data?.phase).toBe('asking');
	}
	expect(presses).toBeGreaterThan(1);
	expect(text()).toContain('y write the key');
	expect((await others.read('it'))?.value).toBe(json);
	advanceClock(minReviewMs);
	dispatch(app, createTextKey('y'));
	await drawn.until(() => state().review.data === undefined);
	expect((await others.read('it'))?.value).toContain('owner');
});

describe('the changed part of a line', () => {
	test.each([
		['"roles": ["admin"],', '"roles": ["owner"],', 'admin', 'owner'],
		['abc', 'abxc', '', 'x'],
		['e', 'e\u0301', 'e', 'e\u0301'],
		['👩‍👩‍👧', '👩‍👩‍👦', '👩‍👩‍👧', '👩‍👩‍👦'],
	])('of %s and %s consists of whole characters', (before, after, removed, added) => {
		const spans = findChangedSpans(before, after);
		expect(spans.before.map(({from, to}) => before.slice(from, to))).toEqual([removed]);
		expect(spans.after.map(({from, to}) => after.slice(from, to))).toEqual([added]);
	});

	const longLine =
		'main { max-width: 60rem; margin: 0 auto; padding: 0 1rem 2rem 1rem; font: 1rem/1.5 system-ui; }';

	test('at the start and at the end of a long line is visible in both places', () => {
		const changed = `/* new */ ${longLine.replace('system-ui', 'serif')}`;
		const spans = findChangedSpans(longLine, changed);
		expect(spans.after.map(({from, to}) => changed.slice(from, to))).toEqual(['/* new */ ', 'serif']);
		const drawParts = (text: string, changes: (typeof spans)['after'], columns: number) =>
			buildCellParts({lineNumber: 2, mark: '+', text, changes}, columns)
				.map(({text: part, differs}) => (differs ? `[${part}]` : part))
				.join('');
		expect(drawParts(changed, spans.after, 60)).toMatch(/^\[\/\* new \*\/ \]main .*….* \[serif\]…$/);
		expect(drawParts(changed, spans.after, 34)).toMatch(/^\[\/\* new \*\/ \].*….*\[serif\]/);
		expect(drawParts(longLine, spans.before, 34)).toMatch(/^.*….*\[system-ui\]/);
	});

	test('between equal texts covers what differs, and nothing else is marked', () => {
		const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'é', '名前', ';', ' ', '👩‍👩‍👧'), {
			maxLength: 60,
		});
		fc.assert(
			fc.property(words, words, words, (one, two, three) => {
				const before = [...one, ...two, ...three].join('');
				const after = [...three, ...two, ...one].join('');
				const spans = findChangedSpans(before, after);
				const listEqual = (text: string, changes: (typeof spans)['after']) =>
					[...changes, {from: text.length, to: text.length}].map(({from}, index) =>
						text.slice(changes[index - 1]?.to ?? 0, from),
					);
				expect(listEqual(before, spans.before)).toEqual(listEqual(after, spans.after));
			}),
			{numRuns: getRunCount(300)},
		);
	});

	test('is visible however many there are, within the available columns', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.tuple(
						fc.string({unit: 'grapheme', maxLength: 80}),
						fc.string({unit: 'grapheme', minLength: 1, maxLength: 30}),
					),
					{minLength: 1, maxLength: 6},
				),
				fc.integer({min: 30, max: 90}),
				(pairs, columns) => {
					let text = '';
					const changes = pairs.map(([equal, changed]) => {
						const from = text.length + equal.length;
						text += equal + changed;
						return {from, to: from + changed.length};
					});
					const parts = buildCellParts({lineNumber: 1, mark: '+', text: `${text}end`, changes}, columns);
					expect(measureColumns(parts.map(part => part.text).join(''))).toBeLessThanOrEqual(columns);
					const visible = changes.filter(({from, to}) => toDrawable(text.slice(from, to)) !== '');
					expect(parts.filter(({differs}) => differs)).toHaveLength(visible.length);
				},
			),
			{numRuns: getRunCount(300)},
		);
	});

	test('is visible however long the line is, within the available columns', () => {
		fc.assert(
			fc.property(
				fc.string({unit: 'grapheme', maxLength: 400}),
				fc.string({unit: 'grapheme', minLength: 1, maxLength: 20}),
				fc.string({unit: 'grapheme', maxLength: 400}),
				fc.integer({min: 20, max: 90}),
				(head, middle, tail, columns) => {
					const text = head + middle + tail;
					const cell = {
						lineNumber: 1,
						mark: '-',
						text,
						changes: [{from: head.length, to: head.length + middle.length}],
					} as const;
					const parts = buildCellParts(cell, columns);
					const drawn = parts.map(part => part.text).join('');
					expect(measureColumns(drawn)).toBeLessThanOrEqual(columns);
					expect(parts.some(({differs}) => differs)).toBe(true);
				},
			),
			{numRuns: getRunCount(300)},
		);
	});
});

test('every line of both versions has its place in the rows, in either layout', async () => {
	const line = fc.constantFrom('a', 'b', 'c', '{', '');
	await fc.assert(
		fc.asyncProperty(
			fc.array(line, {maxLength: 20}),
			fc.array(line, {maxLength: 20}),
			fc.boolean(),
			async (before, after, wide) => {
				const buildVersion = (lines: readonly string[]) => ({
					bytes: Buffer.from(lines.join('\n')),
					metadata: null,
				});
				const compared = {base: undefined, stored: buildVersion(before), mine: buildVersion(after)};
				const difference = runSteps(computeDifference(compared));
				if (difference.kind !== 'lines') {
					expect(before.join('\n')).toBe(after.join('\n'));
					return;
				}
				const layout = createDifferenceLayout(difference, wide);
				const lineCounts = {left: 0, right: 0};
				for (let at = 0; at < layout.rowCount; at++) {
					const row = layout.at(at);
					if (row?.kind === 'skipped') {
						lineCounts.left += row.rowCount;
						lineCounts.right += row.rowCount;
					} else if (row?.kind === 'pair') {
						for (const cell of ['left', 'right'] as const)
							if (row[cell]?.lineNumber !== undefined) expect(row[cell].lineNumber).toBe(++lineCounts[cell]);
					} else if (row?.cell.lineNumber === undefined) {
						expect(row?.cell.text).toBe('\\ No newline at end of value');
					} else if (row?.cell.mark !== '+') {
						lineCounts.left++;
						if (row?.cell.mark === ' ') lineCounts.right++;
					} else lineCounts.right++;
				}
				// If only one version ends with a line feed, a row "No newline" says so, and the empty last
				// line of that version is not a row.
				const [beforeText, afterText] = [before.join('\n'), after.join('\n')];
				const hasNoNewlineRow =
					beforeText !== '' && afterText !== '' && beforeText.endsWith('\n') !== afterText.endsWith('\n');
				const count = (text: string) =>
					text.split('\n').length - (hasNoNewlineRow && text.endsWith('\n') ? 1 : 0);
				expect(lineCounts).toEqual({left: count(beforeText), right: count(afterText)});
			},
		),
	);
});

describe('a new value', () => {
	const warning = 'The value was JSON and is not valid JSON now.';

	/** The choices of the review of a new text, and what its screen shows. */
	async function reviewChange(before: string | Uint8Array, after: string) {
		const space = await openKeyWithValue(before);
		space.person.editValue();
		space.person.retype(after);
		await space.state().review.begin();
		const rows = draw(space.app, <Review />).rows();
		return {...space, rows, choices: space.person.choices().map(({kind}) => kind)};
	}

	test('that replaces JSON and is not valid JSON is reported', async () => {
		const {rows, choices} = await reviewChange(json, json.slice(0, -1));
		expect(rows.join('\n')).toContain(warning);
		expect(choices).toEqual(['write']);
		expect(rows).toContainEqual('   y write the key   esc back to the editor');
	});

	test('that replaces JSON and is not valid JSON can still be written', async () => {
		const {person, others} = await reviewChange(json, 'plain');
		await person.choose('write');
		expect((await others.read('it'))?.value).toBe('plain');
	});

	test.each([
		{named: 'another JSON value', before: json, after: '[1]'},
		{named: 'a number, which is JSON', before: json, after: '5'},
		{named: 'text that never was JSON', before: '{no json', after: '{still none'},
		{named: 'a number that becomes a word', before: '5', after: 'five'},
	])('$named: nothing is reported', async ({before, after}) => {
		const {rows, choices} = await reviewChange(before, after);
		expect(rows.join('\n')).not.toContain(warning);
		expect(choices).toEqual(['write']);
	});

	test.each([
		{named: 'emptied', before: 'text', after: '', expectedWarning: 'The value had 4 bytes and is empty now.'},
		{
			named: 'a hundredfold',
			before: 'text',
			after: 'x'.repeat(400),
			expectedWarning: 'The value grows 100-fold: 4 → 400 bytes.',
		},
	])('$named: a warning is shown', async ({before, after, expectedWarning}) => {
		const {rows, choices} = await reviewChange(before, after);
		expect(rows.join('\n')).toContain(`! ${expectedWarning}`);
		expect(choices).toEqual(['write']);
	});

	test('that is not valid JSON is reported even if others wrote meanwhile', async () => {
		const {person, others, state} = await openKeyWithValue(json);
		person.editValue();
		person.retype('{');
		await others.put('it', json.replace('Ada', 'Bea'));
		await state().review.begin();
		expect(state().review.data?.finding?.warnings).toEqual(['The value was JSON and is not valid JSON now.']);
		expect(person.choices()[0]?.kind).toBe('go back');
	});

	test('that is text again needs no confirmation if an undo restores it', async () => {
		const {person, state, others} = await reviewChange('text', '{"now":"json"}');
		await person.choose('write');
		await state().review.beginUndo();
		expect((await others.read('it'))?.value).toBe('text');
	});
});
