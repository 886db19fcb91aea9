import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {edited, foreign, shown} from '../support/fake-zone.ts';
import {confirmation, expectRefused, open, validating, work} from '../support/opened-flow.ts';

describe('in validation', () => {
	test('an edited configuration is validated again, and is then the one in validation', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		await flow.discardReview();
		await flow.review(foreign, shown(flow), 'validation');
		await flow.send('validation', confirmation(), work);
		await flow.watch(work);
		expect(flow.record.state).toBe('validating');
		expect(flow.record.seen?.entryPoint?.fingerprint).toBe(computeFingerprint(foreign));
		expect(service.puts.map(({mode}) => mode)).toEqual(['validation', 'validation']);
	});

	test('an edited configuration whose PUT never arrived leaves the earlier one in validation', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		await flow.review(foreign, shown(flow), 'validation');
		service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
		await flow.send('validation', confirmation(), work);
		expect(flow.record).toMatchObject({state: 'validating', put: {came: 'given up'}});
		expect(flow.record.seen?.entryPoint?.fingerprint).toBe(computeFingerprint(edited));
	});

	test('rules changed in the dashboard by someone else are noticed, and nothing is sent', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		await flow.markReady();
		service.save(foreign, 'validation');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
		expect(flow.record.state).toBe('moved on');
	});

	test('an end of validation made in the dashboard is noticed', async () => {
		const opened = open();
		await validating(opened);
		opened.service.truth.stage = 'complete';
		await opened.flow.observe(work);
		expect(opened.flow.record.state).toBe('moved on');
		await opened.flow.takeOver(work, await opened.flow.readDrift(work));
		expect(opened.flow.record.state).toBe('complete');
	});
});
