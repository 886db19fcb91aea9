import {describe, expect, test} from 'vitest';
import {simulatedBaseUrl} from '../../../source/service/connect.ts';
import {isTried, someOf} from '../../support/full.ts';
import {acme, at, shop} from '../support/migration-store.ts';
import type {TestStore} from '../support/store.ts';

type Person = Awaited<ReturnType<typeof at>>;

/** What another person does to a zone. */
async function send(pass: TestStore['simulator']['fetch'], method: string, path: string, body?: unknown) {
	const answer = await pass(
		new Request(`${simulatedBaseUrl}/zones/${path}`, {
			method,
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}),
	);
	const {success, result, errors} = (await answer.json()) as {
		success: boolean;
		result: {id: string; detection_mode?: string}[];
		errors: unknown;
	};
	if (!success) throw new Error(JSON.stringify(errors));
	return result;
}

/** Sets the sensitivity of the previous OWASP rules: the service then proposes another threshold. */
async function changeSensitivity(pass: TestStore['simulator']['fetch'], sensitivity: string) {
	const packages = await send(pass, 'GET', `${shop.id}/firewall/waf/packages`);
	const owasp = packages.find(({detection_mode: mode}) => mode === 'anomaly');
	await send(pass, 'PATCH', `${shop.id}/firewall/waf/packages/${owasp?.id}`, {sensitivity});
}

/** Runs `work` while the other person acts right before request number `moment`. Returns how many requests were sent. */
async function during(
	{simulator}: TestStore,
	moment: number | undefined,
	act: (pass: TestStore['simulator']['fetch']) => Promise<unknown>,
	work: () => Promise<unknown>,
): Promise<number> {
	const pass = simulator.fetch.bind(simulator);
	let count = 0;
	simulator.fetch = async request => {
		if (count++ === moment) await act(pass);
		return pass(request);
	};
	await work();
	simulator.fetch = pass;
	return count;
}

async function toEdits(person: Person) {
	await person.choose('read');
	await person.choose('continue');
	if (person.migration().step === 'blockers') await person.enter();
	const exception = {expression: 'http.host eq "mine.example"', skips: {kind: 'all'}} as const;
	person.state().migration.applyEdit({kind: 'exception added', exception});
	await person.state().migration.waitForReviewDrops();
}

const mine = (person: Person) => person.migration().plan?.edits ?? [];

async function idle({space}: Person) {
	await space.until(({work: {list: work}}) => work.length === 0);
}

/** Opens the zone again, and takes the draft that is offered. */
async function resumed(person: Person): Promise<Person> {
	const again = await at(shop, person.space);
	await again.choose('continue');
	await idle(again);
	const {current: dialog, close: closeDialog} = again.state().dialog;
	if (dialog?.kind !== 'choice') throw new Error(`Nothing was asked: ${again.said()}`);
	closeDialog();
	dialog.choose('open');
	await idle(again);
	return again;
}

/** Edits, leaves, and comes back while the other person changes the sensitivity before request number `moment`. */
async function editedByTwo(moment?: number, isReviewed = false) {
	const person = await at(shop);
	await toEdits(person);
	const own = mine(person);
	if (isReviewed) {
		await person.state().migration.beginReview();
		person.space.passes(60_000);
		await person.state().migration.confirmReview();
		expect(person.migration().record.state).toBe('reviewed');
	}
	person.state().migration.leave();
	await idle(person);
	let again = person;
	const count = await during(
		person.space,
		moment,
		pass => changeSensitivity(pass, 'high'),
		async () => {
			if (!isReviewed) {
				again = await resumed(person);
				return;
			}
			again = await at(shop, person.space);
			await again.choose('continue');
			await idle(again);
		},
	);
	return {again, own, count};
}

describe('while someone else changes the settings of the zone', () => {
	test.each([
		['edits that were kept', false],
		['edits that were reviewed', true],
	])('%s are applied to the new proposal, and the other change is never counted as one of them', async (_what, isReviewed) => {
		const alone = await editedByTwo(undefined, isReviewed);
		expect(mine(alone.again)).toEqual(alone.own);
		expect(alone.own.length).toBeGreaterThan(0);
		expect(alone.again.migration().changesByOthers ?? []).toEqual([]);
		let seen = 0;
		for (const moment of someOf(Array.from({length: alone.count}, (_, at) => at))) {
			const {again, own} = await editedByTwo(moment, isReviewed);
			const said = `before request ${moment}: ${again.said()}`;
			expect(mine(again), said).toEqual(own);
			const {changesByOthers = []} = again.migration();
			if (changesByOthers.length === 0) continue;
			seen++;
			expect(changesByOthers.map(({about}) => about).join(), said).toContain('OWASP Core Ruleset');
		}
		expect(seen).toBeGreaterThan(0);
	});
});

describe('a zone that someone else put into validation', () => {
	const theirs = (description: string) => ({
		name: 'default',
		rules: [{action: 'skip', action_parameters: {ruleset: 'current'}, expression: 'ssl', description}],
	});
	const validate = (pass: TestStore['simulator']['fetch'], description: string) =>
		send(
			pass,
			'PUT',
			`${acme.id}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=validation&phase_two=1`,
			theirs(description),
		);

	async function movedOn() {
		const person = await at(acme);
		await person.toConfirmation('direct');
		await validate(person.space.simulator.fetch.bind(person.space.simulator), 'first');
		await person.confirm(acme.name);
		expect(person.migration().record.state).toBe('moved on');
		return person;
	}

	test('shows the other changes before the takeover, and none of them as an own change after it', async () => {
		const person = await movedOn();
		expect(JSON.stringify(person.migration().drift?.differences)).toContain('first');
		expect(person.migration().failure).toBeDefined();
		await person.choose('take over');
		await idle(person);
		expect(person.migration().record.state).toBe('validating unreviewed');
		expect(mine(person)).toEqual([]);
	});

	test('shows the other changes first if they come before any request of the takeover', {
		timeout: 120_000,
	}, async () => {
		const takeOver = async (moment?: number) => {
			const person = await movedOn();
			const before = person.puts();
			const count = await during(
				person.space,
				moment,
				pass => validate(pass, 'second'),
				async () => {
					await person.choose('take over');
					await idle(person);
				},
			);
			expect(person.puts()).toBe(before);
			expect(mine(person)).toEqual([]);
			return {person, count};
		};
		const {count} = await takeOver();
		let refused = 0;
		// Check, status and entry point are read first, at the same time: what comes between them counts most.
		const moments = Array.from({length: count}, (_, at) => at);
		for (const moment of moments.filter(at => at < 3 || isTried(at))) {
			const {person} = await takeOver(moment);
			const {record, drift, failure} = person.migration();
			if (record.state !== 'moved on') continue;
			refused++;
			expect(failure?.code).toBe('changed_meanwhile');
			expect(JSON.stringify(drift?.differences)).toContain('second');
		}
		expect(refused).toBeGreaterThan(0);
	});
});
