import {expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {computeManagedLayout} from '../../../source/screens/managed/body.ts';
import {someOf} from '../../support/full.ts';
import {byOthers} from '../support/custom-rules.ts';
import {atManaged, managedAtService} from '../support/managed.ts';

type Person = Awaited<ReturnType<typeof atManaged>>;

const exception: RulesetRule = {
	action: 'skip',
	action_parameters: {ruleset: 'current'},
	expression: 'http.host eq "theirs.example"',
	description: 'of a colleague',
	enabled: true,
} as RulesetRule;

/** The other person adds an exception. */
async function addException(person: Pick<Person, 'space'>, rule = exception) {
	const {id} = await managedAtService(person.space);
	await byOthers(person.space, 'POST', `/${id}/rules`, {...rule, position: {index: 1}});
}

function shownRows(person: Person): string {
	const {marks} = getTheme('none', true);
	const layout = computeManagedLayout(person.managed(), {columns: 200, rows: 60}, marks);
	const {rows = [], tail = [], side = []} = layout?.body ?? {};
	return [...rows, ...tail, ...side].map(row => row.map(({text}) => text).join('')).join('\n');
}

const mine = (person: Person) => person.managed().proposal?.differences ?? [];

async function editedByTwo(moment?: number) {
	const person = await atManaged();
	person.press('s');
	person.answers('25');
	const own = mine(person);
	const {simulator} = person.space;
	const pass = simulator.fetch.bind(simulator);
	let count = 0;
	simulator.fetch = async request => {
		if (count++ === moment) {
			simulator.fetch = pass;
			await addException(person);
		}
		return pass(request);
	};
	person.press('ctrl-r');
	await person.idle();
	person.send();
	await person.idle();
	simulator.fetch = pass;
	return {person, own, count};
}

test('a change by someone else up to the write is never listed as an own change', async () => {
	const alone = await editedByTwo();
	expect(alone.person.said()).toContain('Changed managed rules');
	let shown = 0;
	for (const moment of someOf(Array.from({length: alone.count}, (_, at) => at))) {
		const {person, own} = await editedByTwo(moment);
		const {rules} = await managedAtService(person.space);
		const said = `before request ${moment}: ${person.said()}`;
		expect(
			rules.some(({description}) => description === exception.description),
			said,
		).toBe(true);
		const left = mine(person);
		if (left.length === 0) continue;
		shown++;
		expect(left, said).toEqual(own);
		const rows = shownRows(person);
		expect(rows, said).toContain('Changed by others');
		expect(rows.indexOf('of a colleague'), said).toBeLessThan(rows.search(/Changed by you|Your changes/));
	}
	expect(shown).toBeGreaterThan(0);
});

test('an edit of a rule changed by someone else is dropped and named, and theirs is shown', async () => {
	const person = await atManaged();
	person.press('s');
	person.answers('25');
	const {id, rules} = await managedAtService(person.space);
	const owasp = rules.find(({action_parameters: parameters}) =>
		JSON.stringify(parameters).includes('4814384a'),
	);
	const text = JSON.stringify({...owasp, version: undefined, last_updated: undefined});
	const changed = JSON.parse(text.replace(/"score_threshold":\d+/, '"score_threshold":60'));
	await byOthers(person.space, 'PATCH', `/${id}/rules/${owasp?.id}`, changed);
	person.press('ctrl-r');
	await person.idle();
	expect(person.said()).toContain(
		'Dropped because someone else changed these rules: OWASP Core Ruleset: score threshold set to 25',
	);
	expect(person.managed()).toMatchObject({edits: [], proposal: undefined});
	expect(shownRows(person)).toContain('Changed by others');
});
