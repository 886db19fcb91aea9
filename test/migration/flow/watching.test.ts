import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import type {FlowStep} from '../../../source/migration/flow/context.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {
	createConfirmation,
	minutes,
	openTestFlow,
	reviewEditedProposal,
	startValidation,
	work,
} from '../support/opened-flow.ts';

describe('outdated responses of the service', () => {
	test.each([
		'status',
		'entry point',
	] as const)('from a %s that lags behind do not look like changes by someone else', async staleKind => {
		for (const goal of ['pending', 'validation'] as const) {
			const {service, flow} = openTestFlow();
			await reviewEditedProposal(flow, goal);
			let remainingStaleCount = 12;
			service.truth.chooseShown = reading =>
				service.puts.length > 0 && reading === staleKind && remainingStaleCount-- > 0 ? 'before' : 'now';
			await flow.send(goal, createConfirmation(), work);
			await flow.watch(work);
			expect(flow.record.state).toBe(goal === 'pending' ? 'complete' : 'validating');
		}
	});

	test('that still show validation after the deployment lead to finishing, and then complete', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		const {flow, service} = opened;
		await flow.markReady();
		let remainingStaleCount = 3;
		service.truth.chooseShown = reading =>
			service.puts.length > 1 && reading === 'status' && remainingStaleCount-- > 0 ? 'before' : 'now';
		await flow.send('pending', createConfirmation(), work);
		expect(flow.record.state).toBe('finishing');
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
	});

	test('that are surprising are read again before they count', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		const {flow, service} = opened;
		// The check and the status call both count as a `status` reading; each is outdated once.
		let remainingStaleCount = 2;
		service.truth.chooseShown = reading =>
			reading === 'status' && remainingStaleCount-- > 0 ? 'before' : 'now';
		await flow.observe(work);
		expect(flow.record.state).toBe('validating');
	});
});

describe('watching', () => {
	test('settles doubts first', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		const controller = new AbortController();
		service.truth.onCall = ({isPut}) => {
			if (isPut) controller.abort();
			return isPut ? 'answer lost' : undefined;
		};
		const failure = await failureOf(flow.send('pending', createConfirmation(), {signal: controller.signal}));
		expect(isFailure(failure, 'interrupted') && failure.details.left).toContain(
			'may or may not have accepted it',
		);
		expect(flow.record.state).toBe('deploy in doubt');
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
		expect(service.puts).toHaveLength(1);
	});

	test('ends after an hour, with longer and longer pauses', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.chooseShown = what => (what === 'status' && service.puts.length > 0 ? 'before' : 'now');
		await flow.send('pending', createConfirmation(), work);
		const startedAt = service.clock.now();
		const watchingSteps: FlowStep[] = [];
		await flow.watch({...work, onStep: step => void (step.does === 'watching' && watchingSteps.push(step))});
		expect(service.clock.now() - startedAt).toBeLessThan(minutes(62));
		expect(watchingSteps.length).toBeLessThan(80);
	});

	test('survives a service that is unreachable for a while', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		await flow.send('pending', createConfirmation(), work);
		const callsBefore = service.countCalls();
		service.truth.onCall = ({number}) => (number - callsBefore < 40 ? 'reset before' : undefined);
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
	});
});
