import {describe, expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import type {ConfigurationEdit} from '../../../source/migration/configuration/edits.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {parsePreviousRules} from '../../../source/migration/zone/previous-rules.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildEditRows} from '../../../source/screens/managed-edit/edit-rows.ts';
import {isEdited} from '../../../source/screens/migration/editing.ts';
import {assessConfiguration} from '../../../source/screens/migration/read-zone.ts';
import {Migration} from '../../../source/screens/migration/view/view.tsx';
import {DialogView} from '../../../source/screens/shell/dialog.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createBuffer} from '../../../source/text/buffer/buffer.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createMigratingPerson, shop} from '../support/migration-store.ts';

const {platform, owasp} = managedRulesets;

/** A person at the edit step of a zone, who answers what is asked. */
async function createPersonAtEditStep() {
	const person = await createMigratingPerson(shop);
	await person.choose('read');
	person.state().migration.goToStep('edit');
	const app = createTestApp(person.testStore);
	const {state} = person;
	const dialog = () => state().dialog.current;
	return {
		...person,
		app,
		press: (key: string) => dispatch(app, createKey(key, '')),
		/** The rules of a managed ruleset. */
		listRulesOf: (ruleset: string) =>
			person.migration().snapshot?.catalogue?.find(({id}) => id === ruleset)?.rules ?? [],
		/** Answers one question after the other; choices by their values. */
		answer(...answerTexts: readonly string[]) {
			for (const answerText of answerTexts) {
				const dialogInFront = dialog();
				if (dialogInFront?.kind === 'choice') {
					expect(dialogInFront.choices.map(({value}) => value)).toContain(answerText);
					state().dialog.close();
					dialogInFront.choose(answerText);
				} else if (dialogInFront?.kind === 'field') {
					state().dialog.open({...dialogInFront, buffer: createBuffer(answerText, {singleLine: true})});
					state().dialog.submit();
				} else if (getCurrentScreen(state()) === 'catalogue') {
					for (const character of answerText) state().catalogue.type(createTextKey(character));
					state().catalogue.pick();
				} else throw new Error(`"${answerText}" answers nothing.`);
			}
		},
		getSelectedRow() {
			const {configuration, cursor} = person.migration();
			return configuration && buildEditRows(configuration)[cursor];
		},
	};
}

