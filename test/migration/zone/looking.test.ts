import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import type {FlowStep} from '../../../source/migration/flow/context.ts';
import type {MigrationFlow} from '../../../source/migration/flow/flow.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import {describeStoredDifference} from '../../../source/migration/machine/observation.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {
	createReviewBasis,
	editedProposal,
	type FakeZone,
	foreignConfiguration,
} from '../support/fake-zone.ts';
import {
	createConfirmation,
	minutes,
	openTestFlow,
	reviewEditedProposal,
	startValidation,
	work,
} from '../support/opened-flow.ts';

const sumWaits = (waits: readonly number[]) => waits.reduce((all, wait) => all + wait, 0);

/** Sends a PUT that never arrives, until ledge gives it up. */
async function sendUntilGivenUp(
	{service, flow}: {service: FakeZone; flow: MigrationFlow},
	mode: MigrationMode,
) {
	service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
	await flow.send(mode, createConfirmation(), work);
	service.truth.onCall = () => undefined;
	expect(flow.record.put?.came).toBe('given up');
}

describe('a PUT that counted as never arrived but has arrived', () => {
	test.each([
		['pending', 'pending', 'finishing'],
		['pending', 'complete', 'complete'],
		['validation', 'validation', 'validating'],
	] as const)('is ours: mode %s, seen in stage "%s", becomes "%s"', async (mode, stage, state) => {
		const opened = openTestFlow();
		await reviewEditedProposal(opened.flow, mode);
		await sendUntilGivenUp(opened, mode);
		expect(opened.flow.record.state).toBe('reviewed');
		opened.service.save(editedProposal, stage);
		await opened.flow.observe(work);
		expect(opened.flow.record).toMatchObject({state, put: {came: 'accepted'}});
	});

	test('is ours if it was to end a validation', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		await opened.flow.markReady();
		await sendUntilGivenUp(opened, 'pending');
		expect(opened.flow.record.state).toBe('validating');
		opened.service.save(editedProposal, 'pending');
		await opened.flow.watch(work);
		expect(opened.flow.record.state).toBe('complete');
	});

	test('is ours if the service rejects the next PUT because of it', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.onCall = ({isPut}) => {
			if (isPut) service.save(editedProposal, 'pending');
			return isPut ? '400' : undefined;
		};
		const failure = await failureOf(flow.send('pending', createConfirmation(), work));
		expect(isFailure(failure, 'refused_by_service')).toBe(true);
		expect(flow.record.state).toBe('finishing');
	});

	test.each([
		'validation',
		'pending',
		'complete',
	] as const)("is someone else's if the rules differ: %s", async stage => {
		const opened = openTestFlow();
		await reviewEditedProposal(opened.flow);
		await sendUntilGivenUp(opened, 'pending');
		opened.service.save(foreignConfiguration, stage);
		await opened.flow.observe(work);
		expect(opened.flow.record.state).toBe('moved on');
	});

	test.each([
		'validation',
		'pending',
		'complete',
	] as const)("is someone else's if none was sent: %s", async stage => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.save(editedProposal, stage);
		await flow.observe(work);
		expect(flow.record.state).toBe('moved on');
	});

	test("is someone else's if another configuration has been reviewed since", async () => {
		const opened = openTestFlow();
		await reviewEditedProposal(opened.flow);
		await sendUntilGivenUp(opened, 'pending');
		await opened.flow.review(foreignConfiguration, createReviewBasis(opened.flow), 'pending');
		opened.service.save(editedProposal, 'pending');
		await opened.flow.observe(work);
		expect(opened.flow.record.state).toBe('moved on');
	});

	test('is reported as never arrived if the earlier configuration is in validation', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		await opened.flow.markReady();
		const writeMessages: string[] = [];
		opened.service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
		await opened.flow.send('pending', createConfirmation(), {
			...work,
			onWritten: what => void writeMessages.push(what),
		});
		expect(opened.flow.record).toMatchObject({state: 'validating', put: {came: 'given up'}});
		expect(writeMessages).toEqual([]);
	});
});

