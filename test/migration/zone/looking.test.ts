import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import type {FlowStep} from '../../../source/migration/flow/context.ts';
import type {MigrationFlow} from '../../../source/migration/flow/flow.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import {describeStoredDifference} from '../../../source/migration/machine/observation.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {edited, type FakeZone, foreign, shown} from '../support/fake-zone.ts';
import {confirmation, minutes, open, reviewed, validating, work} from '../support/opened-flow.ts';

const sum = (waits: readonly number[]) => waits.reduce((all, wait) => all + wait, 0);

/** A PUT that never shows for as long as it is looked for. */
async function givenUp({service, flow}: {service: FakeZone; flow: MigrationFlow}, mode: MigrationMode) {
	service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
	await flow.send(mode, confirmation(), work);
	service.truth.onCall = () => undefined;
	expect(flow.record.put?.came).toBe('given up');
}

describe('a PUT that counted as never arrived but has arrived', () => {
	test.each([
		['pending', 'pending', 'finishing'],
		['pending', 'complete', 'complete'],
		['validation', 'validation', 'validating'],
	] as const)('is ours: mode %s, seen %s, is %s', async (mode, stage, state) => {
		const opened = open();
		await reviewed(opened.flow, mode);
		await givenUp(opened, mode);
		expect(opened.flow.record.state).toBe('reviewed');
		opened.service.save(edited, stage);
		await opened.flow.observe(work);
		expect(opened.flow.record).toMatchObject({state, put: {came: 'accepted'}});
	});

	test('is ours if it was to end a validation', async () => {
		const opened = open();
		await validating(opened);
		await opened.flow.markReady();
		await givenUp(opened, 'pending');
		expect(opened.flow.record.state).toBe('validating');
		opened.service.save(edited, 'pending');
		await opened.flow.watch(work);
		expect(opened.flow.record.state).toBe('complete');
	});

	test('is ours if the service rejects the next PUT because of it', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.onCall = ({isPut}) => {
			if (isPut) service.save(edited, 'pending');
			return isPut ? '400' : undefined;
		};
		const failure = await failureOf(flow.send('pending', confirmation(), work));
		expect(isFailure(failure, 'refused_by_service')).toBe(true);
		expect(flow.record.state).toBe('finishing');
	});

	test.each([
		'validation',
		'pending',
		'complete',
	] as const)("is someone else's if the rules differ: %s", async stage => {
		const opened = open();
		await reviewed(opened.flow);
		await givenUp(opened, 'pending');
		opened.service.save(foreign, stage);
		await opened.flow.observe(work);
		expect(opened.flow.record.state).toBe('moved on');
	});

	test.each([
		'validation',
		'pending',
		'complete',
	] as const)("is someone else's if none was sent: %s", async stage => {
		const {service, flow} = open();
		await reviewed(flow);
		service.save(edited, stage);
		await flow.observe(work);
		expect(flow.record.state).toBe('moved on');
	});

	test("is someone else's if another configuration has been reviewed since", async () => {
		const opened = open();
		await reviewed(opened.flow);
		await givenUp(opened, 'pending');
		await opened.flow.review(foreign, shown(opened.flow), 'pending');
		opened.service.save(edited, 'pending');
		await opened.flow.observe(work);
		expect(opened.flow.record.state).toBe('moved on');
	});

	test('is reported as never arrived if the earlier configuration is in validation', async () => {
		const opened = open();
		await validating(opened);
		await opened.flow.markReady();
		const heard: string[] = [];
		opened.service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
		await opened.flow.send('pending', confirmation(), {...work, onWrite: what => void heard.push(what)});
		expect(opened.flow.record).toMatchObject({state: 'validating', put: {came: 'given up'}});
		expect(heard).toEqual([]);
	});
});

describe('"complete" without a PUT of ours', () => {
	/** So many readings show what there is now, and all behind them what was there before. */
	const onlyFirst = ({truth}: FakeZone, readings: number) => {
		let left = 2 * readings;
		truth.shows = what => (what === 'status' && left-- <= 0 ? 'before' : 'now');
	};

	test('is not believed after one reading', async () => {
		const {service, flow} = open();
		service.save(edited, 'complete');
		onlyFirst(service, 1);
		await flow.observe(work);
		expect(flow.record.state).toBe('eligible');
		expect(service.clock.waits).toEqual([2_000]);
	});

	test('is believed after two readings', async () => {
		const {service, flow} = open();
		service.save(edited, 'complete');
		await flow.observe(work);
		expect(flow.record.state).toBe('complete');
		expect(service.clock.waits).toEqual([2_000]);
	});

	test.each([
		['once', 1, 'complete'],
		['twice', 2, 'moved on'],
	] as const)('is followed %s by a reading of another stage', async (_often, readings, state) => {
		const {service, flow} = open();
		service.save(edited, 'complete');
		await flow.observe(work);
		let left = 2 * readings;
		service.truth.shows = what => (what === 'status' && left-- > 0 ? 'before' : 'now');
		await flow.observe(work);
		expect(flow.record.state).toBe(state);
		expect(flow.record.completed !== undefined).toBe(state === 'complete');
	});

	test('needs only one reading if our PUT was sent', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.send('pending', confirmation(), work);
		service.save(edited, 'complete');
		const waits = service.clock.waits.length;
		await flow.observe(work);
		expect(flow.record.state).toBe('complete');
		expect(service.clock.waits).toHaveLength(waits);
	});
});

