import {describe, expect, test} from 'vitest';
import type {CatalogueRule} from '../../../source/managed/catalogue.ts';
import {
	type CatalogueRequest,
	describeNoMatch,
	formatSearchScope,
	maxQueryLength,
} from '../../../source/screens/catalogue/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {idOf, key, managed, person} from './support.ts';

/** A person at the browser, and what was picked so far. */
function opened(request: Partial<CatalogueRequest> = {}) {
	const at = person();
	const picked: (readonly string[])[] = [];
	const fronts: string[] = [];
	at.space.state().navigation.go('namespaces');
	at.space.state().catalogue.open({
		title: 'Which rules?',
		rulesets: managed,
		pickMode: 'one',
		onPick(rules: readonly CatalogueRule[]) {
			picked.push(rules.map(({id}) => id));
			fronts.push(getCurrentScreen(at.space.state()));
		},
		...request,
	});
	return {...at, picked, fronts};
}

describe('the search', () => {
	test('takes letters as text at once, and puts the cursor on the best rule', () => {
		const {type, found, here, press} = opened();
		expect(found()).toEqual([1, 2, 3, 4]);
		press('down', 'down');
		type('sql x');
		expect(found()).toEqual([]);
		press('backspace', 'backspace');
		expect(found()).toEqual([3, 4, 1]);
		expect(here()).toBe(idOf(3));
	});

	test('takes jkgG?:q/ as text, too', () => {
		const {type, state} = opened();
		type('jkgG?:q/');
		expect(getBufferText(state().line)).toBe('jkgG?:q/');
	});

	test('keeps the cursor within the results, by rows and pages', () => {
		const {press, here} = opened();
		press('up');
		expect(here()).toBe(idOf(1));
		press('pagedown');
		expect(here()).toBe(idOf(4));
		press('down');
		expect(here()).toBe(idOf(4));
		press('ctrl-home');
		expect(here()).toBe(idOf(1));
	});

	test('keeps the row when the cursor moves in the text', () => {
		const {type, press, here} = opened();
		type('sql');
		press('down', 'left', 'ctrl-a');
		expect(here()).toBe(idOf(4));
	});

	test('starts with a given query and ruleset', () => {
		const {found, state} = opened({query: 'sql', rulesetId: 'owasp'});
		expect(found()).toEqual([4]);
		expect(formatSearchScope(state())).toBe('OWASP Core Ruleset');
		expect(opened({rulesetId: 'gone'}).found()).toEqual([1, 2, 3, 4]);
	});

	test('refuses implausibly long text', () => {
		const {app, state, said} = opened();
		dispatch(app, {name: 'paste', text: 'x'.repeat(maxQueryLength + 1), sequence: ''});
		expect(getBufferText(state().line)).toBe('');
		expect(said()).toContain(`limited to ${maxQueryLength}`);
	});
});

describe('tab', () => {
	test('cycles through the rulesets and back to all, and shift-tab in reverse', () => {
		const {press, state, found} = opened();
		const scopes = () => formatSearchScope(state());
		press('tab');
		expect([scopes(), found()]).toEqual(['Managed Ruleset', [1, 2, 3]]);
		press('tab');
		expect([scopes(), found()]).toEqual(['OWASP Core Ruleset', [4]]);
		press('tab');
		expect([scopes(), describeNoMatch(state())]).toEqual([
			'Credentials Check',
			'The rules of these rulesets could not be read.',
		]);
		press('tab');
		expect(scopes()).toBe('all rulesets');
		press('shift-tab', 'shift-tab');
		expect(scopes()).toBe('OWASP Core Ruleset');
	});
});

