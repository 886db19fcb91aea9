import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import type {FlowStep} from '../../../source/migration/flow/context.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {confirmation, minutes, open, reviewed, validating, work} from '../support/opened-flow.ts';

describe('outdated answers of the service', () => {
	test.each([
		'status',
		'entry point',
	] as const)('from a %s that lags behind do not look like changes by someone else', async what => {
		for (const goal of ['pending', 'validation'] as const) {
			const {service, flow} = open();
			await reviewed(flow, goal);
			let old = 12;
			service.truth.shows = shown =>
				service.puts.length > 0 && shown === what && old-- > 0 ? 'before' : 'now';
			await flow.send(goal, confirmation(), work);
			await flow.watch(work);
			expect(flow.record.state).toBe(goal === 'pending' ? 'complete' : 'validating');
		}
	});

	test('that show the configuration deployed after validation lead to finishing, and then complete', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		await flow.markReady();
		let old = 3;
		service.truth.shows = shown =>
			service.puts.length > 1 && shown === 'status' && old-- > 0 ? 'before' : 'now';
		await flow.send('pending', confirmation(), work);
		expect(flow.record.state).toBe('finishing');
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
	});

	test('that are surprising are read again before they count', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		// Both answers that name the state come from a replica that is behind, once.
		let old = 2;
		service.truth.shows = shown => (shown === 'status' && old-- > 0 ? 'before' : 'now');
		await flow.observe(work);
		expect(flow.record.state).toBe('validating');
	});
});

describe('watching', () => {
	test('settles doubts first', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const controller = new AbortController();
		service.truth.onCall = ({isPut}) => {
			if (isPut) controller.abort();
			return isPut ? 'answer lost' : undefined;
		};
		const failure = await failureOf(flow.send('pending', confirmation(), {signal: controller.signal}));
		expect(isFailure(failure, 'interrupted') && failure.details.left).toContain(
			'may or may not have accepted it',
		);
		expect(flow.record.state).toBe('deploy in doubt');
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
		expect(service.puts).toHaveLength(1);
	});

	test('ends after an hour, with longer and longer pauses', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.shows = what => (what === 'status' && service.puts.length > 0 ? 'before' : 'now');
		await flow.send('pending', confirmation(), work);
		const began = service.clock.now();
		const looks: FlowStep[] = [];
		await flow.watch({...work, onStep: step => void (step.does === 'watching' && looks.push(step))});
		expect(service.clock.now() - began).toBeLessThan(minutes(62));
		expect(looks.length).toBeLessThan(80);
	});

	test('survives a service that is unreachable for a while', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.send('pending', confirmation(), work);
		const from = service.calls();
		service.truth.onCall = ({number}) => (number - from < 40 ? 'reset before' : undefined);
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
	});
});
