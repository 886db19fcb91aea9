import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {createReviewBasis, editedProposal, foreignConfiguration} from '../support/fake-zone.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	startValidation,
	work,
} from '../support/opened-flow.ts';

describe('in validation', () => {
	test('an edited configuration is validated again, and is then the one in validation', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		const {flow, service} = opened;
		await flow.discardReview();
		await flow.review(foreignConfiguration, createReviewBasis(flow), 'validation');
		await flow.send('validation', createConfirmation(), work);
		await flow.watch(work);
		expect(flow.record.state).toBe('validating');
		expect(flow.record.seen?.entryPoint?.fingerprint).toBe(computeFingerprint(foreignConfiguration));
		expect(service.puts.map(({mode}) => mode)).toEqual(['validation', 'validation']);
	});

	test('an edited configuration whose PUT never arrived leaves the earlier one in validation', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		const {flow, service} = opened;
		await flow.review(foreignConfiguration, createReviewBasis(flow), 'validation');
		service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
		await flow.send('validation', createConfirmation(), work);
		expect(flow.record).toMatchObject({state: 'validating', put: {came: 'given up'}});
		expect(flow.record.seen?.entryPoint?.fingerprint).toBe(computeFingerprint(editedProposal));
	});

	test('rules changed in the dashboard by someone else are noticed, and nothing is sent', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		const {flow, service} = opened;
		await flow.markReady();
		service.save(foreignConfiguration, 'validation');
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'changed_meanwhile');
		expect(flow.record.state).toBe('moved on');
	});

	test('an end of validation made in the dashboard is noticed', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		opened.service.truth.stage = 'complete';
		await opened.flow.observe(work);
		expect(opened.flow.record.state).toBe('moved on');
		await opened.flow.takeOver(work, await opened.flow.readDrift(work));
		expect(opened.flow.record.state).toBe('complete');
	});
});
