import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {actions} from '../../../source/screens/actions.ts';
import {computeManagedLayout} from '../../../source/screens/managed/body.ts';
import type {ManagedState} from '../../../source/screens/managed/state.ts';
import {buildEditRows} from '../../../source/screens/managed-edit/edit-rows.ts';
import {buildEditorBody} from '../../../source/screens/managed-edit/rows.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createExecuteRule} from '../../migration/support/configurations.ts';
import {migratedSampleZone, watchWrites} from '../support/custom-rules.ts';
import {atManaged, getDialog, readManagedRulesAtService} from '../support/managed.ts';
import {acme} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

const {owasp, credentials, platform} = managedRulesets;
const entryPoint = `/zones/${migratedSampleZone.id}/rulesets/phases/http_request_firewall_managed/entrypoint`;

/** The id of the rule that executes OWASP in the sample zone. */
const owaspRuleId = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f02';

/** The review as text, without line breaks. */
const buildReview = (managed: ManagedState): string =>
	computeManagedLayout(managed, {columns: 200, rows: 60}, getTheme('none', true).marks)
		?.body.rows.map(row => row.map(({text}) => text).join(''))
		.join(' ')
		.replaceAll(/\s+/g, ' ') ?? '';

/** Sets a threshold, excepts an OWASP rule, and deploys a managed ruleset. Returns the id of that rule. */
function makeThreeChanges(person: Awaited<ReturnType<typeof atManaged>>): string {
	const catalogueRules =
		person.managed().activeRules?.catalogue?.find(({id}) => id === owasp.id)?.rules ?? [];
	const [rule] = catalogueRules;
	person.press('T');
	person.answer('score', '25');
	person.press('a');
	person.answer(`rules ${owasp.id}`);
	expect(getCurrentScreen(person.state())).toBe('catalogue');
	for (const character of rule?.id ?? '') person.press(character);
	person.press('ctrl-t', 'enter');
	expect(getCurrentScreen(person.state())).toBe('managed');
	person.answer('http.host eq "import.example"', 'the importer');
	person.press('D');
	person.answer(credentials.id);
	return rule?.id ?? '';
}

test('three changes are kept, reviewed and sent as one request, and one key restores the previous state', async () => {
	const person = await atManaged();
	const writes = watchWrites(person.testStore);
	const before = await readManagedRulesAtService(person.testStore);
	const skippedRuleId = makeThreeChanges(person);
	expect(person.managed().edits).toHaveLength(3);
	expect(writes).toEqual([]);
	person.send();
	await person.idle();
	expect(person.getMessageText()).toBe('Changed managed rules, version 2. u undoes it.');
	const [first, second] = before.rules;
	expect(writes).toEqual([
		{
			method: 'PUT',
			path: entryPoint,
			body: {
				rules: [
					expect.objectContaining({id: first?.id}),
					{
						action: 'skip',
						action_parameters: {rules: {[owasp.id]: [skippedRuleId]}},
						description: 'the importer',
						enabled: true,
						expression: 'http.host eq "import.example"',
						logging: {enabled: true},
					},
					expect.objectContaining({
						id: second?.id,
						action_parameters: expect.objectContaining({
							overrides: expect.objectContaining({
								rules: [expect.objectContaining({score_threshold: 25})],
							}),
						}),
					}),
					{
						action: 'execute',
						action_parameters: {id: credentials.id},
						description: '',
						enabled: true,
						expression: 'true',
					},
				],
			},
		},
	]);
	expect(person.managed()).toMatchObject({edits: [], step: 'rules', proposal: undefined});
	person.press('u');
	// The undo removes a managed ruleset, so the name of the zone has to be typed.
	expect(getDialog(person.testStore, 'field')).toMatchObject({requiredInput: migratedSampleZone.name});
	person.answer('another.example');
	expect(getDialog(person.testStore, 'field').problem).toContain(migratedSampleZone.name);
	person.answer(migratedSampleZone.name);
	await person.idle();
	expect(writes).toHaveLength(2);
	const after = await readManagedRulesAtService(person.testStore);
	expect(after.rules).toEqual(
		before.rules.map(rule =>
			expect.objectContaining({id: rule.id, action_parameters: rule.action_parameters}),
		),
	);
	expect(person.getMessageText()).toBe('Undone: deleted 2 rules, changed back 1 rule.');
});

