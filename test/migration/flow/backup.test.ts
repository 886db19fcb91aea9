import {describe, expect, test, vi} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {never} from '../../service/scripted-transport.ts';
import {
	confirmation,
	expectRefused,
	minutes,
	open,
	reviewed,
	validating,
	work,
} from '../support/opened-flow.ts';

describe('backups before a PUT', () => {
	test('a fresh backup is made just before the PUT, however recent the last one is', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.backUp(work);
		await service.clock.wait(minutes(1), never);
		service.truth.pageRules.push({id: 'changed meanwhile'});
		await flow.send('pending', confirmation(), work);
		expect(flow.journal.loadBackup()?.pageRules).toEqual([{id: 'changed meanwhile'}]);
	});

	test('a backup that matches the current state is reused', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const kept = await flow.backUp(work);
		await service.clock.wait(minutes(61), never);
		await flow.send('pending', confirmation(), work);
		expect(flow.record.backup).toBe(kept);
	});

	test('if the backup cannot be saved, ledge says that nothing was sent, whatever the folder is called', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const full = new Failure('file_failed', 'The folder "nothing was sent" cannot be written.');
		vi.spyOn(flow.journal, 'backUp').mockRejectedValue(full);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'file_failed');
		expect(failure.details.left).toBe('Nothing was sent.');
	});

	test('an unreadable backup is replaced', async () => {
		const {flow, loseBackup} = open();
		await reviewed(flow);
		const kept = await flow.backUp(work);
		loseBackup();
		await flow.send('pending', confirmation(), work);
		expect(flow.record.backup).not.toBe(kept);
		expect(flow.record.state).toBe('finishing');
	});

	test('a zone that moved on while it was read is reported, and keeps its earlier backup', async () => {
		const opened = open();
		await validating(opened);
		const {service, flow} = opened;
		await flow.markReady();
		const kept = flow.record.backup;
		service.truth.stage = 'complete';
		service.truth.withheld.push('firewall/waf/packages', 'settings/waf');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
		expect(flow.record).toMatchObject({state: 'moved on', backup: kept});
	});

	test('a backup missing settings that will be lost needs an additional confirmation', async () => {
		const {service, flow} = open();
		service.truth.withheld.push('firewall/waf/packages');
		await reviewed(flow);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'unconfirmed');
		expect(failure.details.why).toContain('previous managed rules');
		await flow.send('pending', {...confirmation(), incompleteBackup: true}, work);
		expect(service.puts).toHaveLength(1);
	});

	test('firewall rules that cannot be read need it too, since eligibility depends on them', async () => {
		const {service, flow} = open();
		service.truth.withheld.push('firewall/rules');
		await reviewed(flow);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'unconfirmed');
		expect(failure.next).toContain('were not checked');
	});
});
