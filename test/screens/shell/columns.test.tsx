import {expect, test} from 'vitest';
import {type Column, Table} from '../../../source/screens/list/table.tsx';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

type Zone = {readonly name: string; readonly plan: string; readonly state: string; readonly requests: string};

const columns: readonly Column<Zone>[] = [
	{title: 'NAME', getText: ({name}) => name},
	{title: 'PLAN', getWidth: () => 10, getText: ({plan}) => plan},
	{title: 'STATE', isEssential: true, getWidth: () => 18, getText: ({state}) => state},
	{
		title: 'REQUESTS',
		isEssential: true,
		align: 'right',
		getWidth: () => 9,
		getText: ({requests}) => requests,
	},
];

const zones: readonly Zone[] = [
	{name: 'acme-legacy.example', plan: 'Enterprise', state: 'blocked by 3 rules', requests: '1,234,567'},
	{name: 'acme.example', plan: 'Free', state: 'eligible', requests: '9'},
];

function drawTable(width: number): readonly string[] {
	const app = createTestApp(createTestStore());
	return draw(app, <Table columns={columns} rows={zones} cursor={0} />, {columns: width, rows: 24}).rows();
}

test.each([
	[80, ['NAME', 'PLAN', 'STATE', 'REQUESTS']],
	[60, ['NAME', 'PLAN', 'STATE', 'REQUESTS']],
	[54, ['NAME', 'STATE', 'REQUESTS']],
	[40, ['NAME', 'STATE', 'REQUESTS']],
])('at %i columns names have room before other columns do', (width, titles) => {
	const [heading = '', first = '', second = ''] = drawTable(width);
	expect(heading.trim().split(/\s+/)).toEqual(titles);
	// Titles begin, or for figures end, where their cells do.
	expect(first.indexOf('acme-leg')).toBe(heading.indexOf('NAME'));
	expect(second.indexOf('eligible')).toBe(heading.indexOf('STATE'));
	expect(first.endsWith('1,234,567')).toBe(true);
	for (const row of [first, second]) expect(measureColumns(row)).toBe(measureColumns(heading));
	expect(first.slice(heading.indexOf('NAME')).search(/[ …]/)).toBeGreaterThanOrEqual(
		Math.min(13, 'acme-legacy.example'.length),
	);
});
