import {describe, expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import type {ConfigurationEdit} from '../../../source/migration/configuration/edits.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {parsePreviousRules} from '../../../source/migration/zone/previous-rules.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildEditRows} from '../../../source/screens/managed-edit/edit-rows.ts';
import {isEdited} from '../../../source/screens/migration/editing.ts';
import {Migration} from '../../../source/screens/migration/view/view.tsx';
import {DialogView} from '../../../source/screens/shell/dialog.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createBuffer} from '../../../source/text/buffer/buffer.ts';
import {appOf, draw} from '../support/drawn.tsx';
import {at, shop} from '../support/migration-store.ts';

const {platform, owasp} = managedRulesets;

/** A person at the edit step of a zone, who answers what is asked. */
async function editing() {
	const person = await at(shop);
	await person.choose('read');
	person.state().migration.goToStep('edit');
	const app = appOf(person.space);
	const {state} = person;
	const dialog = () => state().dialog.current;
	return {
		...person,
		app,
		press: (key: string) => dispatch(app, createKey(key, '')),
		/** The rules that a managed ruleset of the zone holds. */
		held: (ruleset: string) =>
			person.migration().snapshot?.catalogue?.find(({id}) => id === ruleset)?.rules ?? [],
		/** Answers one question after the other; `choices` by their values. */
		answers(...given: readonly string[]) {
			for (const one of given) {
				const asked = dialog();
				if (asked?.kind === 'choice') {
					expect(asked.choices.map(({value}) => value)).toContain(one);
					state().dialog.close();
					asked.choose(one);
				} else if (asked?.kind === 'field') {
					state().dialog.open({...asked, buffer: createBuffer(one, {singleLine: true})});
					state().dialog.submit();
				} else if (getCurrentScreen(state()) === 'catalogue') {
					for (const character of one) state().catalogue.type(createTextKey(character));
					state().catalogue.pick();
				} else throw new Error(`"${one}" answers nothing.`);
			}
		},
		row() {
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
		const person = await editing();
		const before = person.migration().configuration;
		person.press('o');
		const real = person.held(ruleset)[0]?.id ?? '';
		person.answers(ruleset, ...answers.map(one => (one === id ? real : one)));
		expect(person.row()).toMatchObject('id' in row ? {...row, id: real} : row);
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
		const person = await editing();
		const before = person.migration().configuration;
		const unknown = '0123456789abcdef0123456789abcdef';
		person.state().migration.applyEdit(edit(unknown) as ConfigurationEdit);
		expect(person.migration().configuration).toEqual(before);
		expect(person.said()).toContain(`OWASP Core Ruleset has no`);
		expect(person.said()).toContain(unknown);
	});

	test('targets a rule found by name in the browser, where rules of other rulesets are refused', async () => {
		const person = await editing();
		const {state} = person;
		const wanted = person.held(platform.id).at(-1);
		person.press('o');
		person.answers(platform.id, 'rule', 'no such rule');
		expect(getCurrentScreen(state())).toBe('catalogue');
		for (const _ of 'no such rule') state().catalogue.type(createKey('backspace', ''));
		for (const character of wanted?.description ?? '') state().catalogue.type(createTextKey(character));
		const found = state().catalogue.data?.matches.map(({id}) => id) ?? [];
		state().catalogue.move(found.indexOf(wanted?.id ?? ''));
		state().catalogue.pick();
		expect(getCurrentScreen(state())).toBe('migration');
		person.answers('off');
		expect(person.row()).toMatchObject({kind: 'override', id: wanted?.id, enabled: false});
		expect(person.migration().edits).toHaveLength(1);
	});

	test('of a rule is dropped by esc in the browser', async () => {
		const person = await editing();
		person.press('o');
		person.answers(platform.id, 'rule');
		person.press('esc');
		expect(getCurrentScreen(person.state())).toBe('migration');
		expect(person.state().dialog.current).toBeUndefined();
		expect(person.migration().edits).toEqual([]);
	});

	/** A person whose zone does not show what its managed rulesets hold. */
	const unread = async () => {
		const person = await editing();
		const {snapshot, ...rest} = person.migration();
		if (!snapshot) throw new Error('Nothing was read.');
		const {catalogue, ...others} = snapshot;
		person.space.store.setState({
			migration: {
				...person.space.store.getState().migration,
				data: {...rest, snapshot: {...others, catalogue: undefined}},
			},
		});
		return person;
	};

	test('finds a rule of the previous version by words of its name if the rulesets are unreadable, and asks if several match', async () => {
		const person = await unread();
		const {snapshot} = person.migration();
		const rules = (snapshot ? parsePreviousRules(snapshot).packages : [])
			.filter(({kind}) => kind === 'platform')
			.flatMap(one => one.rules);
		const [rule] = rules;
		const word = rule?.description.toLowerCase() ?? '';
		const called = rules.filter(({description}) =>
			word.split(' ').every(part => description.toLowerCase().includes(part)),
		);
		person.press('o');
		person.answers(platform.id, 'rule', word, ...(called.length > 1 ? [rule?.id ?? ''] : []), 'off');
		expect(person.row()).toMatchObject({kind: 'override', id: rule?.id, enabled: false});
	});

	test('asks again if no rule has the name', async () => {
		const person = await unread();
		person.press('o');
		person.answers(platform.id, 'rule', 'no such rule');
		expect(person.state().dialog.current).toMatchObject({
			kind: 'field',
			problem: expect.stringContaining('No rule'),
		});
		expect(person.migration().edits).toEqual([]);
	});

	test('is drawn and changed like the other rows', async () => {
		const person = await editing();
		const drawn = draw(person.app, <Migration />);
		person.press('o');
		person.answers(platform.id, 'whole', 'log');
		await drawn.until(rows => rows.some(row => row.includes('whole ruleset: log')));
		person.press('space');
		expect(person.row()).toMatchObject({kind: 'whole', enabled: false, action: 'log'});
		person.press('d');
		expect(person.row()?.kind).not.toBe('whole');
	});
});

describe('a choice with a current value', () => {
	test('starts at the current action', async () => {
		const person = await editing();
		person.press('o');
		person.answers(platform.id, 'whole', 'js_challenge');
		person.press('a');
		const dialog = person.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
		expect(dialog.initialValue).toBe('js_challenge');
		const drawn = draw(person.app, <DialogView dialog={dialog} columns={80} rows={20} />);
		await drawn.until(rows => rows.some(row => /^ *[^ a-z]+ *js_challenge$/.test(row)));
	});

	test('starts at the current paranoia level', async () => {
		const person = await editing();
		person.state().migration.applyEdit({kind: 'paranoia level', level: 3});
		person.press('c');
		expect(person.state().dialog.current).toMatchObject({kind: 'choice', initialValue: '3'});
	});
});
