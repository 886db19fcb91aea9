import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {edited, type FakeStage, foreign} from '../support/fake-zone.ts';
import {confirmation, minutes, open, reviewed, work} from '../support/opened-flow.ts';

const word = 'migrating' as FakeStage;

/** The answer to the PUT is lost, and the service calls the state by a word that nobody knows. */
async function lost(mode: 'validation' | 'pending', saves: 'what was sent' | 'other rules' | 'nothing') {
	const opened = open();
	const {service, flow} = opened;
	await reviewed(flow, mode);
	service.truth.onCall = ({isPut}) => {
		if (!isPut) return undefined;
		if (saves === 'nothing') service.truth.stage = word;
		else service.save(saves === 'what was sent' ? edited : foreign, word);
		return 'reset before';
	};
	return opened;
}

describe.each([
	'validation',
	'pending',
] as const)('a lost answer to a PUT (%s) followed by an unknown status', mode => {
	test('counts as accepted if the sent configuration is active in a new version', async () => {
		const {flow} = await lost(mode, 'what was sent');
		await flow.send(mode, confirmation(), work);
		expect(flow.record.state).toBe(mode === 'validation' ? 'starting validation' : 'finishing');
	});

	test.each([
		'nothing',
		'other rules',
	] as const)('with %s active instead stays in doubt, however long ledge looks', async saves => {
		const {service, flow} = await lost(mode, saves);
		const failure = await failureOf(flow.send(mode, confirmation(), work));
		expect(isFailure(failure) && failure.details).toMatchObject({outcomeUnknown: true});
		expect(isFailure(failure) && failure.details.why).toContain('"migrating"');
		expect(service.clock.waits.reduce((sum, one) => sum + one)).toBeGreaterThanOrEqual(minutes(5));
		expect(flow.record.state).toBe(mode === 'validation' ? 'validation in doubt' : 'deploy in doubt');
	});
});