test('esc at the first question after the picker leads back to it, with its picks', async () => {
	const person = await atManaged();
	person.press('a');
	person.answer(`rules ${owasp.id}`);
	person.press('ctrl-t', 'down', 'ctrl-t', 'enter');
	expect(getDialog(person.testStore, 'field').title).toBe('Which requests?');
	for (const character of 'true') person.press(character);
	person.press('enter', 'esc', 'esc');
	expect(getCurrentScreen(person.state())).toBe('catalogue');
	expect(person.state().catalogue.data?.markedIds.size).toBe(2);
	person.press('enter');
	expect(getDialog(person.testStore, 'field').lines[0]).toMatch(/^Skips .+, .+\.$/);
	person.press('esc', 'esc');
	expect(getCurrentScreen(person.state())).toBe('managed');
	person.press('a', 'esc');
	expect(getCurrentScreen(person.state())).toBe('managed');
});

test('pasted addresses with a comment are refused, because the comment would take those after it', async () => {
	const person = await atManaged();
	person.press('a');
	person.answer('all');
	const field = () => getDialog(person.testStore, 'field');
	person.answer('192.0.2.1 192.0.2.2 # scanner 192.0.2.3');
	expect(field()).toMatchObject({
		title: 'Which requests?',
		problem: expect.stringContaining('Leave out comments'),
	});
	person.answer('192.0.2.1 192.0.2.2 192.0.2.3');
	person.answer('');
	expect(person.managed().edits).toMatchObject([
		{edit: {exception: {expression: 'ip.src in {192.0.2.1 192.0.2.2 192.0.2.3}'}}},
	]);
	person.press('a');
	person.answer('all');
	person.answer('http.request.uri.query contains " # "');
	expect(field().title).toBe('What is it for?');
});

test.each([
	['Shop.example.com/old/', '(http.host eq "shop.example.com" and http.request.uri.path eq "/old/")'],
	['https://shop.example/a', '(http.host eq "shop.example" and http.request.uri.path eq "/a")'],
	['192.0.2.0/24', 'ip.src in {192.0.2.0/24}'],
])('the requests of an exception are also typed as %s', async (typed, expression) => {
	const person = await atManaged();
	person.press('a');
	person.answer('all');
	person.answer(typed);
	person.answer('');
	expect(person.managed().edits).toMatchObject([{edit: {exception: {expression}}}]);
});

test('enter overrides a rule found while browsing, but not one of a ruleset that is not deployed', async () => {
	const person = await atManaged();
	const listCatalogueRules = (ruleset: string) =>
		person.managed().activeRules?.catalogue?.find(({id}) => id === ruleset)?.rules ?? [];
	const [rule] = listCatalogueRules(platform.id);
	person.press('b');
	for (const character of rule?.id ?? '') person.press(character);
	person.press('enter');
	person.answer('log');
	expect(person.managed().edits).toMatchObject([
		{edit: {kind: 'managed rule override', ruleset: platform.id, id: rule?.id, action: 'log'}},
	]);
	person.press('enter');
	const review = buildReview(person.managed());
	expect(review).toContain(`managed rule "${rule?.description.slice(0, 20)}`);
	expect(review).toContain(`(${rule?.id.slice(0, 8)}…)`);
	expect(review).not.toContain(`managed rule ${rule?.id}`);
	person.press('esc');
	const [undeployedRule] = listCatalogueRules(credentials.id);
	person.press('/');
	for (const character of undeployedRule?.id ?? '') person.press(character);
	person.press('enter');
	expect(person.getMessageText()).toBe(
		'Exposed Credentials Check is not deployed, so its rules cannot be overridden.',
	);
	expect(person.managed().edits).toHaveLength(1);
});

