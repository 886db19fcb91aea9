import type {ManagedConfiguration} from '../../../source/migration/configuration/configuration.ts';
import type {ManagedContents, ManagedRule} from '../../../source/migration/zone/managed-contents.ts';
import {getCurrentCatalogueRule, listMarkedRules} from '../../../source/screens/catalogue/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {execute} from '../../migration/support/configurations.ts';
import {appOf} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

export const idOf = (figure: number): string => figure.toString(16).padStart(32, '0');

export const rule = (figure: number, description: string, more: Partial<ManagedRule> = {}): ManagedRule => ({
	id: idOf(figure),
	description,
	categories: [],
	action: 'block',
	enabled: true,
	...more,
});

/** Two rulesets that could be read, and one that could not. */
export const managed: readonly ManagedContents[] = [
	{
		id: 'platform',
		name: 'Managed Ruleset',
		rules: [
			rule(1, 'WordPress, SQLi - Comments', {categories: ['wordpress', 'sqli']}),
			rule(2, 'Drupal, XSS - Form', {categories: ['drupal'], action: 'log'}),
			rule(3, 'SQL injection in a header', {enabled: false, action: 'managed_challenge'}),
		],
	},
	{
		id: 'owasp',
		name: 'OWASP Core Ruleset',
		rules: [rule(4, '942100: SQL injection', {categories: ['sqli'], action: 'score'})],
	},
	{id: 'credentials', name: 'Credentials Check'},
];

export const configuration: Pick<ManagedConfiguration, 'rules'> = {
	rules: [execute('platform', {rules: [{id: idOf(1), action: 'log'}]})],
};

export const key = (name: string) => ({
	name,
	text: name === 'space' ? ' ' : [...name].length === 1 ? name : '',
	sequence: name,
});

/** The keys of a screen on a store, and what is on it. */
export function person() {
	const space = createTestStore();
	const app = appOf(space);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	const state = () => {
		const catalogue = space.state().catalogue.data;
		if (!catalogue) throw new Error('No managed rules are open.');
		return catalogue;
	};
	return {
		space,
		app,
		press,
		state,
		type: (text: string) => press(...[...text].map(one => (one === ' ' ? 'space' : one))),
		found: () => state().matches.map(({id}) => Number.parseInt(id, 16)),
		here: () => getCurrentCatalogueRule(state())?.id,
		marked: () => listMarkedRules(state()).map(({id}) => Number.parseInt(id, 16)),
		said: () => space.state().messages.latest?.text ?? '',
	};
}
