import {describe, expect, test} from 'vitest';
import {putConfiguration} from '../../../source/migration/flow/put-configuration.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createZoneClient, zone} from '../support/answers.ts';
import {editedProposal} from '../support/fake-zone.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	reviewEditedProposal,
	work,
} from '../support/opened-flow.ts';

/** Opens a reviewed zone whose entry point arrives this long after the proposal. */
async function openSlowZone(milliseconds: number) {
	const opened = openTestFlow();
	await reviewEditedProposal(opened.flow);
	const {service} = opened;
	service.truth.chooseShown = what => {
		if (what === 'entry point') service.clock.advance(milliseconds);
		return 'now';
	};
	return opened;
}

describe('slow reads', () => {
	test('are still valid when all have arrived', async () => {
		const {service, flow} = await openSlowZone(11_000);
		await flow.send('pending', createConfirmation(), work);
		expect(service.puts).toHaveLength(1);
	});

	test('are not valid if they take more than a minute, and the failure says how long they took', async () => {
		const {service, flow} = await openSlowZone(61_000);
		const sending = flow.send('pending', createConfirmation(), work);
		const failure = await expectRefused(service, sending, 'changed_meanwhile');
		expect(failure.details.why).toContain('Loading the data took 61 s');
	});

	test('leave only ten seconds until the PUT', async () => {
		const {client, sent, clock} = createZoneClient({});
		const put = {configuration: editedProposal, oldestReadingAt: clock.now() - 32_000, readingMs: 21_000};
		const failure = await failureOf(putConfiguration(client, zone.id, 'pending', put, neverAbortedSignal));
		expect(sent).toHaveLength(0);
		expect(failure).toMatchObject({code: 'changed_meanwhile'});
	});
});

test('the sending step is reported only if something is sent', async () => {
	const listSendingSteps = async (milliseconds: number) => {
		const {service, flow} = await openSlowZone(milliseconds);
		const steps: string[] = [];
		const onStep = ({does}: {readonly does: string}) => void steps.push(`${does} ${service.puts.length}`);
		await flow.send('pending', createConfirmation(), {...work, onStep}).catch(() => {});
		return steps.filter(step => step.startsWith('sending'));
	};
	expect(await listSendingSteps(11_000)).toEqual(['sending 0']);
	expect(await listSendingSteps(61_000)).toEqual([]);
});