describe('"complete" without a PUT of ours', () => {
	/** The first readings show the current state, and all later ones the state before it. */
	const showOnlyFirst = ({truth}: FakeZone, readings: number) => {
		let currentReadings = 2 * readings;
		truth.chooseShown = what => (what === 'status' && currentReadings-- <= 0 ? 'before' : 'now');
	};

	test('is not believed after one reading', async () => {
		const {service, flow} = openTestFlow();
		service.save(editedProposal, 'complete');
		showOnlyFirst(service, 1);
		await flow.observe(work);
		expect(flow.record.state).toBe('eligible');
		expect(service.clock.waits).toEqual([2_000]);
	});

	test('is believed after two readings', async () => {
		const {service, flow} = openTestFlow();
		service.save(editedProposal, 'complete');
		await flow.observe(work);
		expect(flow.record.state).toBe('complete');
		expect(service.clock.waits).toEqual([2_000]);
	});

	test.each([
		['once', 1, 'complete'],
		['twice', 2, 'moved on'],
	] as const)('is followed %s by a reading of another stage', async (_often, readings, state) => {
		const {service, flow} = openTestFlow();
		service.save(editedProposal, 'complete');
		await flow.observe(work);
		let staleReadings = 2 * readings;
		service.truth.chooseShown = what => (what === 'status' && staleReadings-- > 0 ? 'before' : 'now');
		await flow.observe(work);
		expect(flow.record.state).toBe(state);
		expect(flow.record.completed !== undefined).toBe(state === 'complete');
	});

	test('needs only one reading if our PUT was sent', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		await flow.send('pending', createConfirmation(), work);
		service.save(editedProposal, 'complete');
		const waits = service.clock.waits.length;
		await flow.observe(work);
		expect(flow.record.state).toBe('complete');
		expect(service.clock.waits).toHaveLength(waits);
	});
});

describe('a contradiction between check and status', () => {
	test('is read again before it counts', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.save(foreignConfiguration, 'validation');
		let statusReadings = 0;
		// The check is ahead of the status, once.
		service.truth.chooseShown = what => (what === 'status' && ++statusReadings === 2 ? 'before' : 'now');
		await flow.observe(work);
		expect(flow.record.state).toBe('moved on');
	});

	test('allows nothing to be sent while it lasts', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.save(foreignConfiguration, 'validation');
		let statusReadings = 0;
		service.truth.chooseShown = what => (what === 'status' && ++statusReadings % 2 === 0 ? 'before' : 'now');
		const failure = await failureOf(flow.send('pending', createConfirmation(), work));
		expect(isFailure(failure, 'not_eligible') && failure.details.why).toContain(
			'The check reports: compatible, state "validation". The status reports: state "start"',
		);
		expect(flow.record.state).toBe('unknown stage');
		expect(service.puts).toHaveLength(0);
	});
});

