import {describe, expect, test} from 'vitest';
import {describeZoneChange} from '../../../source/migration/machine/observation.ts';
import {edited, foreign, shown} from '../support/fake-zone.ts';
import {confirmation, expectRefused, open, reviewed, work} from '../support/opened-flow.ts';

/** A PUT counted as never arrived, then another configuration was reviewed; now there is this. */
async function moved(there: typeof edited) {
	const opened = open();
	const {service, flow} = opened;
	await reviewed(flow, 'validation');
	service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
	await flow.send('validation', confirmation(), work);
	expect(flow.record.put?.came).toBe('given up');
	await flow.review(foreign, shown(flow), 'validation');
	service.save(there, 'validation');
	await flow.observe(work);
	expect(flow.record.state).toBe('moved on');
	return opened;
}

describe('a zone that has moved on', () => {
	test('is explained by a PUT of ledge that counted as never arrived', async () => {
		const {service, flow} = await moved(edited);
		expect(describeZoneChange('acme.example', flow.record)).toContain('What ledge sent to acme.example');
		const failure = await expectRefused(
			service,
			flow.send('validation', confirmation(), work),
			'changed_meanwhile',
		);
		expect(failure.details.why).toContain('took effect after all');
		expect(service.puts).toHaveLength(0);
	});

	test('is reported as changed by someone else if its rules differ from those sent', async () => {
		const {flow} = await moved({
			...edited,
			rules: edited.rules.map(rule => ({...rule, description: 'other'})),
		});
		expect(describeZoneChange('acme.example', flow.record)).toBe('acme.example was changed elsewhere');
	});
});
