import {describe, expect, test} from 'vitest';
import {simulatedBaseUrl} from '../../../source/settings/base-url.ts';
import {everyThirdUnlessFull, isSampled} from '../../support/full.ts';
import {acme, createMigratingPerson, shop} from '../support/migration-store.ts';
import type {TestStore} from '../support/store.ts';

type Person = Awaited<ReturnType<typeof createMigratingPerson>>;

/** Sends a request about a zone as someone else. */
async function sendAsOther(
	originalFetch: TestStore['simulator']['fetch'],
	method: string,
	path: string,
	body?: unknown,
) {
	const response = await originalFetch(
		new Request(`${simulatedBaseUrl}/zones/${path}`, {
			method,
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}),
	);
	const {success, result, errors} = (await response.json()) as {
		success: boolean;
		result: {id: string; detection_mode?: string}[];
		errors: unknown;
	};
	if (!success) throw new Error(JSON.stringify(errors));
	return result;
}

/** Sets the sensitivity of the previous OWASP rules: the service then proposes another threshold. */
async function changeSensitivity(originalFetch: TestStore['simulator']['fetch'], sensitivity: string) {
	const packages = await sendAsOther(originalFetch, 'GET', `${shop.id}/firewall/waf/packages`);
	const owasp = packages.find(({detection_mode: mode}) => mode === 'anomaly');
	await sendAsOther(originalFetch, 'PATCH', `${shop.id}/firewall/waf/packages/${owasp?.id}`, {sensitivity});
}

/** Runs `work` while the other person acts right before request number `moment`. Returns how many requests were sent. */
async function runWhileOtherActs(
	{simulator}: TestStore,
	moment: number | undefined,
	act: (originalFetch: TestStore['simulator']['fetch']) => Promise<unknown>,
	work: () => Promise<unknown>,
): Promise<number> {
	const originalFetch = simulator.fetch.bind(simulator);
	let count = 0;
	simulator.fetch = async request => {
		if (count++ === moment) await act(originalFetch);
		return originalFetch(request);
	};
	await work();
	simulator.fetch = originalFetch;
	return count;
}

async function addOwnEdit(person: Person) {
	await person.choose('read');
	await person.choose('continue');
	if (person.migration().step === 'blockers') await person.enter();
	const exception = {expression: 'http.host eq "mine.example"', skips: {kind: 'all'}} as const;
	person.state().migration.applyEdit({kind: 'exception added', exception});
	await person.state().migration.waitForReviewDrops();
}

const getOwnEdits = (person: Person) => person.migration().plan?.edits ?? [];

async function waitUntilIdle({testStore}: Person) {
	await testStore.until(({work: {list: work}}) => work.length === 0);
}

/** Opens the zone again, and opens the draft that is offered. */
async function reopenWithDraft(person: Person): Promise<Person> {
	const reopened = await createMigratingPerson(shop, person.testStore);
	await reopened.choose('continue');
	await waitUntilIdle(reopened);
	const {current: dialog, close: closeDialog} = reopened.state().dialog;
	if (dialog?.kind !== 'choice') throw new Error(`Nothing was asked: ${reopened.getMessageText()}`);
	closeDialog();
	dialog.choose('open');
	await waitUntilIdle(reopened);
	return reopened;
}

/** Edits, leaves, and comes back while the other person changes the sensitivity before request number `moment`. */
async function editWhileOtherChanges(moment?: number, isReviewed = false) {
	const person = await createMigratingPerson(shop);
	await addOwnEdit(person);
	const ownEdits = getOwnEdits(person);
	if (isReviewed) {
		await person.state().migration.beginReview();
		person.testStore.advanceClock(60_000);
		await person.state().migration.confirmReview();
		expect(person.migration().record.state).toBe('reviewed');
	}
	person.state().migration.leave();
	await waitUntilIdle(person);
	let reopened = person;
	const count = await runWhileOtherActs(
		person.testStore,
		moment,
		originalFetch => changeSensitivity(originalFetch, 'high'),
		async () => {
			if (!isReviewed) {
				reopened = await reopenWithDraft(person);
				return;
			}
			reopened = await createMigratingPerson(shop, person.testStore);
			await reopened.choose('continue');
			await waitUntilIdle(reopened);
		},
	);
	return {again: reopened, own: ownEdits, count};
}