describe('a new override', () => {
	/** Stands for the id of a rule that the ruleset holds. */
	const id = 'a rule';

	test.each([
		['a rule by its id', platform.id, ['rule', id, 'off'], {kind: 'override', id, enabled: false}],
		['a rule with an action', owasp.id, ['rule', id, 'log'], {kind: 'override', id, action: 'log'}],
		[
			'a category',
			platform.id,
			['category', 'platform-wordpress', 'managed_challenge'],
			{kind: 'category', category: 'platform-wordpress', action: 'managed_challenge'},
		],
		[
			'a paranoia level',
			owasp.id,
			['category', 'paranoia-level-1', 'log'],
			{kind: 'category', category: 'paranoia-level-1', action: 'log'},
		],
		['a whole ruleset', platform.id, ['whole', 'off'], {kind: 'whole', enabled: false}],
		['a whole ruleset with an action', owasp.id, ['whole', 'log'], {kind: 'whole', action: 'log'}],
	] as const)('is added by o: %s; it is a row under the cursor, and u undoes it', async (_what, ruleset, answers, row) => {
		const person = await createPersonAtEditStep();
		const before = person.migration().configuration;
		person.press('O');
		const ruleId = person.listRulesOf(ruleset)[0]?.id ?? '';
		person.answer(ruleset, ...answers.map(one => (one === id ? ruleId : one)));
		expect(person.getSelectedRow()).toMatchObject('id' in row ? {...row, id: ruleId} : row);
		expect(person.migration().edits).toHaveLength(1);
		person.press('u');
		expect(person.migration().configuration).toEqual(before);
		expect(isEdited(person.migration())).toBe(false);
	});

	test.each([
		[
			'an override',
			(unknown: string) => ({kind: 'managed rule override', ruleset: owasp.id, id: unknown, action: 'log'}),
		],
		[
			'a category',
			(unknown: string) => ({
				kind: 'category override',
				ruleset: owasp.id,
				category: unknown,
				enabled: false,
			}),
		],
		[
			'an exception',
			(unknown: string) => ({
				kind: 'exception added',
				exception: {expression: 'true', skips: {kind: 'rules', rules: {[owasp.id]: [unknown]}}},
			}),
		],
	] as const)('is refused if the managed ruleset lacks its target: %s', async (_what, edit) => {
		const person = await createPersonAtEditStep();
		const before = person.migration().configuration;
		const unknown = '0123456789abcdef0123456789abcdef';
		person.state().migration.applyEdit(edit(unknown) as ConfigurationEdit);
		expect(person.migration().configuration).toEqual(before);
		expect(person.getMessageText()).toContain(`OWASP Core Ruleset has no`);
		expect(person.getMessageText()).toContain(unknown);
	});

	test('targets a rule found by name in the browser, where rules of other rulesets are refused', async () => {
		const person = await createPersonAtEditStep();
		const {state} = person;
		const wantedRule = person.listRulesOf(platform.id).at(-1);
		person.press('O');
		person.answer(platform.id, 'rule', 'no such rule');
		expect(getCurrentScreen(state())).toBe('catalogue');
		for (const _ of 'no such rule') state().catalogue.type(createKey('backspace', ''));
		for (const character of wantedRule?.description ?? '') state().catalogue.type(createTextKey(character));
		const found = state().catalogue.data?.matches.map(({id}) => id) ?? [];
		state().catalogue.move(found.indexOf(wantedRule?.id ?? ''));
		state().catalogue.pick();
		expect(getCurrentScreen(state())).toBe('migration');
		person.answer('off');
		expect(person.getSelectedRow()).toMatchObject({kind: 'override', id: wantedRule?.id, enabled: false});
		expect(person.migration().edits).toHaveLength(1);
	});

	test('starts in the browser of all rules, where esc at its question leads back', async () => {
		const person = await createPersonAtEditStep();
		const [rule] = person.listRulesOf(owasp.id);
		person.press('b');
		person.answer(rule?.id ?? '');
		person.press('esc');
		expect(getCurrentScreen(person.state())).toBe('catalogue');
		person.press('enter');
		person.answer('off');
		expect(person.getSelectedRow()).toMatchObject({kind: 'override', id: rule?.id, enabled: false});
	});

	test('is named by its rule in the review, and by the id if the rule is unknown', async () => {
		const person = await createPersonAtEditStep();
		const [owaspRule, platformRule] = [owasp, platform].map(({id: ruleset}) =>
			person.listRulesOf(ruleset).at(0),
		);
		for (const [ruleset, rule] of [
			[owasp.id, owaspRule],
			[platform.id, platformRule],
		] as const)
			person.state().migration.applyEdit({
				kind: 'managed rule override',
				ruleset,
				id: rule?.id ?? '',
				enabled: false,
			});
		const {plan, snapshot, configuration} = person.migration();
		const subjects = plan?.edits.map(({about}) => about);
		for (const [name, rule] of [
			['OWASP Core Ruleset', owaspRule],
			['Managed Ruleset', platformRule],
		] as const)
			expect(subjects).toContain(`${name}: managed rule "${rule?.description}" (${rule?.id.slice(0, 8)}…)`);
		expect(plan?.sections.flatMap(({rows}) => rows.map(({what}) => what))).toContain(
			`managed rule ${platformRule?.id} (${platformRule?.description})`,
		);
		const unread = assessConfiguration(
			{...person.migration(), snapshot: snapshot && {...snapshot, catalogue: undefined}},
			configuration,
		);
		expect(unread.plan?.edits.map(({about}) => about)).toContain(
			`OWASP Core Ruleset: managed rule ${owaspRule?.id}`,
		);
	});

	test('of a rule is dropped by esc in the browser', async () => {
		const person = await createPersonAtEditStep();
		person.press('O');
		person.answer(platform.id, 'rule');
		person.press('esc');
		expect(getCurrentScreen(person.state())).toBe('migration');
		expect(person.state().dialog.current).toBeUndefined();
		expect(person.migration().edits).toEqual([]);
	});

	test('of a category is chosen from those of its ruleset', async () => {
		const person = await createPersonAtEditStep();
		person.press('O');
		person.answer(platform.id, 'category');
		const names = new Set(person.listRulesOf(platform.id).flatMap(({categories}) => categories));
		const dialog = person.state().dialog.current;
		const suggested = dialog?.kind === 'field' ? dialog.suggestions?.all.map(({value}) => value) : [];
		expect(suggested).toEqual([...names].toSorted());
		person.answer('no-such-category');
		expect(person.state().dialog.current).toMatchObject({
			problem: expect.stringContaining('no such category'),
		});
		person.answer('wordpress', 'off');
		expect(person.getSelectedRow()).toMatchObject({kind: 'category', enabled: false});
	});

	/** A person whose snapshot lacks the rules of the managed rulesets. */
	const createPersonWithoutCatalogue = async () => {
		const person = await createPersonAtEditStep();
		const {snapshot, ...rest} = person.migration();
		if (!snapshot) throw new Error('Nothing was read.');
		const {catalogue, ...others} = snapshot;
		person.testStore.store.setState({
			migration: {
				...person.testStore.store.getState().migration,
				data: {...rest, snapshot: {...others, catalogue: undefined}},
			},
		});
		return person;
	};

	test('finds a rule of the previous version by words of its name if the rulesets are unreadable, and asks if several match', async () => {
		const person = await createPersonWithoutCatalogue();
		const {snapshot} = person.migration();
		const rules = (snapshot ? parsePreviousRules(snapshot).packages : [])
			.filter(({kind}) => kind === 'platform')
			.flatMap(one => one.rules);
		const [rule] = rules;
		const word = rule?.description.toLowerCase() ?? '';
		const matchingRules = rules.filter(({description}) =>
			word.split(' ').every(part => description.toLowerCase().includes(part)),
		);
		person.press('O');
		person.answer(platform.id, 'rule', word, ...(matchingRules.length > 1 ? [rule?.id ?? ''] : []), 'off');
		expect(person.getSelectedRow()).toMatchObject({kind: 'override', id: rule?.id, enabled: false});
	});

	test('asks again if no rule has the name', async () => {
		const person = await createPersonWithoutCatalogue();
		person.press('O');
		person.answer(platform.id, 'rule', 'no such rule');
		expect(person.state().dialog.current).toMatchObject({
			kind: 'field',
			problem: expect.stringContaining('No rule'),
		});
		expect(person.migration().edits).toEqual([]);
	});

	test('is drawn and changed like the other rows', async () => {
		const person = await createPersonAtEditStep();
		const drawn = draw(person.app, <Migration />);
		person.press('O');
		person.answer(platform.id, 'whole', 'log');
		await drawn.until(rows => rows.some(row => row.includes('whole ruleset: log')));
		person.press('p');
		expect(person.getSelectedRow()).toMatchObject({kind: 'whole', enabled: false, action: 'log'});
		person.press('d');
		expect(person.getSelectedRow()?.kind).not.toBe('whole');
	});
});

