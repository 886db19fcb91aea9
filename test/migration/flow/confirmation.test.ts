import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {createReviewBasis, editedProposal, foreignConfiguration, proposal} from '../support/fake-zone.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	reviewEditedProposal,
	startValidation,
	work,
} from '../support/opened-flow.ts';

describe('confirmations required before a PUT', () => {
	test.each([
		'',
		'acme.exampl',
		'Acme.Example',
		'other.example',
	])('typing "%s" does not confirm the PUT', async typed => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		await expectRefused(service, flow.send('pending', {zone: typed}, work), 'unconfirmed');
		expect(flow.record.state).toBe('reviewed');
	});

	test('a used confirmation confirms nothing more', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		const usedConfirmation = createConfirmation();
		service.truth.onCall = ({isPut}) => (isPut ? '400' : undefined);
		await failureOf(flow.send('pending', usedConfirmation, work));
		expect(flow.record.state).toBe('reviewed');
		await expectRefused(service, flow.send('pending', usedConfirmation, work), 'unconfirmed');
	});

	test('a confirmation is valid for one attempt only, even if nothing was sent', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		const usedConfirmation = createConfirmation();
		service.truth.proposal = foreignConfiguration;
		await expectRefused(service, flow.send('pending', usedConfirmation, work), 'changed_meanwhile');
		service.truth.proposal = proposal;
		await expectRefused(service, flow.send('pending', usedConfirmation, work), 'unconfirmed');
	});

	test('one confirmation given to two simultaneous attempts sends one PUT', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		const usedConfirmation = createConfirmation();
		await Promise.allSettled([
			flow.send('pending', usedConfirmation, work),
			flow.send('pending', usedConfirmation, work),
		]);
		expect(service.puts).toHaveLength(1);
	});

	test('nothing is sent without a review', async () => {
		const {service, flow} = openTestFlow();
		await flow.observe(work);
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'unreviewed');
	});

	test('an edit after the review has to be reviewed', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		await flow.discardReview();
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'unreviewed');
	});

	test('a change not shown at the review stops the PUT, even if ledge has seen it since', async () => {
		const {service, flow} = openTestFlow();
		await flow.observe(work);
		const basis = createReviewBasis(flow);
		service.save(foreignConfiguration, 'start');
		await flow.observe(work);
		await flow.review(editedProposal, basis, 'pending');
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'changed_meanwhile');
		await flow.review(editedProposal, createReviewBasis(flow), 'pending');
		await flow.send('pending', createConfirmation(), work);
		expect(service.puts).toHaveLength(1);
	});

	test('rules in validation that were not shown at the review stop the end of validation', async () => {
		const {service, flow} = openTestFlow();
		service.save(proposal, 'validation');
		await flow.observe(work);
		const basis = createReviewBasis(flow);
		service.save(foreignConfiguration, 'validation');
		await flow.observe(work);
		expect(flow.record.state).toBe('validating unreviewed');
		await flow.review(editedProposal, basis, 'pending');
		await flow.markReady();
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'changed_meanwhile');
	});

	test('a proposal other than the one shown stops the PUT', async () => {
		const {service, flow} = openTestFlow();
		await flow.observe(work);
		await flow.review(
			editedProposal,
			{...createReviewBasis(flow), proposed: computeFingerprint(foreignConfiguration)},
			'pending',
		);
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'changed_meanwhile');
	});

	test("a configuration name different from the zone's own stops the PUT, since neither fingerprint nor plan shows it", async () => {
		const {service, flow} = openTestFlow();
		await flow.observe(work);
		await flow.review({...editedProposal, name: 'something else'}, createReviewBasis(flow), 'pending');
		const failure = await expectRefused(
			service,
			flow.send('pending', createConfirmation(), work),
			'input_malformed',
		);
		expect(failure.next).toContain('"name": "default"');
	});

	test('a read-only ledge sends nothing, and says so before reading', async () => {
		const {service, flow} = openTestFlow({readOnly: true});
		await reviewEditedProposal(flow);
		const callsBefore = service.countCalls();
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'read_only');
		expect(service.countCalls()).toBe(callsBefore);
	});

	test('a configuration that deploys nothing needs an additional confirmation', async () => {
		const {service, flow} = openTestFlow();
		const disabledConfiguration = {
			...editedProposal,
			rules: editedProposal.rules.map(rule => ({...rule, enabled: false})),
		};
		await flow.observe(work);
		await flow.review(disabledConfiguration, createReviewBasis(flow), 'pending');
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'unconfirmed');
		await flow.send('pending', {...createConfirmation(), withoutRulesets: true}, work);
		expect(service.puts).toHaveLength(1);
	});

	test('deploying from validation requires that the zone is marked as ready', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		await expectRefused(opened.service, opened.flow.send('pending', createConfirmation(), work), 'usage');
	});

	test('a complete migration sends nothing more', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		await flow.send('pending', createConfirmation(), work);
		await flow.watch(work);
		for (const mode of ['pending', 'validation'] as const)
			await expectRefused(service, flow.send(mode, createConfirmation(), work), 'already_migrated');
	});
});
