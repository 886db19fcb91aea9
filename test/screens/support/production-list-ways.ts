import {addEnd} from '../../../source/firewall/rules/end-time.ts';
import type {ServedSimulator} from '../../support/serve-simulator.ts';
import {pressAndConfirm, submitDialog, type Walk} from './production-ways.ts';
import {goToRules, ruleZone, typeExpression} from './rule-ways.ts';
import {waitForHome} from './sample-ways.ts';
import type {DrawnScreen} from './screen.tsx';
import {confirmAfterReading} from './ways.ts';

const acmePattern = /In Acme \(simulated\) › zone acme/;
const donePattern = /In Acme \(simulated\) › zone done/;
const accountPattern = /In Acme \(simulated\)/;
const migratedZone = 'done.acme.example';
/** An expression of a rule that ended in 2023. */
const endedExpression = addEnd('ip.src eq 192.0.2.8', 1_700_000_000);

/** Calls the service as someone else; returns the result. */
async function call<Result>({url}: ServedSimulator, path: string, body?: unknown): Promise<Result> {
	const response = await fetch(`${url}${path}`, {
		method: body === undefined ? 'GET' : 'POST',
		headers: {authorization: 'Bearer simulated', 'content-type': 'application/json'},
		...(body !== undefined && {body: JSON.stringify(body)}),
	});
	return ((await response.json()) as {result: Result}).result;
}

async function findZoneId(service: ServedSimulator, name: string): Promise<string> {
	const [zone] = await call<{id: string}[]>(service, `/zones?name=${name}`);
	if (!zone) throw new Error(`There is no zone ${name}.`);
	return zone.id;
}

async function goToRateLimits(screen: DrawnScreen): Promise<void> {
	await waitForHome(screen);
	screen.press('2');
	await screen.waitFor('rule 1 of 4');
	screen.press('L');
	await screen.waitFor('rate limit 1 of 3');
}

/** Answers the question of a change that reduces protection. */
const typeZoneName = (screen: DrawnScreen, key: string) =>
	submitDialog(screen, key, 'To continue, type', migratedZone);

async function goToBlocklist(screen: DrawnScreen): Promise<void> {
	screen.press('/');
	screen.type('blocklist');
	screen.press('enter');
	await screen.settled();
	screen.press('enter');
	await screen.waitFor('192.0.2.7');
}

async function addAddress(screen: DrawnScreen): Promise<void> {
	await submitDialog(screen, 'a', 'Add addresses', '192.0.2.9');
	await pressAndConfirm(screen, 'enter', 'Add 192.0.2.9 to');
}

async function createList(screen: DrawnScreen): Promise<void> {
	await submitDialog(screen, 'a', 'Create an IP list', 'attackers');
	await screen.waitFor('Create the list "attackers"?');
	screen.press('y');
}

async function editComment(screen: DrawnScreen): Promise<void> {
	await submitDialog(screen, 'e', 'Leave it empty for none', 'ticket 7');
	await screen.waitFor('Change the comment of');
	screen.press('y');
}

