import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import type {FlowStep} from '../../../source/migration/flow/context.ts';
import {resumeFlow} from '../../../source/migration/flow/resume.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {
	createConfirmation,
	expectRefused,
	minutes,
	openTestFlow,
	reviewEditedProposal,
	work,
} from '../support/opened-flow.ts';

describe('a PUT that was rejected or may have been lost', () => {
	test('a rejection is reported with the current state, and the configuration can be sent again', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.onCall = ({isPut}) => (isPut ? '400' : undefined);
		const failure = await failureOf(flow.send('pending', createConfirmation(), work));
		expect(isFailure(failure, 'refused_by_service') && failure.details.left).toContain(
			'the zone is unchanged',
		);
		expect(flow.record.state).toBe('reviewed');
		expect(flow.record.put?.came).toBe('refused');
	});

	test('a PUT that never arrived is looked for during five minutes, and then needs a new confirmation', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
		const startedAt = service.clock.now();
		const steps: FlowStep[] = [];
		await flow.send('pending', createConfirmation(), {...work, onStep: step => void steps.push(step)});
		expect(service.clock.now() - startedAt).toBeGreaterThanOrEqual(minutes(5));
		expect(steps.filter(({does}) => does === 'looking').length).toBeGreaterThan(10);
		expect(flow.record).toMatchObject({state: 'reviewed', put: {came: 'given up'}});
		expect(service.puts).toHaveLength(0);
	});

	test('a PUT stays in doubt if the zone cannot be read for five minutes', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		let isSent = false;
		service.truth.onCall = ({isPut}) => {
			isSent ||= isPut;
			return isSent ? 'reset before' : undefined;
		};
		const failure = await failureOf(flow.send('pending', createConfirmation(), work));
		expect(isFailure(failure) && failure.details.outcomeUnknown).toBe(true);
		expect(flow.record.state).toBe('deploy in doubt');
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'job_running');
	});

	test('the deadline is the same instant, during the search and after it is resumed', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
		const deadlines: number[] = [];
		const stop = new AbortController();
		const sentAt = service.clock.now();
		const onStep = (step: FlowStep) => {
			if (step.does !== 'looking') return;
			deadlines.push(step.until);
			// Each reading takes a while, too.
			service.clock.advance(7_000);
			if (deadlines.length === 4) stop.abort();
		};
		await failureOf(flow.send('pending', createConfirmation(), {signal: stop.signal, onStep}));
		expect(flow.record.state).toBe('deploy in doubt');
		await flow.settle({...work, onStep});
		expect(flow.record).toMatchObject({state: 'reviewed', put: {came: 'given up'}});
		expect(deadlines.length).toBeGreaterThan(10);
		expect(new Set(deadlines).size).toBe(1);
		expect(deadlines[0]).toBeGreaterThanOrEqual(sentAt + minutes(5));
		expect(service.clock.now()).toBeGreaterThanOrEqual(deadlines[0] ?? Infinity);
	});

	test('a search resumed after the deadline gets no new deadline and reads ten times', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		const stop = new AbortController();
		service.truth.onCall = ({isPut}) => {
			if (isPut) stop.abort();
			return isPut ? 'reset before' : undefined;
		};
		await failureOf(flow.send('pending', createConfirmation(), {signal: stop.signal}));
		expect(flow.record.state).toBe('deploy in doubt');
		service.clock.advance(minutes(60));
		const resumedAt = service.clock.now();
		const steps: FlowStep[] = [];
		await flow.settle({...work, onStep: step => void steps.push(step)});
		const deadlines = steps.flatMap(step => (step.does === 'looking' ? [step.until] : []));
		expect(deadlines.length).toBeGreaterThanOrEqual(10);
		expect(new Set(deadlines).size).toBe(1);
		expect(deadlines[0]).toBeLessThan(resumedAt);
		expect(service.clock.now() - resumedAt).toBeLessThan(minutes(5));
		expect(flow.record.put?.came).toBe('given up');
	});

	test('a confirmation given before the doubt does not send the PUT again', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		let isCut = true;
		service.truth.onCall = ({isPut}) => (isPut && isCut ? 'reset before' : undefined);
		const failure = await failureOf(resumeFlow(flow, {confirmation: createConfirmation()}, work));
		expect(isFailure(failure, 'unconfirmed') && failure.next).toContain('resume --confirm acme.example');
		expect(service.puts).toHaveLength(0);
		isCut = false;
		const {record, completedSteps} = await resumeFlow(flow, {confirmation: createConfirmation()}, work);
		expect(record.state).toBe('complete');
		expect(completedSteps).toEqual(['looked', 'sent', 'watched']);
	});

	test('a confirmation given while a PUT of an earlier process is in doubt does not send it again', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		const controller = new AbortController();
		service.truth.onCall = ({isPut}) => {
			if (isPut) controller.abort();
			return isPut ? 'reset before' : undefined;
		};
		await failureOf(flow.send('pending', createConfirmation(), {signal: controller.signal}));
		expect(flow.record.state).toBe('deploy in doubt');
		service.truth.onCall = () => undefined;
		await expectRefused(service, resumeFlow(flow, {confirmation: createConfirmation()}, work), 'unconfirmed');
		expect(flow.record).toMatchObject({state: 'reviewed', put: {came: 'given up'}});
	});
});

describe('a PUT that was accepted but never takes effect', () => {
	test('can be repeated by a person, but only after an hour', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.chooseShown = what => (what === 'status' && service.puts.length > 0 ? 'before' : 'now');
		await flow.send('pending', createConfirmation(), work);
		expect(flow.record.state).toBe('finishing');
		await expectRefused(service, flow.takeOver(work, await flow.readDrift(work)), 'job_running');
		await flow.watch(work);
		expect(flow.record.state).toBe('finishing');
		await flow.takeOver(work, await flow.readDrift(work));
		expect(flow.record.state).toBe('eligible');
		expect(flow.record.reviewed).toBeUndefined();
	});
});
