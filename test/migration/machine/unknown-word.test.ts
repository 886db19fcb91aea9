import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {editedProposal, type FakeStage, foreignConfiguration} from '../support/fake-zone.ts';
import {
	createConfirmation,
	minutes,
	openTestFlow,
	reviewEditedProposal,
	work,
} from '../support/opened-flow.ts';

const unknownStage = 'migrating' as FakeStage;

/** Opens a zone in which the response to the PUT is lost, and the service then reports an unknown state. */
async function openWithLostResponse(
	mode: 'validation' | 'pending',
	effect: 'what was sent' | 'other rules' | 'nothing',
) {
	const opened = openTestFlow();
	const {service, flow} = opened;
	await reviewEditedProposal(flow, mode);
	service.truth.onCall = ({isPut}) => {
		if (!isPut) return undefined;
		if (effect === 'nothing') service.truth.stage = unknownStage;
		else service.save(effect === 'what was sent' ? editedProposal : foreignConfiguration, unknownStage);
		return 'reset before';
	};
	return opened;
}

describe.each([
	'validation',
	'pending',
] as const)('a lost response to a PUT (%s) followed by an unknown state', mode => {
	test('counts as accepted if the sent configuration is active in a new version', async () => {
		const {flow} = await openWithLostResponse(mode, 'what was sent');
		await flow.send(mode, createConfirmation(), work);
		expect(flow.record.state).toBe(mode === 'validation' ? 'starting validation' : 'finishing');
	});

	test.each([
		'nothing',
		'other rules',
	] as const)('stays in doubt, however long ledge looks, if the service saved: %s', async effect => {
		const {service, flow} = await openWithLostResponse(mode, effect);
		const failure = await failureOf(flow.send(mode, createConfirmation(), work));
		expect(isFailure(failure) && failure.details).toMatchObject({outcomeUnknown: true});
		expect(isFailure(failure) && failure.details.why).toContain('"migrating"');
		expect(service.clock.waits.reduce((sum, one) => sum + one)).toBeGreaterThanOrEqual(minutes(5));
		expect(flow.record.state).toBe(mode === 'validation' ? 'validation in doubt' : 'deploy in doubt');
	});
});