test('several selected rules are overridden with one answer, and undone one rule at a time', async () => {
	const person = await atManaged();
	person.press('b', 'tab', 'ctrl-t', 'down', 'ctrl-t', 'enter');
	expect(getDialog(person.testStore, 'choice').title).toBe('2 managed rules:');
	person.answer('log');
	expect(person.getMessageText()).toBe(
		'Unsent change: log for 2 managed rules. u undoes one rule at a time.',
	);
	const edits = person.managed().edits.map(({edit}) => edit);
	expect(edits).toMatchObject([
		{kind: 'managed rule override', action: 'log'},
		{kind: 'managed rule override', action: 'log'},
	]);
	expect(new Set(edits.map(edit => ('id' in edit ? edit.id : undefined))).size).toBe(2);
	person.press('u');
	expect(person.managed().edits).toHaveLength(1);
});

test('u undoes a sent change after another zone was opened', async () => {
	const person = await atManaged();
	person.press('T');
	person.answer('score', '25');
	person.send();
	await person.idle();
	person.state().managed.open(acme);
	await person.state().managed.load(person.testStore.signal);
	person.state().managed.open(migratedSampleZone);
	await person.state().managed.load(person.testStore.signal);
	person.press('u');
	expect(JSON.stringify(person.state().dialog.current)).toContain('Undo the last change?');
});

test('u undoes one change after the other before anything is sent', async () => {
	const person = await atManaged();
	const writes = watchWrites(person.testStore);
	makeThreeChanges(person);
	expect(person.getMessageText()).toMatch(/^Unsent change: Deploy /);
	person.press('u');
	expect(person.managed().edits).toHaveLength(2);
	expect(person.getMessageText()).toContain('Undone: Deploy Exposed Credentials Check.');
	person.press('enter', 'u', 'u');
	expect(person.managed()).toMatchObject({edits: [], step: 'rules', proposal: undefined});
	expect(person.managed().configuration).toEqual(person.managed().activeRules?.configuration);
	expect(writes).toEqual([]);
});

test('an override takes a single call', async () => {
	const person = await atManaged();
	const writes = watchWrites(person.testStore);
	person.press('O');
	person.answer(platform.id, 'whole', 'log');
	person.send();
	expect(getDialog(person.testStore, 'field')).toMatchObject({
		requiredInput: migratedSampleZone.name,
		lines: ['Managed Ruleset: on → log, blocks nothing.'],
	});
	person.answer(migratedSampleZone.name);
	await person.idle();
	expect(writes).toMatchObject([{method: 'PATCH', body: {action_parameters: {overrides: {action: 'log'}}}}]);
});

describe('removing a managed ruleset', () => {
	const removeFirstRuleset = async () => {
		const person = await atManaged();
		person.press('g', 'd');
		expect(getDialog(person.testStore, 'confirm').lines.join(' ')).toContain('no longer be deployed');
		person.press('y');
		return person;
	};

	test('is sent only once the name of the zone is typed', async () => {
		const person = await removeFirstRuleset();
		const writes = watchWrites(person.testStore);
		person.send();
		expect(getDialog(person.testStore, 'field')).toMatchObject({
			requiredInput: migratedSampleZone.name,
			lines: ['Managed Ruleset: on → removed, blocks nothing.'],
		});
		person.press('esc');
		expect(writes).toEqual([]);
		expect(person.managed().edits).toHaveLength(1);
		person.press('y');
		person.answer(migratedSampleZone.name);
		await person.idle();
		expect(writes).toMatchObject([{method: 'DELETE'}]);
		expect((await readManagedRulesAtService(person.testStore)).rules.map(({id}) => id)).toEqual([
			owaspRuleId,
		]);
	});
});

