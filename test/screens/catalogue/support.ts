import type {ManagedConfiguration} from '../../../source/migration/configuration/configuration.ts';
import type {ManagedContents, ManagedRule} from '../../../source/migration/zone/managed-contents.ts';
import {getCurrentCatalogueRule, listMarkedRules} from '../../../source/screens/catalogue/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {createExecuteRule} from '../../migration/support/configurations.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

export const toRuleId = (ruleNumber: number): string => ruleNumber.toString(16).padStart(32, '0');

export const createManagedRule = (
	ruleNumber: number,
	description: string,
	more: Partial<ManagedRule> = {},
): ManagedRule => ({
	id: toRuleId(ruleNumber),
	description,
	categories: [],
	action: 'block',
	enabled: true,
	...more,
});

/** Two rulesets that could be read, and one that could not. The numbers of their rules are 1 to 4. */
export const sampleRulesets: readonly ManagedContents[] = [
	{
		id: 'platform',
		name: 'Managed Ruleset',
		rules: [
			createManagedRule(1, 'WordPress, SQLi - Comments', {categories: ['wordpress', 'sqli']}),
			createManagedRule(2, 'Drupal, XSS - Form', {categories: ['drupal'], action: 'log'}),
			createManagedRule(3, 'SQL injection in a header', {enabled: false, action: 'managed_challenge'}),
		],
	},
	{
		id: 'owasp',
		name: 'OWASP Core Ruleset',
		rules: [createManagedRule(4, '942100: SQL injection', {categories: ['sqli'], action: 'score'})],
	},
	{id: 'credentials', name: 'Credentials Check'},
];

export const configuration: Pick<ManagedConfiguration, 'rules'> = {
	rules: [createExecuteRule('platform', {rules: [{id: toRuleId(1), action: 'log'}]})],
};

export const key = (name: string) => ({
	name,
	text: name === 'space' ? ' ' : [...name].length === 1 ? name : '',
	sequence: name,
});

/** A user of the browser: sends keys to it, and reads what it shows. Rules are given by their numbers. */
export function createCatalogueUser() {
	const testStore = createTestStore();
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	const state = () => {
		const catalogue = testStore.state().catalogue.data;
		if (!catalogue) throw new Error('No managed rules are open.');
		return catalogue;
	};
	return {
		space: testStore,
		app,
		press,
		state,
		type: (text: string) => press(...[...text].map(one => (one === ' ' ? 'space' : one))),
		listMatches: () => state().matches.map(({id}) => Number.parseInt(id, 16)),
		getSelectedId: () => getCurrentCatalogueRule(state())?.id,
		listMarked: () => listMarkedRules(state()).map(({id}) => Number.parseInt(id, 16)),
		getMessage: () => testStore.state().messages.latest?.text ?? '',
	};
}
