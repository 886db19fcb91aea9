import {expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {listBlockerRows, type MigrationState} from '../../../source/screens/migration/state.ts';
import {buildMigrationView} from '../../../source/screens/migration/view/layout.ts';
import {Migration} from '../../../source/screens/migration/view/view.tsx';
import type {Row} from '../../../source/screens/rows/rows.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {appOf, draw} from './drawn.tsx';
import {createTestStore} from './store.ts';

export const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
] as const;

export type Size = {readonly columns: number; readonly rows: number};

/** The rows of a migration as they stand on a terminal of that size. */
export async function rowsOf(migration: MigrationState, size: Size = sizes[1]): Promise<readonly string[]> {
	const app = appOf(createTestStore());
	app.store.setState({migration: {...app.store.getState().migration, data: migration}});
	const drawn = draw(app, <Migration />, size);
	await drawn.until(rows => rows.some(row => row !== ''));
	return drawn.rows();
}

/** What is read when scrolled through from the top to the end; of a list, with the cursor on each of its rows. */
async function allRows(migration: MigrationState, size: Size): Promise<readonly string[]> {
	const all: string[] = [];
	if (migration.step === 'blockers')
		for (const cursor of listBlockerRows(migration).keys())
			all.push(...(await rowsOf({...migration, cursor}, size)));
	const step = Math.max(1, size.rows - 12);
	for (let top = 0; top < 200; top += step) {
		const rows = await rowsOf({...migration, top}, size);
		if (all.length > 0 && rows.join('\n') === all.slice(-rows.length).join('\n')) break;
		all.push(...rows);
	}
	return all;
}

/** Without what stands in the columns of the steps: only letters and digits, so that broken words count as whole. */
export const dense = (rows: readonly string[], size: Size): string =>
	rows
		.map(row => (size.columns >= 76 ? row.slice(size.columns < 110 ? 20 : 31) : row))
		.join('')
		.replaceAll(/\s/g, '');

/** Steps and phases that a person can come to, each with what must be seen in it. */
export type Situations = Readonly<
	Record<string, {readonly migration: MigrationState; readonly shows: readonly string[]}>
>;

const widthOf = (row: Row): number => row.reduce((sum, {text}) => sum + measureColumns(text), 0);

/** That each of them is there whole, and keeps to its place, on each size of terminal. */
export function testSituations(situations: Situations): void {
	const named = Object.entries(situations).flatMap(([name, situation]) =>
		sizes.map(size => ({name, size, columns: size.columns, rows: size.rows, ...situation})),
	);

	test.each(named)('$name: everything that matters is shown in full, at $columns×$rows', async ({
		migration,
		shows,
		size,
	}) => {
		const text = dense(await allRows(migration, size), size);
		for (const wanted of shows) expect(text).toContain(wanted.replaceAll(/\s/g, ''));
	});

	test.each(named)('$name: no row is too wide and there are not too many, at $columns×$rows', async ({
		migration,
		size,
	}) => {
		const rows = await rowsOf(migration, size);
		expect(Math.max(...rows.map(measureColumns))).toBeLessThanOrEqual(size.columns);
		expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
	});

	test.each(named)('$name: every row fits in its place, at $columns×$rows', ({migration, size}) => {
		const {marks} = getTheme('dark', true);
		const {layout, body, tail} = buildMigrationView(migration, size, marks, Date.now());
		for (const row of [...body.rows, ...tail]) expect(widthOf(row)).toBeLessThanOrEqual(layout.columns);
		for (const row of layout.sideColumns === undefined ? [] : (body.side ?? []))
			expect(widthOf(row)).toBeLessThanOrEqual(layout.sideColumns ?? 0);
	});
}