/** Every write that the screens make to rate limits and lists, and the deletion of rules that have ended. */
export const listWalks: Readonly<Record<string, Walk>> = {
	'firewall rules that have ended': {
		options: {zone: ruleZone},
		async prepare(service) {
			const zoneId = await findZoneId(service, ruleZone);
			const rules = [{action: 'block', filter: {expression: endedExpression}}];
			await call(service, `/zones/${zoneId}/firewall/rules`, rules);
		},
		goToStart: goToRules,
		steps: [
			{
				actionIds: ['firewall.delete-ended'],
				begin: screen => pressAndConfirm(screen, 'Z', /Delete rule \d+/),
				placePattern: acmePattern,
				requestPattern: /^DELETE .*\/firewall\/rules\//,
				endText: /Deleted rule/,
			},
		],
	},
	'custom rules that have ended': {
		options: {zone: migratedZone},
		async prepare(service) {
			const zoneId = await findZoneId(service, migratedZone);
			const path = `/zones/${zoneId}/rulesets`;
			const {id} = await call<{id: string}>(
				service,
				`${path}/phases/http_request_firewall_custom/entrypoint`,
			);
			await call(service, `${path}/${id}/rules`, {action: 'block', expression: endedExpression});
		},
		async goToStart(screen) {
			await waitForHome(screen);
			screen.press('2');
			await screen.waitFor('rule 1 of 5');
		},
		steps: [
			{
				actionIds: ['custom.delete-ended'],
				begin: screen => pressAndConfirm(screen, 'Z', /Delete rule \d+/),
				placePattern: donePattern,
				requestPattern: /^DELETE .*\/rules\//,
				endText: /[Rr]ule deleted/,
			},
		],
	},
	'rate limits': {
		options: {zone: migratedZone},
		goToStart: goToRateLimits,
		steps: [
			{
				actionIds: ['limits.send-move'],
				async begin(screen) {
					screen.press('O', 'down');
					await screen.waitFor('nothing has been sent');
					await pressAndConfirm(screen, 'enter', 'Move this rate limit to position 2 of 3?');
				},
				async beginAgain(screen) {
					await screen.waitFor('send the new order');
					await pressAndConfirm(screen, 'enter', 'Move this rate limit to position 2 of 3?');
				},
				placePattern: donePattern,
				requestPattern: /^PATCH .*\/rules\//,
				endText: 'Rate limit moved to position 2 of 3',
			},
			{
				actionIds: ['limits.pause'],
				begin: screen => typeZoneName(screen, 'p'),
				placePattern: donePattern,
				requestPattern: /^PATCH .*\/rules\//,
				endText: 'The rate limit is paused',
			},
			{
				actionIds: ['limits.resume'],
				begin: screen => pressAndConfirm(screen, 'p', 'Resume rate limit 2?'),
				placePattern: donePattern,
				requestPattern: /^PATCH .*\/rules\//,
				endText: 'The rate limit is active again',
			},
			{
				actionIds: ['limits.delete'],
				begin: screen => typeZoneName(screen, 'd'),
				placePattern: donePattern,
				requestPattern: /^DELETE .*\/rules\//,
				endText: 'Rate limit deleted',
			},
			{
				actionIds: ['limits.undo'],
				begin: screen => pressAndConfirm(screen, 'u', 'Undo the last change?'),
				placePattern: donePattern,
				requestPattern: /^(?:PUT|POST) .*\/(?:entrypoint|rules)$/,
				endText: 'Undone: ',
			},
			{
				actionIds: ['rateLimit.send'],
				async begin(screen) {
					screen.press('a');
					await typeExpression(screen, 'http.request.uri.path eq "/slow"');
					screen.press('enter');
					await screen.waitFor('how many requests are allowed');
					screen.press('9', 'enter');
					await screen.waitFor('exactly as');
					await confirmAfterReading(screen, 'y send');
				},
				beginAgain: screen => confirmAfterReading(screen, 'y send'),
				placePattern: donePattern,
				requestPattern: /^POST .*\/rules$/,
				endText: 'Position 4 of 4.',
			},
		],
	},
	'rate limits that have ended': {
		options: {zone: ruleZone},
		async prepare(service) {
			const path = `/zones/${await findZoneId(service, ruleZone)}/rulesets`;
			const ratelimit = {characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 9};
			await call(service, path, {
				name: 'default',
				kind: 'zone',
				phase: 'http_ratelimit',
				rules: [{action: 'block', expression: endedExpression, ratelimit}],
			});
		},
		async goToStart(screen) {
			await goToRules(screen);
			screen.press('L');
			await screen.waitFor('rate limit 1 of 1');
		},
		steps: [
			{
				actionIds: ['limits.delete-ended'],
				begin: screen => pressAndConfirm(screen, 'Z', 'Delete rate limit 1?'),
				placePattern: acmePattern,
				requestPattern: /^DELETE .*\/rules\//,
				endText: 'Rate limit deleted',
			},
		],
	},
	'the lists of an account': {
		async goToStart(screen) {
			await waitForHome(screen);
			screen.press('I');
			await screen.waitFor('blocklist');
		},
		steps: [
			{
				actionIds: ['lists.new'],
				begin: createList,
				placePattern: accountPattern,
				requestPattern: /^POST .*\/rules\/lists$/,
				endText: 'Created list "attackers"',
			},
			{
				actionIds: ['items.add'],
				async begin(screen) {
					await goToBlocklist(screen);
					await addAddress(screen);
				},
				beginAgain: addAddress,
				placePattern: accountPattern,
				requestPattern: /^POST .*\/items$/,
				endText: 'Added 192.0.2.9',
			},
			{
				actionIds: ['items.comment'],
				begin: editComment,
				placePattern: accountPattern,
				requestPattern: /^POST .*\/items$/,
				endText: 'Changed the comment of',
			},
			{
				actionIds: ['items.delete'],
				begin: screen => pressAndConfirm(screen, 'd', /Remove /),
				placePattern: accountPattern,
				requestPattern: /^DELETE .*\/items$/,
				endText: /Removed .* from/,
			},
			{
				actionIds: ['items.undo'],
				begin: screen => pressAndConfirm(screen, 'u', /Add /),
				placePattern: accountPattern,
				requestPattern: /^POST .*\/items$/,
				endText: 'again.',
			},
		],
	},
};
