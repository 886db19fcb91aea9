import {describe, expect, test, vi} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {
	createConfirmation,
	expectRefused,
	minutes,
	openTestFlow,
	reviewEditedProposal,
	startValidation,
	work,
} from '../support/opened-flow.ts';

describe('backups before a PUT', () => {
	test('a fresh backup is made just before the PUT, however recent the last one is', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		await flow.backUp(work);
		await service.clock.wait(minutes(1), neverAbortedSignal);
		service.truth.pageRules.push({id: 'changed meanwhile'});
		await flow.send('pending', createConfirmation(), work);
		expect(flow.journal.loadBackup()?.pageRules).toEqual([{id: 'changed meanwhile'}]);
	});

	test('a backup that matches the current state is reused', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		const firstBackup = await flow.backUp(work);
		await service.clock.wait(minutes(61), neverAbortedSignal);
		await flow.send('pending', createConfirmation(), work);
		expect(flow.record.backup).toBe(firstBackup);
	});

	test('if the backup cannot be saved, ledge says that nothing was sent, whatever the folder is called', async () => {
		const {service, flow} = openTestFlow();
		await reviewEditedProposal(flow);
		const saveFailure = new Failure('file_failed', 'The folder "nothing was sent" cannot be written.');
		vi.spyOn(flow.journal, 'backUp').mockRejectedValue(saveFailure);
		const failure = await expectRefused(
			service,
			flow.send('pending', createConfirmation(), work),
			'file_failed',
		);
		expect(failure.details.left).toBe('Nothing was sent.');
	});

	test('an unreadable backup is replaced', async () => {
		const {flow, loseBackup} = openTestFlow();
		await reviewEditedProposal(flow);
		const firstBackup = await flow.backUp(work);
		loseBackup();
		await flow.send('pending', createConfirmation(), work);
		expect(flow.record.backup).not.toBe(firstBackup);
		expect(flow.record.state).toBe('finishing');
	});

	test('a zone that moved on while it was read is reported, and keeps its earlier backup', async () => {
		const opened = openTestFlow();
		await startValidation(opened);
		const {service, flow} = opened;
		await flow.markReady();
		const firstBackup = flow.record.backup;
		service.truth.stage = 'complete';
		service.truth.forbiddenPaths.push('firewall/waf/packages', 'settings/waf');
		await expectRefused(service, flow.send('pending', createConfirmation(), work), 'changed_meanwhile');
		expect(flow.record).toMatchObject({state: 'moved on', backup: firstBackup});
	});

	test('a backup missing settings that will be lost needs an additional confirmation', async () => {
		const {service, flow} = openTestFlow();
		service.truth.forbiddenPaths.push('firewall/waf/packages');
		await reviewEditedProposal(flow);
		const failure = await expectRefused(
			service,
			flow.send('pending', createConfirmation(), work),
			'unconfirmed',
		);
		expect(failure.details.why).toContain('previous managed rules');
		await flow.send('pending', {...createConfirmation(), incompleteBackup: true}, work);
		expect(service.puts).toHaveLength(1);
	});

	test('unreadable firewall rules need an additional confirmation, since eligibility depends on them', async () => {
		const {service, flow} = openTestFlow();
		service.truth.forbiddenPaths.push('firewall/rules');
		await reviewEditedProposal(flow);
		const failure = await expectRefused(
			service,
			flow.send('pending', createConfirmation(), work),
			'unconfirmed',
		);
		expect(failure.next).toContain('were not checked');
	});
});
