import {describe, expect, test} from 'vitest';
import type {FlowStep} from '../../../source/migration/flow/context.ts';
import {verifySent} from '../../../source/migration/flow/verification.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {editedProposal, foreignConfiguration} from '../support/fake-zone.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	reviewEditedProposal,
	startValidation,
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
		'pending',
		'validation',
	] as const)('a change between the last reading and the PUT (%s) is overwritten, and reported', async mode => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow, mode);
		const onSend = () => service.save(foreignConfiguration, 'start');
		await flow.send(mode, createConfirmation(), {...work, onSend});
		expect(flow.record.put?.overwritten?.length).toBeGreaterThan(0);
		await flow.watch(work);
		const {verification} = await verifySent(flow, service.client, work.signal);
		expect(verification.sameAsReviewed).toBe(true);
		expect(verification.findings.join()).toContain('The managed rules were changed right before the PUT');
	});

	test('without another version in between, nothing more is read and nothing reported', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		await flow.send('pending', createConfirmation(), work);
		expect(flow.record.put).toMatchObject({came: 'accepted'});
		expect(flow.record.put?.overwritten).toBeUndefined();
		expect(service.puts).toHaveLength(1);
	});

	test('another version of what was sent is no change by others', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		const onSend = () => service.save(editedProposal, 'start');
		await flow.send('pending', createConfirmation(), {...work, onSend});
		expect(flow.record.put).toMatchObject({came: 'accepted'});
		expect(flow.record.put?.overwritten).toBeUndefined();
	});

	test('an overwritten version that cannot be read is reported without its content', async () => {
		const {service, flow} = openTestFlow();
		await startValidation({flow});
		await reviewEditedProposal(flow);
		await flow.markReady();
		service.truth.forbiddenPaths.push('rulesets/entry1/versions/2');
		const onSend = () => service.save(foreignConfiguration, 'validation');
		await flow.send('pending', createConfirmation(), {...work, onSend});
		expect(flow.record.put?.overwritten).toEqual([]);
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