describe('an action for what is off', () => {
	test.each([
		['the whole ruleset', ['whole', 'off'], {kind: 'whole', enabled: true, action: 'log'}],
		[
			'a category',
			['category', 'platform-wordpress', 'off'],
			{kind: 'category', enabled: true, action: 'log'},
		],
	] as const)('turns on %s, which is said before', async (_what, answers, row) => {
		const person = await createPersonAtEditStep();
		person.press('O');
		person.answer(platform.id, ...answers);
		person.press('e');
		expect(person.state().dialog.current).toMatchObject({
			lines: ['It is off now. Choosing an action also turns it on.'],
		});
		person.answer('log');
		expect(person.getSelectedRow()).toMatchObject(row);
	});

	test('turns on a rule that its ruleset leaves off', async () => {
		const person = await createPersonAtEditStep();
		const rule = person.listRulesOf(platform.id).find(({enabled}) => !enabled);
		if (!rule) throw new Error('All rules are on.');
		for (const answers of [['log'], ['off'], ['block']] as const) {
			person.press('O');
			person.answer(platform.id, 'rule', rule.id, ...answers);
		}
		expect(person.migration().edits.map(({edit}) => edit)).toMatchObject([
			{action: 'log', enabled: true},
			{enabled: false},
			{action: 'block', enabled: true},
		]);
	});
});

describe('a choice with a current value', () => {
	test('starts at the current action', async () => {
		const person = await createPersonAtEditStep();
		person.press('O');
		person.answer(platform.id, 'whole', 'js_challenge');
		person.press('e');
		const dialog = person.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
		expect(dialog.initialValue).toBe('js_challenge');
		const drawn = draw(person.app, <DialogView dialog={dialog} columns={80} rows={20} />);
		await drawn.until(rows => rows.some(row => /^ *[^ a-z]+ *js_challenge \(current\)$/.test(row)));
	});

	test('starts at the current paranoia level', async () => {
		const person = await createPersonAtEditStep();
		person.state().migration.applyEdit({kind: 'paranoia level', level: 3});
		person.press('T');
		person.answer('level');
		expect(person.state().dialog.current).toMatchObject({kind: 'choice', initialValue: '3'});
	});
});
