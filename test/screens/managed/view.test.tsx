import {describe, expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {Managed} from '../../../source/screens/managed/view.tsx';
import {DialogView} from '../../../source/screens/shell/dialog.tsx';
import {measureColumns} from '../../../source/text/columns.ts';
import {draw} from '../support/drawn.tsx';
import {atManaged} from '../support/managed.ts';
import {acme} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

const {owasp, credentials} = managedRulesets;
const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];

const expectFits = (rows: readonly string[], size: (typeof sizes)[number]) => {
	for (const row of rows) expect(measureColumns(row)).toBeLessThanOrEqual(size.columns);
	expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
};

describe.each(sizes)('at $columns×$rows', size => {
	test('the rulesets with their settings, the changes, and the review with the full request are shown', async () => {
		const person = await atManaged();
		const screen = draw(person.app, <Managed />, size);
		await screen.until(rows => rows.some(row => row.includes('execute OWASP Core Ruleset')));
		expect(screen.rows().join('\n')).toMatch(/▸ +1 on +execute Managed Ruleset/);
		expect(screen.rows().join('\n')).toMatch(/expression +true/);
		expectFits(screen.rows(), size);
		person.press('T');
		person.answer('score', '25');
		person.press('D');
		person.answer(credentials.id);
		await screen.until(rows => rows.some(row => /▸ +3 on +execute Exposed Credentials/.test(row)));
		await screen.until(rows => rows.join('\n').includes('2 unsent changes'));
		expectFits(screen.rows(), size);
		person.press('enter');
		const seen: string[] = [];
		await screen.until(rows => rows.some(row => row.includes('Your unsent changes')));
		for (let page = 0; page < 40; page++) {
			seen.push(...screen.rows());
			expectFits(screen.rows(), size);
			const before = person.managed().top;
			person.press('down', 'down', 'down', 'down');
			if (person.managed().top === before) break;
			await screen.until(rows => !rows.every((row, at) => row === seen.at(at - rows.length)));
		}
		const text = seen.join('\n');
		expect(text).toContain('PUT /zones/');
		expect(text).toContain('"score_threshold": 25');
		expect(text).toContain(`"id": "${credentials.id}"`);
	});

	test('a zone that cannot be changed has the reason above its rules', async () => {
		const person = await atManaged(createTestStore(), acme);
		const screen = draw(person.app, <Managed />, size);
		await screen.until(rows => rows.join(' ').includes('Read-only:'));
		const text = screen.rows().join(' ').replaceAll(/ +/g, ' ');
		expect(text).toContain('has not completed its migration');
		expect(text).toContain('The zone still has the previous ones: 5 opens the migration');
		person.press('L');
		expect(person.getMessageText()).toContain('this zone has not migrated');
		expectFits(screen.rows(), size);
	});
});

test('the warning of an unsent change says that it is not so yet', async () => {
	const person = await atManaged();
	const screen = draw(person.app, <Managed />, sizes[1]);
	await screen.until(rows => rows.some(row => row.includes('execute Managed Ruleset')));
	person.press('p');
	await screen.until(rows => rows.join('\n').includes('1 unsent change'));
	expect(screen.rows().join('\n')).toContain('! Once sent: Managed Ruleset is off: none of its rules run.');
});

test('names and descriptions from the service cannot affect the terminal', async () => {
	const person = await atManaged();
	const evil = '\u001b[2Jevil\u202e\u0007\n';
	const {activeRules} = person.managed();
	if (!activeRules) throw new Error('Nothing was read.');
	const configuration = {
		name: evil,
		rules: [
			{
				...activeRules.configuration.rules[1],
				action: 'execute',
				expression: 'true',
				description: evil,
				action_parameters: {
					id: owasp.id,
					overrides: {rules: [{id: evil, action: evil}], categories: [{category: evil, enabled: false}]},
				},
			},
			{action: evil, expression: evil, description: evil, action_parameters: {[evil]: evil}},
		],
	};
	const catalogue = [...(activeRules.catalogue ?? []), {id: evil, name: evil, rules: []}];
	person.testStore.store.setState({
		managed: {
			...person.testStore.store.getState().managed,
			data: {...person.managed(), activeRules: {...activeRules, configuration, catalogue}, configuration},
		},
	});
	const screen = draw(person.app, <Managed />);
	await screen.until(rows => rows.join('\n').includes('evil'));
	for (let row = 0; row < 6; row++) {
		person.press('down');
		const drawn = screen.rows().join('\n');
		expect(drawn).not.toContain('\u001b');
		expect(drawn).not.toContain('\u202e');
		expect(drawn).not.toContain('\u0007');
	}
	person.press('D');
	const dialog = person.state().dialog.current;
	if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
	const drawnDialog = draw(person.app, <DialogView dialog={dialog} columns={80} rows={20} />);
	await drawnDialog.until(rows => rows.join('\n').includes('evil'));
	expect(drawnDialog.rows().join('\n')).not.toMatch(/[\u001b\u202e\u0007]/);
});