describe('a contradiction between check and status', () => {
	test('is read again before it counts', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.save(foreign, 'validation');
		let number = 0;
		// The check is further than the status, once.
		service.truth.shows = what => (what === 'status' && ++number === 2 ? 'before' : 'now');
		await flow.observe(work);
		expect(flow.record.state).toBe('moved on');
	});

	test('allows nothing to be sent while it lasts', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.save(foreign, 'validation');
		let number = 0;
		service.truth.shows = what => (what === 'status' && ++number % 2 === 0 ? 'before' : 'now');
		const failure = await failureOf(flow.send('pending', confirmation(), work));
		expect(isFailure(failure, 'not_eligible') && failure.details.why).toContain(
			'The check reports: compatible, state "validation". The status reports: state "start"',
		);
		expect(flow.record.state).toBe('unknown stage');
		expect(service.puts).toHaveLength(0);
	});
});

describe('the length of a search', () => {
	test('is five minutes and ten readings, whatever the clock says', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		let wasSent = false;
		service.truth.onCall = ({isPut}) => {
			if (isPut) wasSent = true;
			else if (wasSent) service.clock.advance(minutes(60));
			return isPut ? 'reset before' : undefined;
		};
		const steps: FlowStep[] = [];
		const before = sum(service.clock.waits);
		await flow.send('pending', confirmation(), {...work, onStep: step => void steps.push(step)});
		expect(flow.record.put?.came).toBe('given up');
		expect(sum(service.clock.waits) - before).toBeGreaterThanOrEqual(minutes(5));
		expect(steps.filter(({does}) => does === 'looking').length).toBeGreaterThanOrEqual(10);
	});

	test('extends until ten readings have come back', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		let sentAfter: number | undefined;
		let readings = 0;
		service.truth.onCall = ({isPut}) => {
			if (isPut) sentAfter = sum(service.clock.waits);
			if (isPut) return 'reset before';
			if (sentAfter === undefined || sum(service.clock.waits) - sentAfter > minutes(4.5)) return undefined;
			return 'reset before';
		};
		await flow.send('pending', confirmation(), {
			...work,
			onStep: ({does}) => {
				if (does === 'looking' && service.truth.onCall({number: 0, isPut: false}) === undefined) readings++;
			},
		});
		expect(flow.record.put?.came).toBe('given up');
		expect(readings).toBeGreaterThanOrEqual(10);
	});

	test('is an hour when watching, whatever the clock says', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.shows = what => (what === 'status' && service.puts.length > 0 ? 'before' : 'now');
		await flow.send('pending', confirmation(), work);
		const before = sum(service.clock.waits);
		let isFirst = true;
		await flow.watch({
			...work,
			onStep: ({does}) => {
				if (does !== 'watching' || !isFirst) return;
				isFirst = false;
				service.clock.advance(minutes(120));
			},
		});
		expect(sum(service.clock.waits) - before).toBeGreaterThanOrEqual(minutes(60));
	});
});

describe('watching a zone that cannot be read', () => {
	test('reports each failure, with the time since when', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.send('pending', confirmation(), work);
		const from = service.calls();
		service.truth.onCall = ({number}) => (number - from < 40 ? 'reset before' : undefined);
		const steps: FlowStep[] = [];
		const began = service.clock.now();
		await flow.watch({...work, onStep: step => void steps.push(step)});
		const tried = steps.flatMap(step => (step.does === 'trying' ? [step] : []));
		expect(tried.length).toBeGreaterThan(1);
		expect(new Set(tried.map(({since}) => since)).size).toBe(1);
		expect(tried[0]?.since).toBeGreaterThanOrEqual(began);
		expect(tried[0]?.failure.code).toMatch(/connection_lost|unreachable/);
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
	const seen = (fingerprint: string): MigrationRecord['seen'] => ({
		at: 2,
		stage: 'validation',
		check: {compatible: true, state: undefined},
		status: undefined,
		entryPoint: {id: 'e', version: '2', fingerprint, rules: 1},
	});

	test.each([
		{state: 'starting validation', put},
		{state: 'finishing', put: {...put, mode: 'pending'}},
		{state: 'validating', put, seen: seen('b'.repeat(16))},
		{state: 'ready to update', put: {...put, stored: undefined}, seen: seen('c'.repeat(16))},
		{state: 'complete', put: {...put, mode: 'pending', stored: undefined}, seen: seen('c'.repeat(16))},
	] as const)('is reported in "$state"', record => {
		expect(describeStoredDifference(record)).toMatch(
			/differs from what was reviewed and sent.*aaaa aaaa aaaa aaaa was sent/,
		);
	});

	test.each([
		{state: 'validating', put, seen: seen('a'.repeat(16))},
		{state: 'finishing', put: {...put, stored: undefined}},
		{state: 'validating', put: {...put, came: 'given up'}, seen: seen('b'.repeat(16))},
		{state: 'complete', seen: seen('b'.repeat(16))},
		{state: 'moved on', put, seen: seen('b'.repeat(16))},
	] as const)('is not reported in "$state" if nothing differs or nothing of ours arrived', record => {
		expect(describeStoredDifference(record)).toBeUndefined();
	});
});
