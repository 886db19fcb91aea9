import {describe, expect, test} from 'vitest';
import {compareConfigurations} from '../../../source/migration/configuration/difference.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {edited, foreign, proposal} from '../support/fake-zone.ts';
import {confirmation, expectRefused, open, reviewed, work} from '../support/opened-flow.ts';

/** A zone that someone put into validation with rules of their own, after it was reviewed here. */
async function movedOn() {
	const opened = open();
	await reviewed(opened.flow);
	opened.service.save(foreign, 'validation');
	await opened.flow.observe(work);
	expect(opened.flow.record.state).toBe('moved on');
	return opened;
}

describe('a zone changed by someone else', () => {
	test('is compared with the reviewed configuration', async () => {
		const {flow} = await movedOn();
		const {differences} = await flow.readDrift(work);
		expect(differences).toEqual(compareConfigurations(edited, foreign));
		expect(differences?.length).toBeGreaterThan(0);
	});

	test('is also compared with the configuration sent', async () => {
		const {service, flow} = open();
		await reviewed(flow, 'validation');
		await flow.send('validation', confirmation(), work);
		await flow.watch(work);
		service.save(foreign, 'validation');
		await flow.observe(work);
		expect(flow.record.state).toBe('moved on');
		expect((await flow.readDrift(work)).differences).toEqual(compareConfigurations(edited, foreign));
	});

	test('has no comparison if nothing was reviewed here', async () => {
		const {service, flow} = open();
		service.save(foreign, 'validation');
		await flow.observe(work);
		expect((await flow.readDrift(work)).differences).toBeUndefined();
	});

	test('that changes again before any call of the take-over is never updated unseen', async () => {
		const count = async (at: number | undefined) => {
			const {service, flow} = await movedOn();
			const shown = await flow.readDrift(work);
			const first = service.calls();
			service.truth.onCall = ({number}) => {
				if (number - first === at) service.save(proposal, 'validation');
				return undefined;
			};
			const failure = await failureOf(flow.takeOver(work, shown)).catch(() => undefined);
			return {service, flow, failure, calls: service.calls() - first};
		};
		const {calls, flow: taken} = await count(undefined);
		expect(taken.record).toMatchObject({state: 'validating unreviewed', reviewed: undefined});
		const refused: number[] = [];
		for (let at = 1; at <= calls; at++) {
			const {service, flow, failure} = await count(at);
			expect(service.puts).toEqual([]);
			if (failure) {
				refused.push(at);
				expect(failure).toMatchObject({code: 'changed_meanwhile'});
				expect(flow.record).toMatchObject({state: 'moved on', reviewed: {rules: edited.rules.length}});
				// Shown again, it can be taken over.
				await flow.takeOver(work, await flow.readDrift(work));
			}
			expect(flow.record).toMatchObject({state: 'validating unreviewed', reviewed: undefined});
			await expectRefused(service, flow.send('pending', confirmation(), work), 'unreviewed');
		}
		expect(refused.length).toBeGreaterThan(0);
	});
});
