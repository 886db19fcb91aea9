import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import type {MachineState} from '../../../source/migration/machine/states.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	reviewEditedProposal,
	work,
} from '../support/opened-flow.ts';

describe('records of a PUT', () => {
	test('the journal records the PUT before it is sent, and its outcome afterwards', async () => {
		const {service, flow, kept: savedStates} = openTestFlow();
		await reviewEditedProposal(flow);
		let stateBeforePut: MachineState | undefined;
		service.truth.onCall = ({isPut}) => {
			if (isPut) stateBeforePut = savedStates.at(-1);
			return undefined;
		};
		await flow.send('pending', createConfirmation(), work);
		expect(stateBeforePut).toBe('sending deploy');
		expect(savedStates.at(-1)).toBe('finishing');
	});

	test('a dry run reads and shows the PUT, but saves and sends nothing', async () => {
		const {service, flow, kept: savedStates} = openTestFlow({dryRun: true});
		await reviewEditedProposal(flow);
		const savedCount = savedStates.length;
		await flow.send('pending', createConfirmation(), work);
		expect(service.plannedUrls).toEqual([expect.stringContaining('waf_migration=pending')]);
		expect(service.puts).toHaveLength(0);
		expect(savedStates).toHaveLength(savedCount);
		expect(flow.record.state).toBe('reviewed');
		expect(flow.journal.loadBackup()).toBeUndefined();
	});

	test('a full disk stops the PUT with an explanation', async () => {
		const {service, flow, setDiskFull} = openTestFlow();
		await reviewEditedProposal(flow);
		await flow.backUp(work);
		setDiskFull(true);
		const failure = await expectRefused(
			service,
			flow.send('pending', createConfirmation(), work),
			'file_failed',
		);
		expect(failure.details.left).toContain('Nothing was sent');
		expect(flow.record.state).toBe('reviewed');
	});

	test('a journal that cannot be written is reported, and the zone is read', async () => {
		const {service, flow, setDiskFull} = openTestFlow();
		await reviewEditedProposal(flow);
		await flow.backUp(work);
		service.truth.onCall = ({isPut}) => {
			if (isPut) setDiskFull(true);
			return undefined;
		};
		const failure = await failureOf(flow.send('pending', createConfirmation(), work));
		expect(isFailure(failure, 'file_failed') && failure.details.left).toContain(
			'sent, and the service accepted it',
		);
		expect(isFailure(failure) && failure.details.left).toContain('Now: ');
		expect(flow.journal.record.state).toBe('sending deploy');
		setDiskFull(false);
		await flow.watch(work);
		expect(flow.journal.record.state).toBe('complete');
	});

	test('sending and taking effect are both reported for the audit log', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		service.truth.onCall = ({isPut}) => (isPut ? 'answer lost' : undefined);
		const messages: string[] = [];
		await flow.send('pending', createConfirmation(), {
			...work,
			onSend: what => void messages.push(`sends ${what}`),
			onWritten: what => void messages.push(`wrote ${what}`),
		});
		expect(messages.map(line => line.slice(0, 6))).toEqual(['sends ', 'wrote ']);
	});
});
