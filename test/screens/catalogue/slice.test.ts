import {describe, expect, test} from 'vitest';
import type {CatalogueRule} from '../../../source/managed/catalogue.ts';
import {catalogueActions} from '../../../source/screens/catalogue/actions.ts';
import {
	type CatalogueRequest,
	describeNoMatch,
	formatSearchScope,
	maxQueryLength,
} from '../../../source/screens/catalogue/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {createCatalogueUser, key, sampleRulesets, toRuleId} from './support.ts';

/** Opens the browser, and collects what is picked and the screen in front at each pick. */
function openCatalogue(request: Partial<CatalogueRequest> = {}) {
	const user = createCatalogueUser();
	const picked: (readonly string[])[] = [];
	const screensAtPick: string[] = [];
	user.space.state().navigation.go('namespaces');
	user.space.state().catalogue.open({
		title: 'Which rules?',
		rulesets: sampleRulesets,
		pickMode: 'one',
		onPick(rules: readonly CatalogueRule[]) {
			picked.push(rules.map(({id}) => id));
			screensAtPick.push(getCurrentScreen(user.space.state()));
		},
		...request,
	});
	return {...user, picked, fronts: screensAtPick};
}

describe('the search', () => {
	test('takes letters as text at once, and puts the cursor on the best rule', () => {
		const {type, listMatches, getSelectedId, press} = openCatalogue();
		expect(listMatches()).toEqual([1, 2, 3, 4]);
		press('down', 'down');
		type('sql x');
		expect(listMatches()).toEqual([]);
		press('backspace', 'backspace');
		expect(listMatches()).toEqual([3, 4, 1]);
		expect(getSelectedId()).toBe(toRuleId(3));
	});

	test('takes jkgG?:q/ as text, too', () => {
		const {type, state} = openCatalogue();
		type('jkgG?:q/');
		expect(getBufferText(state().line)).toBe('jkgG?:q/');
	});

	test('keeps the cursor within the results, by rows and pages', () => {
		const {press, getSelectedId} = openCatalogue();
		press('up');
		expect(getSelectedId()).toBe(toRuleId(1));
		press('pagedown');
		expect(getSelectedId()).toBe(toRuleId(4));
		press('down');
		expect(getSelectedId()).toBe(toRuleId(4));
		press('ctrl-home');
		expect(getSelectedId()).toBe(toRuleId(1));
	});

	test('keeps the row when the cursor moves in the text', () => {
		const {type, press, getSelectedId} = openCatalogue();
		type('sql');
		press('down', 'left', 'ctrl-a');
		expect(getSelectedId()).toBe(toRuleId(4));
	});

	test('starts with a given query and ruleset', () => {
		const {listMatches, state} = openCatalogue({query: 'sql', rulesetId: 'owasp'});
		expect(listMatches()).toEqual([4]);
		expect(formatSearchScope(state())).toBe('OWASP Core Ruleset');
		expect(openCatalogue({rulesetId: 'gone'}).listMatches()).toEqual([1, 2, 3, 4]);
	});

	test('refuses implausibly long text', () => {
		const {app, state, getMessage} = openCatalogue();
		dispatch(app, {name: 'paste', text: 'x'.repeat(maxQueryLength + 1), sequence: ''});
		expect(getBufferText(state().line)).toBe('');
		expect(getMessage()).toContain(`limited to ${maxQueryLength}`);
	});
});

describe('tab', () => {
	test('cycles through the rulesets and back to all, and shift-tab in reverse', () => {
		const {press, state, listMatches} = openCatalogue();
		const getScope = () => formatSearchScope(state());
		press('tab');
		expect([getScope(), listMatches()]).toEqual(['Managed Ruleset', [1, 2, 3]]);
		press('tab');
		expect([getScope(), listMatches()]).toEqual(['OWASP Core Ruleset', [4]]);
		press('tab');
		expect([getScope(), describeNoMatch(state())]).toEqual([
			'Credentials Check',
			'The rules of these rulesets could not be read.',
		]);
		press('tab');
		expect(getScope()).toBe('all rulesets');
		press('shift-tab', 'shift-tab');
		expect(getScope()).toBe('OWASP Core Ruleset');
	});
});

describe('an id in no ruleset', () => {
	const missing = 'f'.repeat(32);

	test('is reported at once, and enter picks nothing', () => {
		const {type, press, state, getMessage, picked, space: testStore} = openCatalogue({rulesetId: 'owasp'});
		type(missing);
		expect(describeNoMatch(state())).toBe(`OWASP Core Ruleset does not contain rule ${missing}.`);
		press('enter');
		expect(getMessage()).toBe(`OWASP Core Ruleset does not contain rule ${missing}.`);
		expect(picked).toEqual([]);
		expect(getCurrentScreen(testStore.state())).toBe('catalogue');
	});

	test('is reported with the rulesets searched, and with other places that contain it', () => {
		const {type, press, state} = openCatalogue();
		type(missing.toUpperCase());
		expect(describeNoMatch(state())).toBe(
			`Managed Ruleset, OWASP Core Ruleset do not contain rule ${missing}.`,
		);
		press('ctrl-u', 'tab', 'tab');
		type(toRuleId(2));
		expect(describeNoMatch(state())).toBe(
			`OWASP Core Ruleset does not contain rule ${toRuleId(2)}. Managed Ruleset contains it.`,
		);
		press('shift-tab');
		expect(describeNoMatch(state())).toBeUndefined();
	});

	test('is not reported for a ruleset that could not be read', () => {
		expect(describeNoMatch(openCatalogue({rulesetId: 'credentials', query: missing}).state())).toBe(
			'The rules of these rulesets could not be read.',
		);
	});
});

