import {describe, expect, test} from 'vitest';
import {Header, type HeaderProps, listCutTexts} from '../../../source/components/frame.tsx';
import {getTheme, type ThemeName} from '../../../source/components/theme.ts';
import {DialogView} from '../../../source/screens/shell/dialog.tsx';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

/** Draws a header with all of its parts, in production by default, and returns its row. */
async function drawHeaderRow(columns: number, theme: ThemeName = 'dark', production = true): Promise<string> {
	const drawn = draw(
		createTestApp(createTestStore()),
		<Header
			path={['ledge', 'CONFIG', 'a key with a long name', 'review']}
			name="customer-prod"
			color="magenta"
			sideDetails={['enterprise', 'Acme (simulated)', 'green']}
			badges={['REMOTE', 'READ-ONLY']}
			isProduction={production}
			columns={columns}
		/>,
		{columns, rows: 24},
		theme,
	);
	await drawn.until(rows => rows[0]?.includes('REMOTE') === true);
	return drawn.rows()[0] ?? '';
}

test.each([
	[60, /customer-prod · ⟨ REMOTE ⟩ READ-ONLY +PRODUCTION$/],
	[80, /customer-prod · ⟨ REMOTE ⟩ READ-ONLY +PRODUCTION$/],
	[130, /customer-prod · enterprise · ⟨ REMOTE ⟩ READ-ONLY +PRODUCTION$/],
	[
		200,
		/a key with a long name › review +customer-prod · enterprise · Acme \(simulated\) · green · ⟨ REMOTE ⟩ READ-ONLY +PRODUCTION$/,
	],
])('with %i columns the environment is dropped first, then account and plan, but never context, target and PRODUCTION', async (columns, expectedRow) => {
	const row = await drawHeaderRow(columns);
	expect(row).toMatch(expectedRow);
	expect(measureColumns(row)).toBeLessThanOrEqual(columns);
});

test('without colours production is still a word, and outside production it is absent', async () => {
	expect(await drawHeaderRow(80, 'none')).toContain('PRODUCTION');
	expect(await drawHeaderRow(80, 'none', false)).not.toContain('PRODUCTION');
});

describe('the target of a header', () => {
	const createProps = (more: Partial<HeaderProps>): HeaderProps => ({
		path: ['ledge', 'managed rules', 'done.acme.example'],
		target: 'done.acme.example',
		name: 'Acme Corporation of the North',
		badges: ['REMOTE'],
		columns: 80,
		...more,
	});
	const drawRows = async (props: HeaderProps) => {
		const {columns} = props;
		const drawn = draw(createTestApp(createTestStore()), <Header {...props} />, {columns, rows: 24});
		await drawn.until(rows => rows[0]?.includes('⟨') === true);
		for (const row of drawn.rows()) expect(measureColumns(row)).toBeLessThanOrEqual(columns);
		return drawn.rows();
	};

	test.each([
		[80, {}, /^ managed rules › done\.acme\.example +Acme Corporation of the N… · ⟨ REMOTE ⟩$/],
		[
			80,
			{isProduction: true},
			/^ managed rules › done\.acme\.example +Acme Corporatio… · ⟨ REMOTE ⟩ +PRODUCTION$/,
		],
		[60, {isProduction: true}, /^ done\.acme\.example +Acme .*… · ⟨ REMOTE ⟩ +PRODUCTION$/],
		[
			60,
			{badges: ['SIMULATED', 'READ-ONLY'], quotaWait: '22 s'},
			/^ done\.acme\.example +Acme Corporat… · ⟨ SIMULATED ⟩ READ-ONLY$/,
		],
		[200, {}, /^ ledge › managed rules › done\.acme\.example +Acme Corporation of the North · ⟨ REMOTE ⟩$/],
		[
			80,
			{
				path: ['ledge', 'CONFIG', 'a key with quite a long name', 'review'],
				target: 'CONFIG',
				isProduction: true,
			},
			/^ CONFIG › a key.*….*review +Acme .*… · ⟨ REMOTE ⟩ +PRODUCTION$/,
		],
	])('stays whole with %i columns and %j', async (columns, more, expectedRow) => {
		expect((await drawRows(createProps({columns, ...more})))[0]).toMatch(expectedRow);
	});

	test.each([
		60, 80, 200,
	])('moves into the line below the header if the first row of %i columns is too short', async columns => {
		const name = `${'long-'.repeat(Math.ceil(columns / 5) - 4)}x.example`;
		const props = createProps({path: ['ledge', 'firewall', name], target: name, columns});
		expect((await drawRows(props))[1]).toContain(` ${name} `);
		expect(listCutTexts(props, getTheme('dark', true).marks)).not.toContain(name);
	});

	test.each([60, 80, 200])('is marked as cut if it is longer than %i columns', columns => {
		const name = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example`;
		const props = createProps({path: ['ledge', 'firewall', name], target: name, columns});
		expect(listCutTexts(props, getTheme('dark', true).marks)).toContain(name);
	});
});

test('a dialog shows in full the text that the header cuts, and the text to be typed', async () => {
	const name = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example`;
	const testStore = createTestStore();
	testStore.state().dialog.openField({
		title: 'Delete?',
		lines: ['It acts on all.'],
		value: '',
		requiredInput: name,
		actionLabel: 'delete',
		submit() {},
	});
	for (const [columns, rows] of [
		[60, 15],
		[80, 24],
		[200, 60],
	] as const) {
		const dialog = testStore.state().dialog.current;
		if (!dialog) throw new Error('There is no dialog.');
		const drawn = draw(
			createTestApp(testStore),
			<DialogView dialog={dialog} columns={columns} rows={rows - 4} />,
			{
				columns,
				rows,
			},
		);
		await drawn.until(all => all.some(row => row.includes('Delete?')));
		const shown = drawn.rows().map(row => row.trim());
		expect(shown.join('')).toContain(name);
		expect(shown).toContain('It acts on all.');
	}
});
