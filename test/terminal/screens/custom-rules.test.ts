import {beforeEach, expect, test} from 'vitest';
import type {LoggedCall} from '../../../source/simulator/simulator.ts';
import {migratedSampleZone, rulesetId, sampleIds} from '../../screens/support/custom-rules.ts';
import {goToRules} from '../../screens/support/rule-ways.ts';
import {confirmAfterReading, pressEnterAfterReading} from '../../screens/support/ways.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';
import {openScreen, type Screen} from '../screen/open.ts';

// What else the list and the form do: test/screens/custom-rules and test/screens/custom-rule.

const {office, admin, login, scrapers} = sampleIds;
const base = `/zones/${migratedSampleZone.id}/rulesets/${rulesetId}`;
const expression = 'http.host eq "keys.example"';

let service: ServedSimulator;
let screen: Screen;

beforeEach(async () => {
	service = await serveSimulator();
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	screen = await openScreen(['--zone', migratedSampleZone.name], {env, columns: 160, rows: 60});
	await goToRules(screen);
});

/** The custom rules, read without ledge. */
async function readRules(): Promise<readonly {id: string; description?: string}[]> {
	const answer = await fetch(`${service.url}${base}`, {headers: {Authorization: 'Bearer simulated'}});
	return ((await answer.json()) as {result: {rules: {id: string}[]}}).result.rules;
}

/** The request that the review shows. */
function readShownRequest(): Pick<LoggedCall, 'method' | 'path' | 'body'> {
	const rows = screen.text().split('\n');
	const from = rows.findIndex(row => row.includes('exactly as it will be sent')) + 2;
	const to = rows.indexOf('   }', from);
	const [method = '', path = ''] = rows[from]?.trim().split(' ') ?? [];
	return {method, path, body: JSON.parse(rows.slice(from + 1, to + 1).join('\n'))};
}

/** Sends what the review shows, and expects that to arrive and nothing else. */
async function sendShown(endText: string): Promise<unknown> {
	const before = service.writes().length;
	await screen.waitFor('exactly as it will be sent');
	const request = readShownRequest();
	await confirmAfterReading(screen, 'y send');
	await screen.waitFor(endText);
	const arrived = service.writes().slice(before);
	expect(arrived.map(({method, path, body}) => ({method, path, body}))).toEqual([request]);
	await pressEnterAfterReading(screen, endText);
	await screen.waitFor(/rule \d+ of \d+/);
	return request.body;
}

/** Answers the question that a key asks, and returns what then arrived. */
async function confirmAndListWrites(
	question: string | RegExp,
	answer: string,
	doneText: string,
): Promise<readonly LoggedCall[]> {
	const before = service.writes().length;
	await screen.settled(question);
	screen.press(answer);
	await screen.waitFor(doneText);
	return service.writes().slice(before);
}

test('a rule is created and changed by keys, and exactly what the review shows is sent', async () => {
	screen.press('a');
	await screen.waitFor('0 of 4,096 characters');
	screen.type(expression);
	await screen.waitFor('can be sent as is');
	screen.press('enter');
	await screen.waitFor('▸ block');
	screen.press('enter');
	await screen.waitFor('leave empty for last');
	screen.type('2');
	screen.press('tab');
	screen.type('By keys “alone”');
	await screen.settled('19 of 4,096 bytes; logs keep the first 128');
	screen.press('enter');
	expect(await sendShown('created.')).toEqual({
		action: 'block',
		expression,
		description: 'By keys “alone”',
		enabled: true,
		position: {after: office},
	});
	const [, createdRule] = await readRules();
	expect(createdRule).toMatchObject({expression, description: 'By keys “alone”'});
	expect((await readRules()).map(({id}) => id)).toEqual([office, createdRule?.id, admin, login, scrapers]);

	expect(screen.selectedRow().text).toContain('By keys “alone”');
	screen.press('e');
	await screen.waitFor('can be sent as is');
	screen.type(' or cf.client.bot');
	await screen.waitFor('keys.example" or cf.client.bot');
	await screen.settled('can be sent as is');
	screen.press('enter');
	await screen.waitFor('▸ block');
	screen.press('down', 'enter');
	await screen.waitFor('By keys');
	screen.press('enter');
	expect(await sendShown('changed.')).toMatchObject({
		id: createdRule?.id,
		action: 'managed_challenge',
		expression: `${expression} or cf.client.bot`,
		description: 'By keys “alone”',
		enabled: true,
	});
	expect((await readRules())[1]).toMatchObject({id: createdRule?.id, action: 'managed_challenge'});
});

test('rules are moved, paused, deleted, restored and undone by keys, each with one call', async () => {
	const originalRules = await readRules();
	screen.press('O', 'down', 'down');
	await screen.waitFor('position 1 → 3 of 4');
	screen.press('enter');
	await screen.waitFor('Move this rule to position 3 of 4?');
	screen.press('y');
	await screen.waitFor('Rule moved to position 3 of 4');
	expect(service.writes()).toMatchObject([{method: 'PATCH', path: `${base}/rules/${office}`}]);
	expect(service.writes()[0]?.body).toEqual({position: {after: login}});
	expect((await readRules()).map(({id}) => id)).toEqual([admin, login, office, scrapers]);

	screen.press('p');
	expect(await confirmAndListWrites(/Pause rule \d+\?/, 'y', 'The rule is paused')).toMatchObject([
		{method: 'PATCH', path: `${base}/rules/${office}`, body: {id: office, enabled: false}},
	]);
	expect((await readRules())[2]).toMatchObject({id: office, enabled: false});
	screen.press('u');
	expect(await confirmAndListWrites('Undo the last change?', 'y', 'was resumed')).toMatchObject([
		{method: 'PATCH', path: `${base}/rules/${office}`, body: {id: office, enabled: true}},
	]);

	screen.press('d');
	expect(await confirmAndListWrites(/Delete rule \d+\?/, 'y', 'Rule deleted')).toMatchObject([
		{method: 'DELETE', path: `${base}/rules/${office}`},
	]);
	expect((await readRules()).map(({id}) => id)).toEqual([admin, login, scrapers]);

	screen.press('V');
	await screen.waitFor(/NOTE.* active/s);
	screen.press('end');
	await screen.waitFor(() => /▸ +1 /.test(screen.selectedRow().text));
	screen.press('up');
	await screen.settled('Restoring version 2 would make 1 change');
	screen.press('enter');
	await screen.settled('Rules of version 2');
	screen.press('u');
	await confirmAndListWrites('Restore version 2?', 'y', 'Restored version 2 as version 7');
	// The service gives the restored rule a new id, so the rules are compared by their descriptions.
	const listDescriptions = (all: Awaited<ReturnType<typeof readRules>>) =>
		all.map(({description}) => description);
	expect(listDescriptions(await readRules())).toEqual(listDescriptions(originalRules));
	screen.press('u');
	await confirmAndListWrites('Undo the last change?', 'y', 'Undone: ');
	expect((await readRules()).map(({id}) => id)).toEqual([admin, login, scrapers]);
});