describe('an id in no ruleset', () => {
	const missing = 'f'.repeat(32);

	test('is reported at once, and enter picks nothing', () => {
		const {type, press, state, said, picked, space} = opened({rulesetId: 'owasp'});
		type(missing);
		expect(describeNoMatch(state())).toBe(`OWASP Core Ruleset does not contain rule ${missing}.`);
		press('enter');
		expect(said()).toBe(`OWASP Core Ruleset does not contain rule ${missing}.`);
		expect(picked).toEqual([]);
		expect(getCurrentScreen(space.state())).toBe('catalogue');
	});

	test('is reported with the rulesets searched, and with other places that contain it', () => {
		const {type, press, state} = opened();
		type(missing.toUpperCase());
		expect(describeNoMatch(state())).toBe(
			`Managed Ruleset, OWASP Core Ruleset do not contain rule ${missing}.`,
		);
		press('ctrl-u', 'tab', 'tab');
		type(idOf(2));
		expect(describeNoMatch(state())).toBe(
			`OWASP Core Ruleset does not contain rule ${idOf(2)}. Managed Ruleset contains it.`,
		);
		press('shift-tab');
		expect(describeNoMatch(state())).toBeUndefined();
	});

	test('is not claimed for a ruleset that could not be read', () => {
		expect(describeNoMatch(opened({rulesetId: 'credentials', query: missing}).state())).toBe(
			'The rules of these rulesets could not be read.',
		);
	});
});

describe('picking', () => {
	test('one: enter picks the rule under the cursor after leaving the screen', () => {
		const {press, picked, fronts, space} = opened();
		press('down', 'enter');
		expect(picked).toEqual([[idOf(2)]]);
		expect(fronts).toEqual(['namespaces']);
		expect(space.state().catalogue.data).toBeUndefined();
	});

	test('one: nothing can be marked', () => {
		const {press, marked} = opened();
		press('ctrl-t', 'insert');
		expect(marked()).toEqual([]);
	});

	test("several: marks survive changes of the search, and are picked in the service's order", () => {
		const {press, type, marked, picked} = opened({pickMode: 'several'});
		type('942100');
		press('ctrl-t', 'ctrl-u', 'insert', 'ctrl-space', 'up', 'ctrl-t');
		expect(marked()).toEqual([1, 4]);
		press('enter');
		expect(picked).toEqual([[idOf(1), idOf(4)]]);
	});

	test('several: without a mark, the rule under the cursor is picked', () => {
		const {press, picked} = opened({pickMode: 'several'});
		press('enter');
		expect(picked).toEqual([[idOf(1)]]);
	});

	test('several: enter picks nothing after every mark was removed', () => {
		const {press, picked, said} = opened({pickMode: 'several', initialMarks: [idOf(2)]});
		press('shift-tab', 'ctrl-t');
		press('tab', 'enter');
		expect(picked).toEqual([]);
		expect(said()).toBe('No rules selected.');
	});

	test('several: the marked rules have their own list, in which marks can be removed', () => {
		const {press, found, marked, state} = opened({pickMode: 'several', initialMarks: [idOf(1), idOf(3)]});
		press('shift-tab');
		expect(formatSearchScope(state())).toBe('selected rules');
		expect(found()).toEqual([1, 3]);
		press('ctrl-t');
		expect(found()).toEqual([3]);
		press('ctrl-t');
		expect(marked()).toEqual([]);
		expect(describeNoMatch(state())).toBe('No rules selected.');
	});

	test('nothing: enter does nothing', () => {
		const {press, picked, space} = opened({pickMode: 'nothing'});
		press('enter');
		expect(picked).toEqual([]);
		expect(getCurrentScreen(space.state())).toBe('catalogue');
	});

	test('esc leaves without picking anything', () => {
		const {press, picked, space} = opened({pickMode: 'several', initialMarks: [idOf(1)]});
		press('x', 'esc');
		expect(picked).toEqual([]);
		expect(getCurrentScreen(space.state())).toBe('namespaces');
	});

	test('an enter pasted with the text picks nothing', () => {
		const {app, picked, state, said} = opened();
		dispatch(app, {...key('enter'), pasted: 'inside'});
		dispatch(app, {...key('enter'), pasted: 'at the end'});
		expect(picked).toEqual([]);
		expect(getBufferText(state().line)).toBe(' ');
		expect(said()).toContain('Press enter again');
	});
});

test('the id is copied', () => {
	const {press, app} = opened();
	press('down', 'ctrl-o');
	expect(app.copied).toEqual([idOf(2)]);
});
