import {describe, expect, test} from 'vitest';
import type {FlowStep} from '../../../source/migration/flow/context.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {foreign} from '../support/fake-zone.ts';
import {confirmation, expectRefused, open, reviewed, work} from '../support/opened-flow.ts';

describe('changes since the review', () => {
	test('a proposal that changed since the review stops the PUT', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.proposal = foreign;
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
	});

	test('a zone moved on by someone else has no proposal left, and its stage is reported', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.save(foreign, 'pending');
		service.truth.withheld.push('waf_migration/config');
		const failure = await failureOf(flow.send('pending', confirmation(), work));
		expect(failure).toMatchObject({code: 'changed_meanwhile'});
		expect(String(failure)).not.toContain('GET');
		expect(service.puts).toEqual([]);
	});

	test('an entry point created since the review stops the PUT', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.save(foreign, 'start');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
	});

	test('a validation started in the dashboard stops the PUT and is shown', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.save(foreign, 'validation');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
		expect(flow.record.state).toBe('moved on');
		await flow.takeOver(work, await flow.readDrift(work));
		expect(flow.record.state).toBe('validating unreviewed');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'unreviewed');
	});

	test('a zone that reached another stage during the backup is sent nothing', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.stage = 'complete';
		const onStep = ({does}: FlowStep) => {
			if (does === 'reading') service.truth.stage = 'start';
		};
		const sending = flow.send('pending', confirmation(), {...work, onStep});
		const failure = await expectRefused(service, sending, 'changed_meanwhile');
		expect(failure.message).toContain('since its backup');
	});

	test.each([
		[9_000, 1],
		[11_000, 0],
	])('delayed by the quota for %i ms after the last look, the PUT is sent %i times', async (held, puts) => {
		const {service, flow} = open();
		await reviewed(flow);
		// As though the queue had held it: the clock goes on between the journal and the PUT.
		const onSend = () => service.clock.advance(held);
		const sent = flow.send('pending', confirmation(), {...work, onSend});
		if (puts === 1) await sent;
		else {
			const failure = await expectRefused(service, sent, 'changed_meanwhile');
			expect(failure.details.outcomeUnknown).toBeUndefined();
			expect(flow.record.put).toBeUndefined();
			expect(flow.record.state).toBe('reviewed');
		}
		expect(service.puts).toHaveLength(puts);
	});
});