describe('the length of a search', () => {
	test('is five minutes and ten readings, whatever the clock says', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		let wasSent = false;
		service.truth.onCall = ({isPut}) => {
			if (isPut) wasSent = true;
			else if (wasSent) service.clock.advance(minutes(60));
			return isPut ? 'reset before' : undefined;
		};
		const steps: FlowStep[] = [];
		const waitedBefore = sumWaits(service.clock.waits);
		await flow.send('pending', createConfirmation(), {...work, onStep: step => void steps.push(step)});
		expect(flow.record.put?.came).toBe('given up');
		expect(sumWaits(service.clock.waits) - waitedBefore).toBeGreaterThanOrEqual(minutes(5));
		expect(steps.filter(({does}) => does === 'looking').length).toBeGreaterThanOrEqual(10);
	});

	test('extends until ten readings have come back', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		let waitedBeforePut: number | undefined;
		let readings = 0;
		service.truth.onCall = ({isPut}) => {
			if (isPut) waitedBeforePut = sumWaits(service.clock.waits);
			if (isPut) return 'reset before';
			if (waitedBeforePut === undefined || sumWaits(service.clock.waits) - waitedBeforePut > minutes(4.5))
				return undefined;
			return 'reset before';
		};
		await flow.send('pending', createConfirmation(), {
			...work,
			onStep: ({does}) => {
				if (does === 'looking' && service.truth.onCall({number: 0, isPut: false}) === undefined) readings++;
			},
		});
		expect(flow.record.put?.came).toBe('given up');
		expect(readings).toBeGreaterThanOrEqual(10);
	});

	test('is an hour when watching, whatever the clock says', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.chooseShown = what => (what === 'status' && service.puts.length > 0 ? 'before' : 'now');
		await flow.send('pending', createConfirmation(), work);
		const waitedBefore = sumWaits(service.clock.waits);
		let isFirst = true;
		await flow.watch({
			...work,
			onStep: ({does}) => {
				if (does !== 'watching' || !isFirst) return;
				isFirst = false;
				service.clock.advance(minutes(120));
			},
		});
		expect(sumWaits(service.clock.waits) - waitedBefore).toBeGreaterThanOrEqual(minutes(60));
	});
});

describe('watching a zone that cannot be read', () => {
	test('reports each failure, with the time since when', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		await flow.send('pending', createConfirmation(), work);
		const callsBefore = service.countCalls();
		service.truth.onCall = ({number}) => (number - callsBefore < 40 ? 'reset before' : undefined);
		const steps: FlowStep[] = [];
		const startedAt = service.clock.now();
		await flow.watch({...work, onStep: step => void steps.push(step)});
		const tryingSteps = steps.flatMap(step => (step.does === 'trying' ? [step] : []));
		expect(tryingSteps.length).toBeGreaterThan(1);
		expect(new Set(tryingSteps.map(({since}) => since)).size).toBe(1);
		expect(tryingSteps[0]?.since).toBeGreaterThanOrEqual(startedAt);
		expect(tryingSteps[0]?.failure.code).toMatch(/connection_lost|unreachable/);
	});
});

describe('a difference between the stored and the sent configuration', () => {
	const put = {
		mode: 'validation',
		fingerprint: 'a'.repeat(16),
		at: 1,
		before: {stage: 'previous', version: undefined, fingerprint: undefined},
		came: 'accepted',
		stored: {version: '2', fingerprint: 'b'.repeat(16)},
	} as const;
	const createObservation = (fingerprint: string): MigrationRecord['seen'] => ({
		at: 2,
		stage: 'validation',
		check: {compatible: true, state: undefined},
		status: undefined,
		entryPoint: {id: 'e', version: '2', fingerprint, rules: 1},
	});

	test.each([
		{state: 'starting validation', put},
		{state: 'finishing', put: {...put, mode: 'pending'}},
		{state: 'validating', put, seen: createObservation('b'.repeat(16))},
		{state: 'ready to update', put: {...put, stored: undefined}, seen: createObservation('c'.repeat(16))},
		{
			state: 'complete',
			put: {...put, mode: 'pending', stored: undefined},
			seen: createObservation('c'.repeat(16)),
		},
	] as const)('is reported in "$state"', record => {
		expect(describeStoredDifference(record)).toMatch(
			/differs from what was reviewed and sent.*aaaa aaaa aaaa aaaa was sent/,
		);
	});

	test.each([
		{state: 'validating', put, seen: createObservation('a'.repeat(16))},
		{state: 'finishing', put: {...put, stored: undefined}},
		{state: 'validating', put: {...put, came: 'given up'}, seen: createObservation('b'.repeat(16))},
		{state: 'complete', seen: createObservation('b'.repeat(16))},
		{state: 'moved on', put, seen: createObservation('b'.repeat(16))},
	] as const)('is not reported in "$state" if nothing differs or nothing of ours arrived', record => {
		expect(describeStoredDifference(record)).toBeUndefined();
	});
});