describe('picking', () => {
	test('one: enter picks the rule under the cursor after leaving the screen', () => {
		const {press, picked, fronts: screensAtPick, space: testStore} = openCatalogue();
		press('down', 'enter');
		expect(picked).toEqual([[toRuleId(2)]]);
		expect(screensAtPick).toEqual(['namespaces']);
		expect(testStore.state().catalogue.data).toBeUndefined();
	});

	test('one: nothing can be marked', () => {
		const {press, listMarked} = openCatalogue();
		press('ctrl-t', 'insert');
		expect(listMarked()).toEqual([]);
	});

	test("several: marks survive changes of the search, and are picked in the service's order", () => {
		const {press, type, listMarked, picked} = openCatalogue({pickMode: 'several'});
		type('942100');
		press('ctrl-t', 'ctrl-u', 'insert', 'down', 'ctrl-t', 'ctrl-t');
		expect(listMarked()).toEqual([1, 4]);
		press('enter');
		expect(picked).toEqual([[toRuleId(1), toRuleId(4)]]);
	});

	test('several: shift-down marks a range among the rules found, ctrl-space one from the rule marked last', () => {
		const {press, type, listMatches, listMarked} = openCatalogue({pickMode: 'several'});
		press('shift-down', 'shift-down', 'shift-up');
		expect(listMarked()).toEqual([1, 2]);
		press('shift-up', 'ctrl-t');
		expect(listMarked()).toEqual([]);
		type('sql');
		expect(listMatches()).toEqual([3, 4, 1]);
		press('down', 'ctrl-space');
		expect(listMarked()).toEqual([1, 4]);
	});

	test('one: shift-down moves, and ctrl-space says that it does nothing', () => {
		const {press, listMarked, getSelectedId, getMessage} = openCatalogue();
		press('shift-down', 'ctrl-space');
		expect(listMarked()).toEqual([]);
		expect(getSelectedId()).toBe(toRuleId(2));
		expect(getMessage()).toContain('ctrl-space does nothing');
	});

	test('several: without a mark, the rule under the cursor is picked', () => {
		const {press, picked} = openCatalogue({pickMode: 'several'});
		press('enter');
		expect(picked).toEqual([[toRuleId(1)]]);
	});

	test('several: enter picks nothing after every mark was removed', () => {
		const {press, picked, getMessage} = openCatalogue({pickMode: 'several', initialMarks: [toRuleId(2)]});
		press('shift-tab', 'ctrl-t');
		press('tab', 'enter');
		expect(picked).toEqual([]);
		expect(getMessage()).toBe('No rules selected.');
	});

	test('several: the marked rules have their own list, in which marks can be removed', () => {
		const {press, listMatches, listMarked, state} = openCatalogue({
			pickMode: 'several',
			initialMarks: [toRuleId(1), toRuleId(3)],
		});
		press('shift-tab');
		expect(formatSearchScope(state())).toBe('selected rules');
		expect(listMatches()).toEqual([1, 3]);
		press('ctrl-t');
		expect(listMatches()).toEqual([3]);
		press('ctrl-t');
		expect(listMarked()).toEqual([]);
		expect(describeNoMatch(state())).toBe('No rules selected.');
	});

	test('nothing: enter does nothing', () => {
		const {press, picked, space: testStore} = openCatalogue({pickMode: 'nothing'});
		press('enter');
		expect(picked).toEqual([]);
		expect(getCurrentScreen(testStore.state())).toBe('catalogue');
	});

	test('esc leaves without picking anything', () => {
		const {
			press,
			picked,
			space: testStore,
		} = openCatalogue({pickMode: 'several', initialMarks: [toRuleId(1)]});
		press('x', 'esc');
		expect(picked).toEqual([]);
		expect(getCurrentScreen(testStore.state())).toBe('namespaces');
	});

	test('an enter pasted with the text picks nothing', () => {
		const {app, picked, state, getMessage} = openCatalogue();
		dispatch(app, {...key('enter'), pasted: 'inside'});
		dispatch(app, {...key('enter'), pasted: 'at the end'});
		expect(picked).toEqual([]);
		expect(getBufferText(state().line)).toBe(' ');
		expect(getMessage()).toContain('Press enter again');
	});
});

test('the id is copied', () => {
	const {press, app} = openCatalogue();
	press('down', 'ctrl-o');
	expect(app.copied).toEqual([toRuleId(2)]);
});

test('alt-a selects all rules that the search shows, and deselects them', () => {
	const {type, press, listMarked} = openCatalogue({pickMode: 'several', initialMarks: [toRuleId(2)]});
	type('sql');
	expect(catalogueActions.find(({id}) => id === 'catalogue.mark-all')?.hint).toBe('all shown');
	press('alt-a');
	expect(listMarked()).toEqual([1, 2, 3, 4]);
	press('alt-a');
	expect(listMarked()).toEqual([2]);
});
