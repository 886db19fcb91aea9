import {describe, expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {MigrationState} from '../../../source/screens/migration/state.ts';
import {Migration} from '../../../source/screens/migration/view/view.tsx';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {configuration, migrationWith, plan} from '../support/migration.ts';
import {createTestStore} from '../support/store.ts';

const rowNames = Array.from({length: 160}, (_none, index) => `row ${index + 1}.`);

const buildLongReview = (more: Partial<MigrationState> = {}) =>
	migrationWith({
		plan: {
			...plan,
			edits: [],
			warnings: [],
			notMigrated: [],
			sections: [
				{
					title: 'Managed rules',
					rows: rowNames.map(what => ({what, now: 'on', after: 'the same'})),
				},
			],
		},
		...more,
	});

/** Draws a given migration in a terminal of this size, with the ways to use it. */
function drawMigration(migration: MigrationState, size = {columns: 80, rows: 24}) {
	const testStore = createTestStore();
	const app = createTestApp(testStore);
	app.store.setState({
		migration: {...app.store.getState().migration, data: migration},
		navigation: {...app.store.getState().navigation, stack: ['home', 'migration']},
	});
	const drawn = draw(app, <Migration />, size);
	const {state} = testStore;
	const getMigration = (): MigrationState => {
		const migrationState = state().migration.data;
		if (!migrationState) throw new Error('There is no migration.');
		return migrationState;
	};
	return {
		space: testStore,
		drawn,
		now: getMigration,
		press: (...keys: readonly string[]) => {
			for (const key of keys) dispatch(app, createKey(key, ''));
		},
		hints: () => listHintedActions(app.actions, state()).map(({keys, hint}) => `${keys[0]} ${hint}`),
	};
}

describe('a review longer than the screen', () => {
	test.each([
		{columns: 60, rows: 15},
		{columns: 80, rows: 24},
		{columns: 200, rows: 60},
	])('is read page by page with enter before it counts as reviewed, at $columns×$rows', async size => {
		const person = drawMigration(buildLongReview(), size);
		const seen = new Set<string>();
		const collectRowNames = async () => {
			await person.drawn.until(rows => rows.some(row => row.includes('row ')));
			for (const [name] of person.drawn
				.rows()
				.join('\n')
				.matchAll(/row \d+\./g))
				seen.add(name);
		};
		await collectRowNames();
		let pages = 1;
		for (; person.hints().includes('enter read on'); pages++) {
			const {top} = person.now();
			person.press('enter');
			expect(person.now().top).toBeGreaterThan(top);
			await collectRowNames();
		}
		expect([...seen]).toEqual(rowNames);
		expect(person.hints()).toContain('enter I have reviewed this');
		expect(pages).toBeGreaterThan(2);
	});

	test('cannot be passed by enter before its last row is shown', () => {
		const person = drawMigration(buildLongReview());
		person.press('enter', 'enter');
		person.space.advanceClock(1000);
		expect(person.now().step).toBe('review');
		expect(person.hints()[0]).toBe('enter read on');
	});

	test.each([['G'], ['end']])('does not count as read after %s, which skips rows', key => {
		const person = drawMigration(buildLongReview());
		person.press(key);
		expect(person.hints()[0]).toBe('enter go to unread part');
	});

	test('counts as read after G if nothing was skipped', () => {
		const person = drawMigration(buildLongReview({plan: {...plan, sections: []}}), {columns: 60, rows: 15});
		expect(person.hints()[0]).toBe('enter read on');
		person.press('G');
		expect(person.hints()[0]).toBe('enter I have reviewed this');
	});

	test('counts as read after scrolling through every row', () => {
		const person = drawMigration(buildLongReview());
		for (let count = 0; count < 400 && person.hints().includes('enter read on'); count++)
			person.press('down');
		expect(person.hints()[0]).toBe('enter I have reviewed this');
	});

	test('scrolls by rows with j and k', () => {
		const person = drawMigration(buildLongReview());
		person.press('j', 'j', 'k');
		expect(person.now().top).toBe(1);
	});

	test('has to be read again if the width changes and its rows with it', () => {
		const person = drawMigration(buildLongReview(), {columns: 60, rows: 15});
		for (let count = 0; count < 400 && person.hints().includes('enter read on'); count++)
			person.press('enter');
		person.space.state().navigation.resize({columns: 200, rows: 15});
		expect(person.hints()[0]).toBe('enter go to unread part');
	});

	test('continues from where it was read, not from where it was scrolled back to', () => {
		const person = drawMigration(buildLongReview());
		person.press('enter', 'enter');
		const {top} = person.now();
		person.press('g', 'enter');
		expect(person.now().top).toBeGreaterThan(top);
	});

	test('is read in its JSON as well as in its comparison', () => {
		const rules = Array.from({length: 30}, () => configuration.rules).flat();
		const person = drawMigration(buildLongReview({configuration: {...configuration, rules}}));
		person.press('t');
		expect(person.hints()[0]).toBe('enter read on');
		person.press('G');
		expect(person.hints()[0]).toBe('enter go to unread part');
		for (let count = 0; count < 200 && !person.hints().includes('enter I have reviewed this'); count++)
			person.press('enter');
		expect(person.hints()[0]).toBe('enter I have reviewed this');
	});
});

test('a review that fits on the screen counts at once', () => {
	const person = drawMigration(migrationWith(), {columns: 200, rows: 60});
	expect(person.hints()[0]).toBe('enter I have reviewed this');
});

test('the text beside the comparison on a wide screen scrolls with it, and must be read too', async () => {
	const warnings = Array.from({length: 90}, (_none, index) => `warning ${index + 1}.`);
	const person = drawMigration(migrationWith({plan: {...plan, warnings}}), {columns: 200, rows: 60});
	await person.drawn.until(rows => rows.some(row => row.includes('warning 1.')));
	expect(person.drawn.rows().join('\n')).toMatch(/… \d+ more rows/);
	expect(person.hints()[0]).toBe('enter read on');
	person.press('enter');
	await person.drawn.until(rows => rows.some(row => row.includes('warning 90.')));
	expect(person.hints()[0]).toBe('enter I have reviewed this');
});

describe('arrow keys taken by a menu', () => {
	const done = migrationWith({step: 'done', plan: buildLongReview().plan, record: {state: 'complete'}});
	const lostSettings = Array.from({length: 40}, (_none, index) => ({
		what: 'group',
		id: `g${index}`,
		setting: 'off',
		next: 'Do it.',
	}));
	const longDone = {...done, plan: {...plan, notMigrated: lostSettings}};

	test('leave space to read on, as the hints say', () => {
		const person = drawMigration(longDone);
		expect(person.hints()).toContain('space more');
		person.press('space');
		expect(person.now().top).toBeGreaterThan(0);
	});

	test.each([
		['G', 'g'],
		['end', 'home'],
	])('leave %s to scroll the text to its end, and %s to scroll back', (last, first) => {
		const person = drawMigration(longDone);
		person.press(last);
		const {top, cursor} = person.now();
		expect([top > 10, cursor]).toEqual([true, 0]);
		person.press(first);
		expect(person.now().top).toBe(0);
	});

	test('add no hint to read on if all is visible', () => {
		const person = drawMigration(migrationWith({step: 'path'}));
		expect(person.hints().filter(hint => hint.endsWith('more'))).toEqual([]);
	});
});

describe('a long list', () => {
	const rules = Array.from({length: 60}, () => ({action: 'log', expression: 'true'}));
	const editing = migrationWith({step: 'edit', configuration: {name: 'default', rules}});

	test('is navigated by pages, and to its ends', () => {
		const person = drawMigration(editing);
		person.press('pagedown');
		const {cursor} = person.now();
		expect(cursor).toBeGreaterThan(5);
		person.press('G');
		expect(person.now().cursor).toBe(59);
		person.press('home');
		expect(person.now().cursor).toBe(0);
	});

	test('makes the full text of a row reachable', async () => {
		const expression = `http.request.uri.path in {${Array.from({length: 200}, (_none, index) => `"/path-${index}"`).join(' ')}}`;
		const person = drawMigration({
			...editing,
			configuration: {name: 'default', rules: [{action: 'log', expression}]},
		});
		await person.drawn.until(rows => rows.some(row => row.includes('"/path-0"')));
		expect(person.hints()).toContain('ctrl-d more');
		for (let count = 0; count < 200 && person.hints().includes('ctrl-d more'); count++)
			person.press('ctrl-d');
		await person.drawn.until(rows => rows.some(row => row.includes('"/path-199"')));
	});
});

test('undo is not offered in validation if the active configuration is unchanged', () => {
	// The plan compares with the old proposal of the service, not with the active configuration.
	expect(drawMigration(migrationWith({plan})).hints()).not.toContain('u undo');
});

test('undo is offered only if something was edited', () => {
	expect(drawMigration(migrationWith()).hints()).not.toContain('u undo');
	const rules = configuration.rules.slice(1);
	expect(drawMigration(migrationWith({configuration: {...configuration, rules}})).hints()).toContain(
		'u undo',
	);
});
