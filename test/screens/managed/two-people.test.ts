import {expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {computeManagedLayout} from '../../../source/screens/managed/body.ts';
import {everyThirdUnlessFull} from '../../support/full.ts';
import {callRulesetsAsOther} from '../support/custom-rules.ts';
import {atManaged, readManagedRulesAtService} from '../support/managed.ts';

type Person = Awaited<ReturnType<typeof atManaged>>;

const exception: RulesetRule = {
	action: 'skip',
	action_parameters: {ruleset: 'current'},
	expression: 'http.host eq "theirs.example"',
	description: 'of a colleague',
	enabled: true,
} as RulesetRule;

/** Adds an exception as someone else. */
async function addException(person: Pick<Person, 'testStore'>, rule = exception) {
	const {id} = await readManagedRulesAtService(person.testStore);
	await callRulesetsAsOther(person.testStore, 'POST', `/${id}/rules`, {...rule, position: {index: 1}});
}

function shownRows(person: Person): string {
	const {marks} = getTheme('none', true);
	const layout = computeManagedLayout(person.managed(), {columns: 200, rows: 60}, marks);
	const {rows = [], tail = [], side = []} = layout?.body ?? {};
	return [...rows, ...tail, ...side].map(row => row.map(({text}) => text).join('')).join('\n');
}

const getOwnChanges = (person: Person) => person.managed().proposal?.differences ?? [];

async function editWhileOtherAdds(moment?: number) {
	const person = await atManaged();
	person.press('T');
	person.answer('score', '25');
	const ownChanges = getOwnChanges(person);
	const {simulator} = person.testStore;
	const originalFetch = simulator.fetch.bind(simulator);
	let requestCount = 0;
	simulator.fetch = async request => {
		if (requestCount++ === moment) {
			simulator.fetch = originalFetch;
			await addException(person);
		}
		return originalFetch(request);
	};
	person.press('ctrl-r');
	await person.idle();
	person.send();
	await person.idle();
	simulator.fetch = originalFetch;
	return {person, own: ownChanges, count: requestCount};
}

test('a change by someone else up to the write is never listed as an own change', async () => {
	const alone = await editWhileOtherAdds();
	expect(alone.person.getMessageText()).toContain('Changed managed rules');
	let reviewedCount = 0;
	for (const moment of everyThirdUnlessFull(Array.from({length: alone.count}, (_, at) => at))) {
		const {person, own: ownChanges} = await editWhileOtherAdds(moment);
		const {rules} = await readManagedRulesAtService(person.testStore);
		const failureContext = `before request ${moment}: ${person.getMessageText()}`;
		expect(
			rules.some(({description}) => description === exception.description),
			failureContext,
		).toBe(true);
		const remainingChanges = getOwnChanges(person);
		if (remainingChanges.length === 0) continue;
		reviewedCount++;
		expect(remainingChanges, failureContext).toEqual(ownChanges);
		const rows = shownRows(person);
		expect(rows, failureContext).toContain('Changed by others');
		expect(rows.indexOf('of a colleague'), failureContext).toBeLessThan(rows.indexOf('Your unsent changes'));
	}
	expect(reviewedCount).toBeGreaterThan(0);
});

test('an edit of a rule changed by someone else is dropped and named, and theirs is shown', async () => {
	const person = await atManaged();
	person.press('T');
	person.answer('score', '25');
	const {id, rules} = await readManagedRulesAtService(person.testStore);
	const owasp = rules.find(({action_parameters: parameters}) =>
		JSON.stringify(parameters).includes('4814384a'),
	);
	const text = JSON.stringify({...owasp, version: undefined, last_updated: undefined});
	const changedRule = JSON.parse(text.replace(/"score_threshold":\d+/, '"score_threshold":60'));
	await callRulesetsAsOther(person.testStore, 'PATCH', `/${id}/rules/${owasp?.id}`, changedRule);
	person.press('ctrl-r');
	await person.idle();
	expect(person.getMessageText()).toContain(
		'Dropped because someone else changed these rules: Set score threshold 25 in OWASP Core Ruleset',
	);
	expect(person.managed()).toMatchObject({edits: [], proposal: undefined});
	expect(shownRows(person)).toContain('Changed by others');
});
