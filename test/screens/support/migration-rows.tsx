import {expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {listBlockerRows, type MigrationState} from '../../../source/screens/migration/state.ts';
import {buildMigrationView} from '../../../source/screens/migration/view/layout.ts';
import {Migration} from '../../../source/screens/migration/view/view.tsx';
import type {Row} from '../../../source/screens/rows/rows.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from './drawn.tsx';
import {createTestStore} from './store.ts';

export const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
] as const;

export type Size = {readonly columns: number; readonly rows: number};

/** Draws a migration in a terminal of this size; returns the rows. */
export async function drawMigrationRows(
	migration: MigrationState,
	size: Size = sizes[1],
): Promise<readonly string[]> {
	const app = createTestApp(createTestStore());
	app.store.setState({migration: {...app.store.getState().migration, data: migration}});
	const drawn = draw(app, <Migration />, size);
	await drawn.until(rows => rows.some(row => row !== ''));
	return drawn.rows();
}

/** The rows seen while scrolling to the end; for the blockers, also with the cursor on each of them. */
async function drawAllRows(migration: MigrationState, size: Size): Promise<readonly string[]> {
	const allRowsSeen: string[] = [];
	if (migration.step === 'blockers')
		for (const cursor of listBlockerRows(migration).keys())
			allRowsSeen.push(...(await drawMigrationRows({...migration, cursor}, size)));
	const step = Math.max(1, size.rows - 12);
	for (let top = 0; top < 200; top += step) {
		const rows = await drawMigrationRows({...migration, top}, size);
		if (allRowsSeen.length > 0 && rows.join('\n') === allRowsSeen.slice(-rows.length).join('\n')) break;
		allRowsSeen.push(...rows);
	}
	return allRowsSeen;
}

/** The text beside the column of the steps, without blanks, so that wrapped text is found, too. */
export const joinWithoutBlanks = (rows: readonly string[], size: Size): string =>
	rows
		.map(row => (size.columns >= 76 ? row.slice(size.columns < 110 ? 20 : 31) : row))
		.join('')
		.replaceAll(/\s/g, '');

/** States of a migration by name, each with the texts that must be shown. */
export type Situations = Readonly<
	Record<string, {readonly migration: MigrationState; readonly shows: readonly string[]}>
>;

const measureRow = (row: Row): number => row.reduce((sum, {text}) => sum + measureColumns(text), 0);

/** Tests that each situation shows its texts in full, and that its rows fit, at each size of the terminal. */
export function testSituations(situations: Situations): void {
	const situationCases = Object.entries(situations).flatMap(([name, situation]) =>
		sizes.map(size => ({name, size, columns: size.columns, rows: size.rows, ...situation})),
	);

	test.each(situationCases)('$name: everything that matters is shown in full, at $columns×$rows', async ({
		migration,
		shows,
		size,
	}) => {
		const text = joinWithoutBlanks(await drawAllRows(migration, size), size);
		for (const expectedText of shows) expect(text).toContain(expectedText.replaceAll(/\s/g, ''));
	});

	test.each(
		situationCases,
	)('$name: no row is too wide and there are not too many, at $columns×$rows', async ({migration, size}) => {
		const rows = await drawMigrationRows(migration, size);
		expect(Math.max(...rows.map(measureColumns))).toBeLessThanOrEqual(size.columns);
		expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
	});

	test.each(situationCases)('$name: every row fits in its place, at $columns×$rows', ({migration, size}) => {
		const {marks} = getTheme('dark', true);
		const {layout, body, tail} = buildMigrationView(migration, size, marks, Date.now());
		for (const row of [...body.rows, ...tail]) expect(measureRow(row)).toBeLessThanOrEqual(layout.columns);
		for (const row of layout.sideColumns === undefined ? [] : (body.side ?? []))
			expect(measureRow(row)).toBeLessThanOrEqual(layout.sideColumns ?? 0);
	});
}
