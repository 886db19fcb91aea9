import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import type {FlowStep} from '../../../source/migration/flow/parts.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {confirmation, minutes, open, reviewed, validating, work} from '../support/opened-flow.ts';

describe('while the service shows what is older', () => {
	test.each([
		'status',
		'entry point',
	] as const)('a %s that lags behind is no work of someone else', async what => {
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

	test('the same configuration deployed after validation is finishing, and then complete', async () => {
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

	test('one reading that surprises is read again before it counts', async () => {
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
	test('settles first what is in doubt', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const controller = new AbortController();
		service.truth.onCall = ({isPut}) => {
			if (isPut) controller.abort();
			return isPut ? 'answer lost' : undefined;
		};
		const failure = await failureOf(flow.send('pending', confirmation(), {signal: controller.signal}));
		expect(isFailure(failure, 'interrupted') && failure.details.left).toContain('not known');
		expect(flow.record.state).toBe('deploy in doubt');
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
		expect(service.puts).toHaveLength(1);
	});

	test('ends after an hour, ever more seldom', async () => {
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

	test('outlives a service that cannot be reached for a while', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.send('pending', confirmation(), work);
		const from = service.calls();
		service.truth.onCall = ({number}) => (number - from < 40 ? 'reset before' : undefined);
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
	});
});
