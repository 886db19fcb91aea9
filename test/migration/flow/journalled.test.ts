import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import type {MachineState} from '../../../source/migration/machine/states.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {confirmation, expectRefused, open, reviewed, work} from '../support/opened-flow.ts';

describe('records of a PUT', () => {
	test('the journal records the PUT before it is sent, and its outcome afterwards', async () => {
		const {service, flow, kept} = open();
		await reviewed(flow);
		let keptBefore: MachineState | undefined;
		service.truth.onCall = ({isPut}) => {
			if (isPut) keptBefore = kept.at(-1);
			return undefined;
		};
		await flow.send('pending', confirmation(), work);
		expect(keptBefore).toBe('sending deploy');
		expect(kept.at(-1)).toBe('finishing');
	});

	test('a dry run reads and shows the PUT, but saves and sends nothing', async () => {
		const {service, flow, kept} = open({dryRun: true});
		await reviewed(flow);
		const before = kept.length;
		await flow.send('pending', confirmation(), work);
		expect(service.planned).toEqual([expect.stringContaining('waf_migration=pending')]);
		expect(service.puts).toHaveLength(0);
		expect(kept).toHaveLength(before);
		expect(flow.record.state).toBe('reviewed');
		expect(flow.journal.loadBackup()).toBeUndefined();
	});

	test('a full disk stops the PUT with an explanation', async () => {
		const {service, flow, fill} = open();
		await reviewed(flow);
		await flow.backUp(work);
		fill(true);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'file_failed');
		expect(failure.details.left).toContain('Nothing was sent');
		expect(flow.record.state).toBe('reviewed');
	});

	test('a journal that cannot be written is reported, and the zone is read', async () => {
		const {service, flow, fill} = open();
		await reviewed(flow);
		await flow.backUp(work);
		service.truth.onCall = ({isPut}) => {
			if (isPut) fill(true);
			return undefined;
		};
		const failure = await failureOf(flow.send('pending', confirmation(), work));
		expect(isFailure(failure, 'file_failed') && failure.details.left).toContain(
			'sent, and the service accepted it',
		);
		expect(isFailure(failure) && failure.details.left).toContain('Now: ');
		expect(flow.journal.record.state).toBe('sending deploy');
		fill(false);
		await flow.watch(work);
		expect(flow.journal.record.state).toBe('complete');
	});

	test('the audit log records what was sent and what took effect', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.onCall = ({isPut}) => (isPut ? 'answer lost' : undefined);
		const heard: string[] = [];
		await flow.send('pending', confirmation(), {
			...work,
			onSend: what => void heard.push(`sends ${what}`),
			onWrite: what => void heard.push(`wrote ${what}`),
		});
		expect(heard.map(line => line.slice(0, 6))).toEqual(['sends ', 'wrote ']);
	});
});
