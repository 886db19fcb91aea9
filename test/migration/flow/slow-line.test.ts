import {describe, expect, test} from 'vitest';
import {putConfiguration} from '../../../source/migration/flow/put-configuration.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {never} from '../../service/scripted-transport.ts';
import {answering, zone} from '../support/answers.ts';
import {edited} from '../support/fake-zone.ts';
import {confirmation, expectRefused, open, reviewed, work} from '../support/opened-flow.ts';

/** A zone of which the entry point comes so long after what is proposed. */
async function slow(milliseconds: number) {
	const opened = open();
	await reviewed(opened.flow);
	const {service} = opened;
	service.truth.shows = what => {
		if (what === 'entry point') service.clock.advance(milliseconds);
		return 'now';
	};
	return opened;
}

describe('slow reads', () => {
	test('still count once all have arrived', async () => {
		const {service, flow} = await slow(11_000);
		await flow.send('pending', confirmation(), work);
		expect(service.puts).toHaveLength(1);
	});

	test('do not count for more than a minute, and the connection is blamed', async () => {
		const {service, flow} = await slow(61_000);
		const sending = flow.send('pending', confirmation(), work);
		const failure = await expectRefused(service, sending, 'changed_meanwhile');
		expect(failure.details.why).toContain('Loading the data took 61 s');
	});

	test('leave only ten seconds for the rest of the way', async () => {
		const {client, sent, clock} = answering({});
		const put = {configuration: edited, oldestReadingAt: clock.now() - 32_000, readingMs: 21_000};
		const failure = await failureOf(putConfiguration(client, zone.id, 'pending', put, never));
		expect(sent).toHaveLength(0);
		expect(failure).toMatchObject({code: 'changed_meanwhile'});
	});
});

test('the sending step is reported only if something is sent', async () => {
	const told = async (milliseconds: number) => {
		const {service, flow} = await slow(milliseconds);
		const steps: string[] = [];
		const onStep = ({does}: {readonly does: string}) => void steps.push(`${does} ${service.puts.length}`);
		await flow.send('pending', confirmation(), {...work, onStep}).catch(() => {});
		return steps.filter(step => step.startsWith('sending'));
	};
	expect(await told(11_000)).toEqual(['sending 0']);
	expect(await told(61_000)).toEqual([]);
});
