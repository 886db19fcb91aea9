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
	test('is typed into at once, letters are text, and the best rule is under the cursor', () => {
		const {type, found, here, press} = opened();
		expect(found()).toEqual([1, 2, 3, 4]);
		press('down', 'down');
		type('sql x');
		expect(found()).toEqual([]);
		press('backspace', 'backspace');
		expect(found()).toEqual([3, 4, 1]);
		expect(here()).toBe(idOf(3));
	});

	test('jkgG?:q/ are text too', () => {
		const {type, state} = opened();
		type('jkgG?:q/');
		expect(getBufferText(state().line)).toBe('jkgG?:q/');
	});

	test('the cursor stays in what is found, by rows and pages', () => {
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

	test('moving in the text keeps the row', () => {
		const {type, press, here} = opened();
		type('sql');
		press('down', 'left', 'ctrl-a');
		expect(here()).toBe(idOf(4));
	});

	test('begins with a query and within a ruleset', () => {
		const {found, state} = opened({query: 'sql', rulesetId: 'owasp'});
		expect(found()).toEqual([4]);
		expect(formatSearchScope(state())).toBe('OWASP Core Ruleset');
		expect(opened({rulesetId: 'gone'}).found()).toEqual([1, 2, 3, 4]);
	});

	test('refuses what nobody would type', () => {
		const {app, state, said} = opened();
		dispatch(app, {name: 'paste', text: 'x'.repeat(maxQueryLength + 1), sequence: ''});
		expect(getBufferText(state().line)).toBe('');
		expect(said()).toContain(`at most ${maxQueryLength}`);
	});
});

describe('tab', () => {
	test('goes through the rulesets and back to all, shift-tab the other way', () => {
		const {press, state, found} = opened();
		const scopes = () => formatSearchScope(state());
		press('tab');
		expect([scopes(), found()]).toEqual(['Managed Ruleset', [1, 2, 3]]);
		press('tab');
		expect([scopes(), found()]).toEqual(['OWASP Core Ruleset', [4]]);
		press('tab');
		expect([scopes(), describeNoMatch(state())]).toEqual([
			'Credentials Check',
			'No rule of these rulesets could be read.',
		]);
		press('tab');
		expect(scopes()).toBe('all rulesets');
		press('shift-tab', 'shift-tab');
		expect(scopes()).toBe('OWASP Core Ruleset');
	});
});

describe('an id that no ruleset has', () => {
	const missing = 'f'.repeat(32);

	test('is reported at once, and enter picks nothing', () => {
		const {type, press, state, said, picked, space} = opened({rulesetId: 'owasp'});
		type(missing);
		expect(describeNoMatch(state())).toBe(`OWASP Core Ruleset has no rule ${missing}.`);
		press('enter');
		expect(said()).toBe(`OWASP Core Ruleset has no rule ${missing}.`);
		expect(picked).toEqual([]);
		expect(getCurrentScreen(space.state())).toBe('catalogue');
	});

	test('names all that was searched, and where else it is', () => {
		const {type, press, state} = opened();
		type(missing.toUpperCase());
		expect(describeNoMatch(state())).toBe(`Managed Ruleset, OWASP Core Ruleset have no rule ${missing}.`);
		press('ctrl-u', 'tab', 'tab');
		type(idOf(2));
		expect(describeNoMatch(state())).toBe(
			`OWASP Core Ruleset has no rule ${idOf(2)}. Managed Ruleset has it.`,
		);
		press('shift-tab');
		expect(describeNoMatch(state())).toBeUndefined();
	});

	test('of a ruleset that could not be read is not claimed', () => {
		expect(describeNoMatch(opened({rulesetId: 'credentials', query: missing}).state())).toBe(
			'No rule of these rulesets could be read.',
		);
	});
});

describe('picking', () => {
	test('one: enter picks the rule under the cursor, after the screen was left', () => {
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

	test('several: marks stay while the search changes, and are picked in the order of the service', () => {
		const {press, type, marked, picked} = opened({pickMode: 'several'});
		type('942100');
		press('ctrl-t', 'ctrl-u', 'insert', 'ctrl-space', 'up', 'ctrl-t');
		expect(marked()).toEqual([1, 4]);
		press('enter');
		expect(picked).toEqual([[idOf(1), idOf(4)]]);
	});

	test('several: without a mark the rule under the cursor', () => {
		const {press, picked} = opened({pickMode: 'several'});
		press('enter');
		expect(picked).toEqual([[idOf(1)]]);
	});

	test('several: who has taken every mark away picks nothing by enter', () => {
		const {press, picked, said} = opened({pickMode: 'several', initialMarks: [idOf(2)]});
		press('shift-tab', 'ctrl-t');
		press('tab', 'enter');
		expect(picked).toEqual([]);
		expect(said()).toBe('No rule is marked.');
	});

	test('several: the marked are a list of their own, in which they can be taken away', () => {
		const {press, found, marked, state} = opened({pickMode: 'several', initialMarks: [idOf(1), idOf(3)]});
		press('shift-tab');
		expect(formatSearchScope(state())).toBe('marked rules');
		expect(found()).toEqual([1, 3]);
		press('ctrl-t');
		expect(found()).toEqual([3]);
		press('ctrl-t');
		expect(marked()).toEqual([]);
		expect(describeNoMatch(state())).toBe('No rule is marked.');
	});

	test('nothing: enter does nothing', () => {
		const {press, picked, space} = opened({pickMode: 'nothing'});
		press('enter');
		expect(picked).toEqual([]);
		expect(getCurrentScreen(space.state())).toBe('catalogue');
	});

	test('esc leaves, and picks nothing', () => {
		const {press, picked, space} = opened({pickMode: 'several', initialMarks: [idOf(1)]});
		press('x', 'esc');
		expect(picked).toEqual([]);
		expect(getCurrentScreen(space.state())).toBe('namespaces');
	});

	test('an enter that was pasted with the text picks nothing', () => {
		const {app, picked, state, said} = opened();
		dispatch(app, {...key('enter'), pasted: 'inside'});
		dispatch(app, {...key('enter'), pasted: 'at the end'});
		expect(picked).toEqual([]);
		expect(getBufferText(state().line)).toBe(' ');
		expect(said()).toContain('press it once more');
	});
});

test('the id is copied', () => {
	const {press, app} = opened();
	press('down', 'ctrl-o');
	expect(app.copied).toEqual([idOf(2)]);
});
