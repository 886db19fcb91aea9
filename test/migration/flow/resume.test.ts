import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {createFlow, type MigrationFlow} from '../../../source/migration/flow/flow.ts';
import {resumeFlow} from '../../../source/migration/flow/resume.ts';
import {createMemoryJournal} from '../../../source/migration/journal/journal.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import {never} from '../../service/scripted-transport.ts';
import {createFakeZone, edited, foreign, shown, zone} from '../support/fake-zone.ts';

const work = {signal: never};
const confirmation = () => ({zone: zone.name});
const modes: readonly MigrationMode[] = ['validation', 'pending'];
const other = {validation: 'pending', pending: 'validation'} as const satisfies Record<
	MigrationMode,
	MigrationMode
>;

function open({dryRun = false} = {}) {
	const service = createFakeZone({dryRun});
	const flow = createFlow({
		client: service.client,
		zone,
		journal: createMemoryJournal({place: 'simulated', zone}),
	});
	return {service, flow};
}

async function reviewed(flow: MigrationFlow, goal: MigrationMode) {
	await flow.observe(work);
	await flow.review(edited, shown(flow), goal);
}

const puts = (service: ReturnType<typeof open>['service']) => service.puts.map(({mode}) => mode);

describe.each(modes)('a review for "%s"', asked => {
	test('is not resumed after the other PUT was requested, at whichever call that PUT failed', async () => {
		const undisturbed = open();
		await reviewed(undisturbed.flow, asked);
		const before = undisturbed.service.calls();
		await undisturbed.flow.send(other[asked], confirmation(), work);
		// The PUT itself, and the look after it, are not before it.
		const calls = undisturbed.service.calls() - before;
		let failures = 0;
		for (let cutAt = 1; cutAt <= calls; cutAt++) {
			const {service, flow} = open();
			await reviewed(flow, asked);
			const first = service.calls() + cutAt;
			service.truth.onCall = ({number, isPut}) => (number >= first && !isPut ? '400' : undefined);
			await flow.send(other[asked], confirmation(), work).catch(() => {});
			service.truth.onCall = () => undefined;
			if (puts(service).length > 0) continue;
			failures++;
			await resumeFlow(flow, {confirmation: confirmation()}, work);
			expect(puts(service), `call ${cutAt}`).toEqual([other[asked]]);
		}
		expect(failures).toBeGreaterThan(5);
	});

	test('is not resumed after another configuration was requested', async () => {
		const {service, flow} = open();
		await reviewed(flow, asked);
		await flow.requestPut(asked, computeFingerprint(foreign));
		await resumeFlow(flow, {confirmation: confirmation()}, work);
		expect(puts(service)).toEqual([]);
	});
});

test('"ready to update" is not resumed after validation was requested again', async () => {
	const {service, flow} = open();
	await reviewed(flow, 'validation');
	await flow.send('validation', confirmation(), work);
	await flow.watch(work);
	await flow.markReady();
	await flow.requestPut('validation');
	await resumeFlow(flow, {confirmation: confirmation()}, work);
	expect(puts(service)).toEqual(['validation']);
});

test('a path that the plan does not support leaves nothing to resume', async () => {
	const service = createFakeZone();
	const pro = {...zone, plan: 'pro'} as const;
	const flow = createFlow({
		client: service.client,
		zone: pro,
		journal: createMemoryJournal({place: 'simulated', zone: pro}),
	});
	await reviewed(flow, 'pending');
	await flow.requestPut('validation');
	expect(flow.record).toMatchObject({state: 'reviewed', goal: undefined});
});

test('the kind of PUT is reported before anything is sent', async () => {
	const {service, flow} = open();
	await reviewed(flow, 'pending');
	const told: unknown[] = [];
	const onBeforeSend = (mode: MigrationMode) => void told.push([mode, service.puts.length]);
	await resumeFlow(flow, {confirmation: confirmation(), onBeforeSend}, work);
	expect(told).toEqual([['pending', 0]]);
});

test('in a dry run the request is shown, nothing is sent and nothing fails', async () => {
	const {service, flow} = open({dryRun: true});
	await reviewed(flow, 'pending');
	const {record, completedSteps} = await resumeFlow(flow, {confirmation: confirmation()}, work);
	expect(completedSteps).toEqual(['looked', 'sent']);
	expect(record.state).toBe('reviewed');
	expect(service.puts).toHaveLength(0);
	expect(service.planned).toHaveLength(1);
});

test('without watching, a resume ends once the service has accepted the PUT', async () => {
	const {flow} = open();
	await reviewed(flow, 'pending');
	const {record, completedSteps} = await resumeFlow(
		flow,
		{confirmation: confirmation(), shouldWatch: false},
		work,
	);
	expect(completedSteps).toEqual(['looked', 'sent']);
	expect(record.state).toBe('finishing');
});
