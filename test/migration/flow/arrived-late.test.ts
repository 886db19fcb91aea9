import {describe, expect, test} from 'vitest';
import {describeZoneChange} from '../../../source/migration/machine/observation.ts';
import {createReviewBasis, editedProposal, foreignConfiguration} from '../support/fake-zone.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	reviewEditedProposal,
	work,
} from '../support/opened-flow.ts';

/**
 * Opens a zone that has moved on to this configuration, after a PUT that counted as never arrived and the
 * review of another configuration.
 */
async function openMovedOnZone(activeConfiguration: typeof editedProposal) {
	const opened = openTestFlow();
	const {service, flow} = opened;
	await reviewEditedProposal(flow, 'validation');
	service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
	await flow.send('validation', createConfirmation(), work);
	expect(flow.record.put?.came).toBe('given up');
	await flow.review(foreignConfiguration, createReviewBasis(flow), 'validation');
	service.save(activeConfiguration, 'validation');
	await flow.observe(work);
	expect(flow.record.state).toBe('moved on');
	return opened;
}

describe('a zone that has moved on', () => {
	test('is explained by a PUT of ledge that counted as never arrived', async () => {
		const {service, flow} = await openMovedOnZone(editedProposal);
		expect(describeZoneChange('acme.example', flow.record)).toContain('What ledge sent to acme.example');
		const failure = await expectRefused(
			service,
			flow.send('validation', createConfirmation(), work),
			'changed_meanwhile',
		);
		expect(failure.details.why).toContain('took effect after all');
		expect(service.puts).toHaveLength(0);
	});

	test('is reported as changed by someone else if its rules differ from those sent', async () => {
		const {flow} = await openMovedOnZone({
			...editedProposal,
			rules: editedProposal.rules.map(rule => ({...rule, description: 'other'})),
		});
		expect(describeZoneChange('acme.example', flow.record)).toBe('acme.example was changed elsewhere');
	});
});