describe('a read-only view of the managed rules', () => {
	test('shows a zone that has not completed its migration, and each key gives the reason', async () => {
		const person = await atManaged(createTestStore(), acme);
		const readOnly = person.managed().activeRules?.readOnlyReason;
		expect(readOnly?.message).toContain('has not completed its migration');
		const changingActions = actions.filter(({id}) => /^managed\.(edit-|deploy|undo-sent|send)/.test(id));
		expect(changingActions).toHaveLength(9);
		for (const action of changingActions)
			expect(action.getUnavailableReason?.(person.state()), action.id).toBe(readOnly?.message);
	});

	test('asks nothing if ledge is read-only, and gives the reason', async () => {
		const testStore = createTestStore({simulate: true, readOnly: true});
		await testStore.state().connection.loadConnection();
		const person = await atManaged(testStore);
		person.press('D');
		expect(person.getMessageText()).toContain('read-only');
		expect(person.state().dialog.current).toBeUndefined();
	});
});

describe('leaving with unsent changes', () => {
	test('asks, and keeps them as a draft that is offered when the zone is reopened', async () => {
		const person = await atManaged();
		makeThreeChanges(person);
		const {configuration} = person.managed();
		person.press('esc');
		expect(getDialog(person.testStore, 'choice').lines.join(' ')).toContain('3 changes');
		person.answer('keep');
		expect(getCurrentScreen(person.state())).toBe('home');
		expect(person.managed().edits).toEqual([]);
		person.press('4');
		await person.idle();
		expect(getDialog(person.testStore, 'choice').title).toContain('3 changes not sent');
		person.answer('open');
		await person.idle();
		expect(person.managed().configuration).toEqual(configuration);
		person.send();
		await person.idle();
		expect((await readManagedRulesAtService(person.testStore)).rules).toHaveLength(4);
	});

	test('can discard them', async () => {
		const person = await atManaged();
		makeThreeChanges(person);
		person.press('esc');
		person.answer('discard');
		expect(getCurrentScreen(person.state())).toBe('home');
		person.press('4');
		await person.idle();
		expect(person.state().dialog.current).toBeUndefined();
		expect(person.managed().edits).toEqual([]);
	});

	test('asks nothing if nothing was changed', async () => {
		const person = await atManaged();
		person.press('esc');
		expect(getCurrentScreen(person.state())).toBe('home');
	});
});

test('y right after the review appears sends nothing', async () => {
	const person = await atManaged();
	const writes = watchWrites(person.testStore);
	makeThreeChanges(person);
	person.press('enter', 'y');
	expect(person.getMessageText()).toContain('Too fast');
	expect(writes).toEqual([]);
});

describe('the target of an exception', () => {
	const openTargetChoices = async (row: number) => {
		const person = await atManaged();
		person.press('g', ...Array.from({length: row}, () => 'down' as const), 'a');
		const {choices, initialValue} = getDialog(person.testStore, 'choice');
		expect(initialValue).toBeUndefined();
		return {person, choices, first: choices[0]};
	};

	test('is the rule under the cursor unless another choice is made', async () => {
		const {first, person} = await openTargetChoices(1);
		expect(first).toMatchObject({
			value: 'this rule',
			label: 'This rule: PHP - SQLi - Global Variables #2',
		});
		person.answer('this rule', '/a', 'for one path');
		expect(person.managed().configuration.rules[0]).toMatchObject({
			action: 'skip',
			action_parameters: {rules: {[platform.id]: ['31db59950ccc4fd00400e13c296f0a5a']}},
			expression: 'http.request.uri.path eq "/a"',
		});
	});

	test('is otherwise the rules of the ruleset under the cursor, with all rules as the last choice', async () => {
		const {choices, first} = await openTargetChoices(2);
		expect(first?.value).toBe(`rules ${owasp.id}`);
		expect(choices.at(-1)?.value).toBe('all');
	});
});

test('a change with an error is shown, and not sent', async () => {
	const person = await atManaged();
	const writes = watchWrites(person.testStore);
	person.state().managed.applyEdit({
		kind: 'exception added',
		exception: {expression: 'http.host eq a', skips: {kind: 'all'}, description: ''},
	});
	person.send();
	expect(person.getMessageText()).toBe('The change contains errors.');
	expect(writes).toEqual([]);
});

