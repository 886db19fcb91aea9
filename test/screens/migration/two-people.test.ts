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

/**
 * Runs `work` while the other person acts right before request number `moment`. Returns how many requests were
 * sent. `onRequest` is called for each of them. Security events are read in the background and not counted.
 */
async function runWhileOtherActs(
	{simulator}: TestStore,
	moment: number | undefined,
	act: (originalFetch: TestStore['simulator']['fetch']) => Promise<unknown>,
	work: () => Promise<unknown>,
	onRequest: (request: Request) => void = () => {},
): Promise<number> {
	const originalFetch = simulator.fetch.bind(simulator);
	let count = 0;
	simulator.fetch = async request => {
		if (request.url.endsWith('/graphql')) return originalFetch(request);
		if (count++ === moment) await act(originalFetch);
		onRequest(request);
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

const entryPointPath = `${acme.id}/rulesets/phases/http_request_firewall_managed/entrypoint`;

type EntryPoint = {readonly rules: readonly Record<string, unknown>[]};

/** Adds a rule to the active ones, as someone else. */
async function addTheirRule(originalFetch: TestStore['simulator']['fetch']) {
	const {rules} = (await sendAsOther(originalFetch, 'GET', entryPointPath)) as unknown as EntryPoint;
	const theirRule = {
		action: 'skip',
		action_parameters: {ruleset: 'current'},
		expression: 'ssl',
		description: 'theirs',
	};
	await sendAsOther(originalFetch, 'PUT', `${entryPointPath}?waf_migration=validation&phase_two=1`, {
		name: 'default',
		rules: [theirRule, ...rules.map(({id: _, version: __, ref: ___, last_updated: ____, ...rule}) => rule)],
	});
}

async function addException(person: Person, host: string) {
	const exception = {expression: `http.host eq "${host}"`, skips: {kind: 'all'}, description: host} as const;
	person.state().migration.applyEdit({kind: 'exception added', exception});
	await person.state().migration.waitForReviewDrops();
}

/** A person whose zone is in validation since this run, with an edit that was sent. */
async function startValidation(person: Person) {
	await person.choose('read');
	await person.choose('continue');
	if (person.migration().step === 'blockers') await person.enter();
	await addException(person, 'sent.example');
	await person.enter();
	await person.enter();
	await person.choose('validation first');
	await person.choose('without rehearsal');
	await person.confirm(acme.name);
	expect(person.migration()).toMatchObject({step: 'watch', record: {state: 'validating'}});
}

async function reviewEditInValidation(person: Person) {
	await person.choose('review');
	await addException(person, 'unsent.example');
	await person.enter();
	await person.enter();
	expect(person.migration()).toMatchObject({step: 'watch', record: {state: 'validating'}});
}

/** Some of the moments before each request, among them the first and the last one; all in the full tests. */
const pickMoments = (count: number): readonly number[] =>
	Array.from({length: count}, (_, at) => at).filter(at => isSampled(at) || at === count - 1);

describe('between the validation and its end in the same run', () => {
	async function endValidation(hasUnsentReview: boolean, moment?: number) {
		const person = await createMigratingPerson(acme);
		await startValidation(person);
		if (hasUnsentReview) await reviewEditInValidation(person);
		const putsBefore = person.countPuts();
		const requests: string[] = [];
		let shownEdits: ReturnType<typeof getOwnEdits> | undefined;
		const work = async () => {
			await person.choose('ready to update');
			await person.choose('turn off previous version');
			if (person.migration().step !== 'confirm') return;
			shownEdits = getOwnEdits(person);
			await person.confirm(acme.name);
		};
		const count = await runWhileOtherActs(person.testStore, moment, addTheirRule, work, ({method, url}) =>
			requests.push(`${method} ${new URL(url).pathname}`),
		);
		return {person, count, requests, shownEdits, putCount: person.countPuts() - putsBefore};
	}

	test.each([
		['that was sent', false, 0],
		['that was reviewed again', true, 1],
	])(
		'a configuration %s is compared with the active rules, and no change is overlooked',
		{
			timeout: 240_000,
		},
		async (_what, hasUnsentReview, editCount) => {
			const alone = await endValidation(hasUnsentReview);
			expect(alone.person.migration().record.state).toBe('complete');
			expect(alone.shownEdits).toHaveLength(editCount);
			const putIndex = alone.requests.findIndex(request => request.startsWith('PUT'));
			const lastReadingIndex = alone.requests.findLastIndex(
				(request, index) => index < putIndex && request === `GET /client/v4/zones/${entryPointPath}`,
			);
			expect(lastReadingIndex).toBeGreaterThan(0);
			let namedCount = 0;
			for (const moment of pickMoments(lastReadingIndex + 1)) {
				const {person, putCount} = await endValidation(hasUnsentReview, moment);
				const context = `before request ${moment}: ${person.getMessageText()}`;
				expect(putCount, context).toBe(0);
				const {record, drift} = person.migration();
				expect(record.state, context).toBe('moved on');
				expect(drift?.differences, context).toHaveLength(1);
				expect(JSON.stringify(drift?.differences), context).toContain('theirs');
				namedCount++;
			}
			expect(namedCount).toBeGreaterThan(0);
		},
	);
});

describe('while a configuration is edited in validation', () => {
	test.each([
		'look again',
		'review',
	] as const)('"%s" names what someone else changed, and keeps the edits', async kind => {
		const person = await createMigratingPerson(acme);
		await startValidation(person);
		await person.choose('review');
		await addException(person, 'unsent.example');
		expect(person.migration().record.state).toBe('validating unreviewed');
		const ownEdits = getOwnEdits(person);
		expect(ownEdits).toHaveLength(1);
		person.state().migration.goToStep('watch');
		await addTheirRule(person.testStore.simulator.fetch.bind(person.testStore.simulator));
		await person.choose(kind);
		await waitUntilIdle(person);
		expect(JSON.stringify(person.migration().changesByOthers)).toContain('theirs');
		if (kind === 'look again')
			expect(person.getMessageText()).toBe(
				'Someone else changed the active rules: 1 difference. The review lists what.',
			);
		const {current: dialog, close: closeDialog} = person.state().dialog;
		if (dialog?.kind !== 'choice') throw new Error(`Nothing was asked: ${person.getMessageText()}`);
		closeDialog();
		dialog.choose('open');
		await waitUntilIdle(person);
		expect(getOwnEdits(person)).toEqual(ownEdits);
		expect(JSON.stringify(person.migration().changesByOthers)).toContain('theirs');
		expect(person.countPuts()).toBe(1);
	});

	test('a change between two readings of the same refresh is seen', async () => {
		const refresh = async (moment?: number) => {
			const person = await createMigratingPerson(acme);
			await startValidation(person);
			const fetchCount = await runWhileOtherActs(person.testStore, moment, addTheirRule, async () => {
				await person.state().migration.read();
				await waitUntilIdle(person);
			});
			return {person, fetchCount};
		};
		const {person: alone, fetchCount} = await refresh();
		expect([alone.migration().record.state, getOwnEdits(alone)]).toEqual(['validating', []]);
		for (const moment of pickMoments(fetchCount)) {
			const {person} = await refresh(moment);
			// Either the machine has seen it, or it is later than all that is shown.
			expect(getOwnEdits(person), `before request ${moment}`).toEqual([]);
		}
	});
});
