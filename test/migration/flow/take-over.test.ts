import {describe, expect, test} from 'vitest';
import {compareConfigurations} from '../../../source/migration/configuration/difference.ts';
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

/** A zone that someone put into validation with rules of their own, after it was reviewed here. */
async function openMovedOnZone() {
	const opened = openTestFlow();
	await reviewEditedProposal(opened.flow);
	opened.service.save(foreignConfiguration, 'validation');
	await opened.flow.observe(work);
	expect(opened.flow.record.state).toBe('moved on');
	return opened;
}

describe('a zone changed by someone else', () => {
	test('is compared with the reviewed configuration', async () => {
		const {flow} = await openMovedOnZone();
		const {differences} = await flow.readDrift(work);
		expect(differences).toEqual(compareConfigurations(editedProposal, foreignConfiguration));
		expect(differences?.length).toBeGreaterThan(0);
	});

	test('is also compared with the configuration sent', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow, 'validation');
		await flow.send('validation', createConfirmation(), work);
		await flow.watch(work);
		service.save(foreignConfiguration, 'validation');
		await flow.observe(work);
		expect(flow.record.state).toBe('moved on');
		expect((await flow.readDrift(work)).differences).toEqual(
			compareConfigurations(editedProposal, foreignConfiguration),
		);
	});

	test('in validation is compared with the active configuration, and not with a review that was not sent', async () => {
		const opened = openTestFlow();
		const {service, flow} = opened;
		await startValidation(opened);
		await flow.review(proposal, createReviewBasis(flow), 'pending');
		service.save(foreignConfiguration, 'validation');
		await flow.observe(work);
		expect(flow.record.state).toBe('moved on');
		expect(await flow.readDrift(work)).toMatchObject({
			differences: compareConfigurations(editedProposal, foreignConfiguration),
			hasUnsentReview: true,
		});
		service.save(editedProposal, 'validation');
		expect(await flow.readDrift(work)).toMatchObject({differences: [], hasUnsentReview: true});
	});

	test('after a take-over is compared with what was taken over', async () => {
		const {service, flow} = await openMovedOnZone();
		await flow.takeOver(work, await flow.readDrift(work));
		await flow.backUp(work);
		await flow.review(proposal, createReviewBasis(flow), 'pending');
		expect(flow.record.state).toBe('validating');
		service.save(editedProposal, 'validation');
		await flow.observe(work);
		expect((await flow.readDrift(work)).differences).toEqual(
			compareConfigurations(foreignConfiguration, editedProposal),
		);
	});

	test('has no comparison if nothing was reviewed here', async () => {
		const {service, flow} = openTestFlow();
		service.save(foreignConfiguration, 'validation');
		await flow.observe(work);
		expect((await flow.readDrift(work)).differences).toBeUndefined();
	});

	test('that changes again before any call of the take-over is never updated without a review', async () => {
		const takeOverWithChange = async (changedCall: number | undefined) => {
			const {service, flow} = await openMovedOnZone();
			const drift = await flow.readDrift(work);
			const callsBefore = service.countCalls();
			service.truth.onCall = ({number}) => {
				if (number - callsBefore === changedCall) service.save(proposal, 'validation');
				return undefined;
			};
			const failure = await failureOf(flow.takeOver(work, drift)).catch(() => undefined);
			return {service, flow, failure, calls: service.countCalls() - callsBefore};
		};
		const {calls, flow: undisturbedFlow} = await takeOverWithChange(undefined);
		expect(undisturbedFlow.record).toMatchObject({state: 'validating unreviewed', reviewed: undefined});
		const refusedAt: number[] = [];
		for (let at = 1; at <= calls; at++) {
			const {service, flow, failure} = await takeOverWithChange(at);
			expect(service.puts).toEqual([]);
			if (failure) {
				refusedAt.push(at);
				expect(failure).toMatchObject({code: 'changed_meanwhile'});
				expect(flow.record).toMatchObject({
					state: 'moved on',
					reviewed: {rules: editedProposal.rules.length},
				});
				// Shown again, it can be taken over.
				await flow.takeOver(work, await flow.readDrift(work));
			}
			expect(flow.record).toMatchObject({state: 'validating unreviewed', reviewed: undefined});
			await expectRefused(service, flow.send('pending', createConfirmation(), work), 'unreviewed');
		}
		expect(refusedAt.length).toBeGreaterThan(0);
	});
});
