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

describe('before a PUT the zone is backed up', () => {
	test('a backup is made of what is there just before it, whenever the last one was made', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.backUp(work);
		await service.clock.wait(minutes(1), never);
		service.truth.pageRules.push({id: 'changed meanwhile'});
		await flow.send('pending', confirmation(), work);
		expect(flow.journal.loadBackup()?.pageRules).toEqual([{id: 'changed meanwhile'}]);
	});

	test('a backup that holds just what is there stays the one', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const kept = await flow.backUp(work);
		await service.clock.wait(minutes(61), never);
		await flow.send('pending', confirmation(), work);
		expect(flow.record.backup).toBe(kept);
	});

	test('a backup that cannot be kept says that nothing was sent, whatever its folder is called', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const full = new Failure('file_failed', 'The folder "nothing was sent" cannot be written.');
		vi.spyOn(flow.journal, 'backUp').mockRejectedValue(full);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'file_failed');
		expect(failure.details.left).toBe('Nothing was sent.');
	});

	test('a backup that cannot be read any more is made anew', async () => {
		const {flow, loseBackup} = open();
		await reviewed(flow);
		const kept = await flow.backUp(work);
		loseBackup();
		await flow.send('pending', confirmation(), work);
		expect(flow.record.backup).not.toBe(kept);
		expect(flow.record.state).toBe('finishing');
	});

	test('a zone that went on while it was read is told so, and its backup stays that of before', async () => {
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

	test('a backup that lacks what will be lost wants a further word', async () => {
		const {service, flow} = open();
		service.truth.withheld.push('firewall/waf/packages');
		await reviewed(flow);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'unconfirmed');
		expect(failure.details.why).toContain('previous managed rules');
		await flow.send('pending', {...confirmation(), incompleteBackup: true}, work);
		expect(service.puts).toHaveLength(1);
	});

	test('firewall rules that cannot be read want it, too: by them it is told whether the zone is eligible', async () => {
		const {service, flow} = open();
		service.truth.withheld.push('firewall/rules');
		await reviewed(flow);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'unconfirmed');
		expect(failure.next).toContain('was not checked');
	});
});
