import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {createFlow, type MigrationFlow} from '../../../source/migration/flow/flow.ts';
import {resumeFlow} from '../../../source/migration/flow/resume.ts';
import {createMemoryJournal} from '../../../source/migration/journal/journal.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {
	createFakeZone,
	createReviewBasis,
	editedProposal,
	foreignConfiguration,
	zone,
} from '../support/fake-zone.ts';

const work = {signal: neverAbortedSignal};
const confirmation = () => ({zone: zone.name});
const modes: readonly MigrationMode[] = ['validation', 'pending'];
const otherMode = {validation: 'pending', pending: 'validation'} as const satisfies Record<
	MigrationMode,
	MigrationMode
>;

function openFlow({dryRun = false} = {}) {
	const service = createFakeZone({dryRun});
	const flow = createFlow({
		client: service.client,
		zone,
		journal: createMemoryJournal({place: 'simulated', zone}),
	});
	return {service, flow};
}

async function observeAndReview(flow: MigrationFlow, goal: MigrationMode) {
	await flow.observe(work);
	await flow.review(editedProposal, createReviewBasis(flow), goal);
}

const listPutModes = (service: ReturnType<typeof openFlow>['service']) => service.puts.map(({mode}) => mode);

describe.each(modes)('a review for "%s"', reviewedMode => {
	test('is not resumed after the other PUT was requested, whichever call before that PUT failed', async () => {
		const undisturbed = openFlow();
		await observeAndReview(undisturbed.flow, reviewedMode);
		const callsBefore = undisturbed.service.countCalls();
		await undisturbed.flow.send(otherMode[reviewedMode], confirmation(), work);
		// Includes the PUT and the readings after it; these cuts are skipped below.
		const callCount = undisturbed.service.countCalls() - callsBefore;
		let failures = 0;
		for (let cutAt = 1; cutAt <= callCount; cutAt++) {
			const {service, flow} = openFlow();
			await observeAndReview(flow, reviewedMode);
			const firstFailedCall = service.countCalls() + cutAt;
			service.truth.onCall = ({number, isPut}) => (number >= firstFailedCall && !isPut ? '400' : undefined);
			await flow.send(otherMode[reviewedMode], confirmation(), work).catch(() => {});
			service.truth.onCall = () => undefined;
			if (listPutModes(service).length > 0) continue;
			failures++;
			await resumeFlow(flow, {confirmation: confirmation()}, work);
			expect(listPutModes(service), `call ${cutAt}`).toEqual([otherMode[reviewedMode]]);
		}
		expect(failures).toBeGreaterThan(5);
	});

	test('is not resumed after another configuration was requested', async () => {
		const {service, flow} = openFlow();
		await observeAndReview(flow, reviewedMode);
		await flow.requestPut(reviewedMode, computeFingerprint(foreignConfiguration));
		await resumeFlow(flow, {confirmation: confirmation()}, work);
		expect(listPutModes(service)).toEqual([]);
	});
});

test('"ready to update" is not resumed after validation was requested again', async () => {
	const {service, flow} = openFlow();
	await observeAndReview(flow, 'validation');
	await flow.send('validation', confirmation(), work);
	await flow.watch(work);
	await flow.markReady();
	await flow.requestPut('validation');
	await resumeFlow(flow, {confirmation: confirmation()}, work);
	expect(listPutModes(service)).toEqual(['validation']);
});

test('a mode that the plan does not support leaves nothing to resume', async () => {
	const service = createFakeZone();
	const proZone = {...zone, plan: 'pro'} as const;
	const flow = createFlow({
		client: service.client,
		zone: proZone,
		journal: createMemoryJournal({place: 'simulated', zone: proZone}),
	});
	await observeAndReview(flow, 'pending');
	await flow.requestPut('validation');
	expect(flow.record).toMatchObject({state: 'reviewed', goal: undefined});
});

test('the mode of the PUT is reported before anything is sent', async () => {
	const {service, flow} = openFlow();
	await observeAndReview(flow, 'pending');
	const reports: unknown[] = [];
	const onBeforeSend = (mode: MigrationMode) => void reports.push([mode, service.puts.length]);
	await resumeFlow(flow, {confirmation: confirmation(), onBeforeSend}, work);
	expect(reports).toEqual([['pending', 0]]);
});

test('in a dry run the request is shown, nothing is sent and nothing fails', async () => {
	const {service, flow} = openFlow({dryRun: true});
	await observeAndReview(flow, 'pending');
	const {record, completedSteps} = await resumeFlow(flow, {confirmation: confirmation()}, work);
	expect(completedSteps).toEqual(['looked', 'sent']);
	expect(record.state).toBe('reviewed');
	expect(service.puts).toHaveLength(0);
	expect(service.plannedUrls).toHaveLength(1);
});

test('without watching, a resume ends once the service has accepted the PUT', async () => {
	const {flow} = openFlow();
	await observeAndReview(flow, 'pending');
	const {record, completedSteps} = await resumeFlow(
		flow,
		{confirmation: confirmation(), shouldWatch: false},
		work,
	);
	expect(completedSteps).toEqual(['looked', 'sent']);
	expect(record.state).toBe('finishing');
});
