import {describe, expect, test} from 'vitest';
import type {FlowStep} from '../../../source/migration/flow/context.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {foreignConfiguration} from '../support/fake-zone.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	reviewEditedProposal,
	work,
} from '../support/opened-flow.ts';

describe('changes since the review', () => {
	test('a proposal that changed since the review stops the PUT', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.proposal = foreignConfiguration;
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'changed_meanwhile');
	});

	test('a zone moved on by someone else has no proposal left, and its stage is reported', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.save(foreignConfiguration, 'pending');
		service.truth.forbiddenPaths.push('waf_migration/config');
		const failure = await failureOf(flow.send('pending', createConfirmation(), work));
		expect(failure).toMatchObject({code: 'changed_meanwhile'});
		expect(String(failure)).not.toContain('GET');
		expect(service.puts).toEqual([]);
	});

	test('an entry point created since the review stops the PUT', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.save(foreignConfiguration, 'start');
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'changed_meanwhile');
	});

	test('a validation started in the dashboard stops the PUT and is shown', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.save(foreignConfiguration, 'validation');
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'changed_meanwhile');
		expect(flow.record.state).toBe('moved on');
		await flow.takeOver(work, await flow.readDrift(work));
		expect(flow.record.state).toBe('validating unreviewed');
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'unreviewed');
	});

	test('a zone that reached another stage during the backup is sent nothing', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.stage = 'complete';
		const onStep = ({does}: FlowStep) => {
			if (does === 'reading') service.truth.stage = 'start';
		};
		const sending = flow.send('pending', createConfirmation(), {...work, onStep});
		const failure = await expectRefused(service, sending, 'changed_meanwhile');
		expect(failure.message).toContain('since its backup');
	});

	test.each([
		[9_000, 1],
		[11_000, 0],
	])('delayed by the quota for %i ms after the last reading, the PUT is sent %i times', async (delayMs, putCount) => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		// As if the quota delayed it: the clock advances between the journal entry and the PUT.
		const onSend = () => service.clock.advance(delayMs);
		const sending = flow.send('pending', createConfirmation(), {...work, onSend});
		if (putCount === 1) await sending;
		else {
			const failure = await expectRefused(service, sending, 'changed_meanwhile');
			expect(failure.details.outcomeUnknown).toBeUndefined();
			expect(flow.record.put).toBeUndefined();
			expect(flow.record.state).toBe('reviewed');
		}
		expect(service.puts).toHaveLength(putCount);
	});
});