test('an exception with a field that ledge does not know is sent after a warning', async () => {
	const person = await atManaged();
	const writes = watchWrites(person.testStore);
	person.press('a');
	person.answer('all', 'http.brand_new eq "a"', 'for a new field');
	expect(buildReview({...person.managed(), step: 'review'})).toContain('Unknown field http.brand_new');
	person.send();
	person.answer(migratedSampleZone.name);
	await person.idle();
	expect(writes).toMatchObject([{body: {expression: 'http.brand_new eq "a"'}}]);
});

test('several rules that are already set this way are no change', async () => {
	const person = await atManaged();
	const pickTwo = () => person.press('b', 'tab', 'ctrl-t', 'down', 'ctrl-t', 'enter');
	pickTwo();
	person.answer('log');
	pickTwo();
	const dialog = getDialog(person.testStore, 'choice');
	expect(dialog.choices.find(({value}) => value === 'log')?.label).toContain('(current)');
	person.answer('log');
	expect(person.getMessageText()).toBe('No change: log was already set for 2 managed rules.');
	expect(person.managed().edits).toHaveLength(2);
	pickTwo();
	person.answer('no override');
	expect(person.managed().proposal?.differences).toEqual([]);
});

test('an override that is not set is offered as none, not as off', async () => {
	const person = await atManaged();
	person.press('b', 'tab', 'ctrl-t', 'down', 'ctrl-t', 'enter');
	expect(getDialog(person.testStore, 'choice').initialValue).toBe('no override');
});

test('without changes enter edits the row under the cursor, with changes it reviews them', async () => {
	const person = await atManaged();
	person.press('enter');
	expect(getDialog(person.testStore, 'choice').title).toBe('Which action?');
	person.answer('log');
	person.press('enter');
	expect(person.managed().step).toBe('review');
});

test('r shows the request, also below many changes', async () => {
	const person = await atManaged();
	person.state().navigation.resize({columns: 80, rows: 24});
	makeThreeChanges(person);
	person.press('enter', 'r');
	const {managed: managedSlice, navigation, connection} = person.state();
	if (!managedSlice.data) throw new Error('Nothing is open.');
	const layout = computeManagedLayout(
		managedSlice.data,
		navigation.viewport,
		getTheme('none', true).marks,
		connection.data,
	);
	const firstRow = layout?.body.rows[person.managed().top]?.map(({text}) => text).join('');
	expect(firstRow).toContain('As curl');
});

test('an exception refuses a word that is no field, and is under the cursor once it is added', async () => {
	const person = await atManaged();
	person.press('a');
	person.answer('all');
	const {check} = getDialog(person.testStore, 'field');
	expect(check?.('wp-admin')).toBe('There is no field "wp-admin". A path begins with a slash: /wp-admin');
	expect(check?.('ssl')).toBeUndefined();
	expect(check?.('http.new.field eq "1"')).toBeUndefined();
	person.answer('/wp-admin', 'the backend');
	const row = buildEditRows(person.managed().configuration)[person.managed().cursor];
	expect(row).toMatchObject({kind: 'rule', rule: {description: 'the backend'}});
});

test('the settings of a deployed OWASP ruleset without overrides are those of the ruleset', async () => {
	const person = await atManaged();
	const catalogue = person.managed().activeRules?.catalogue;
	const text = buildEditorBody(
		{
			configuration: {name: 'default', rules: [createExecuteRule(owasp.id)]},
			catalogue,
			cursor: 0,
			top: 0,
			findings: [],
			head: [],
			summary: [],
			differences: [],
		},
		{columns: 100, rows: 30, marks: getTheme('none', true).marks, now: 0},
	)
		.rows.flat()
		.map(row => row.text)
		.join('\n');
	expect(text).toMatch(/paranoia level default \(PL\d\)/);
	expect(text).toContain('score threshold default (Medium, 40 or higher)');
});