describe('while someone else changes the settings of the zone', () => {
	test.each([
		['edits that were kept', false],
		['edits that were reviewed', true],
	])('%s are applied to the new proposal, and the other change is never counted as one of them', async (_what, isReviewed) => {
		const alone = await editWhileOtherChanges(undefined, isReviewed);
		expect(getOwnEdits(alone.again)).toEqual(alone.own);
		expect(alone.own.length).toBeGreaterThan(0);
		expect(alone.again.migration().changesByOthers ?? []).toEqual([]);
		let noticedCount = 0;
		for (const moment of everyThirdUnlessFull(Array.from({length: alone.count}, (_, at) => at))) {
			const {again: reopened, own: ownEdits} = await editWhileOtherChanges(moment, isReviewed);
			const failureContext = `before request ${moment}: ${reopened.getMessageText()}`;
			expect(getOwnEdits(reopened), failureContext).toEqual(ownEdits);
			const {changesByOthers = []} = reopened.migration();
			if (changesByOthers.length === 0) continue;
			noticedCount++;
			expect(changesByOthers.map(({about}) => about).join(), failureContext).toContain('OWASP Core Ruleset');
		}
		expect(noticedCount).toBeGreaterThan(0);
	});
});

describe('a zone that someone else put into validation', () => {
	const buildTheirConfiguration = (description: string) => ({
		name: 'default',
		rules: [{action: 'skip', action_parameters: {ruleset: 'current'}, expression: 'ssl', description}],
	});
	const startValidationAsOther = (originalFetch: TestStore['simulator']['fetch'], description: string) =>
		sendAsOther(
			originalFetch,
			'PUT',
			`${acme.id}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=validation&phase_two=1`,
			buildTheirConfiguration(description),
		);

	async function openMovedOnZone() {
		const person = await createMigratingPerson(acme);
		await person.goToConfirmation('direct');
		await startValidationAsOther(person.testStore.simulator.fetch.bind(person.testStore.simulator), 'first');
		await person.confirm(acme.name);
		expect(person.migration().record.state).toBe('moved on');
		return person;
	}

	test('shows the other changes before the takeover, and none of them as an own change after it', async () => {
		const person = await openMovedOnZone();
		expect(JSON.stringify(person.migration().drift?.differences)).toContain('first');
		expect(person.migration().failure).toBeDefined();
		await person.choose('take over');
		await waitUntilIdle(person);
		expect(person.migration().record.state).toBe('validating unreviewed');
		expect(getOwnEdits(person)).toEqual([]);
	});

	test('shows the other changes first if they come before any request of the takeover', {
		timeout: 120_000,
	}, async () => {
		const takeOver = async (moment?: number) => {
			const person = await openMovedOnZone();
			const before = person.countPuts();
			const count = await runWhileOtherActs(
				person.testStore,
				moment,
				originalFetch => startValidationAsOther(originalFetch, 'second'),
				async () => {
					await person.choose('take over');
					await waitUntilIdle(person);
				},
			);
			expect(person.countPuts()).toBe(before);
			expect(getOwnEdits(person)).toEqual([]);
			return {person, count};
		};
		const {count} = await takeOver();
		let refusedCount = 0;
		// Check, status and entry point are read first, at the same time: a change between them matters most.
		const moments = Array.from({length: count}, (_, at) => at);
		for (const moment of moments.filter(at => at < 3 || isSampled(at))) {
			const {person} = await takeOver(moment);
			const {record, drift, failure} = person.migration();
			if (record.state !== 'moved on') continue;
			refusedCount++;
			expect(failure?.code).toBe('changed_meanwhile');
			expect(JSON.stringify(drift?.differences)).toContain('second');
		}
		expect(refusedCount).toBeGreaterThan(0);
	});
});
