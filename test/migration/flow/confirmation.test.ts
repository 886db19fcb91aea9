import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {edited, foreign, proposal, shown} from '../support/fake-zone.ts';
import {confirmation, expectRefused, open, reviewed, validating, work} from '../support/opened-flow.ts';

describe('what a person has to have said before a PUT', () => {
	test.each(['', 'acme.exampl', 'Acme.Example', 'other.example'])('"%s" does not confirm it', async typed => {
		const {service, flow} = open();
		await reviewed(flow);
		await expectRefused(service, flow.send('pending', {zone: typed}, work), 'unconfirmed');
		expect(flow.record.state).toBe('reviewed');
	});

	test('a confirmation that was used confirms nothing more', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const once = confirmation();
		service.truth.onCall = ({isPut}) => (isPut ? '400' : undefined);
		await failureOf(flow.send('pending', once, work));
		expect(flow.record.state).toBe('reviewed');
		await expectRefused(service, flow.send('pending', once, work), 'unconfirmed');
	});

	test('a confirmation serves for one sending only, though nothing went out', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const once = confirmation();
		service.truth.proposal = foreign;
		await expectRefused(service, flow.send('pending', once, work), 'changed_meanwhile');
		service.truth.proposal = proposal;
		await expectRefused(service, flow.send('pending', once, work), 'unconfirmed');
	});

	test('one confirmation given to two sendings at once sends one', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const once = confirmation();
		await Promise.allSettled([flow.send('pending', once, work), flow.send('pending', once, work)]);
		expect(service.puts).toHaveLength(1);
	});

	test('nothing reviewed, nothing sent', async () => {
		const {service, flow} = open();
		await flow.observe(work);
		await expectRefused(service, flow.send('pending', confirmation(), work), 'unreviewed');
	});

	test('an edit after the review has to be reviewed', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.discardReview();
		await expectRefused(service, flow.send('pending', confirmation(), work), 'unreviewed');
	});

	test('what was not shown at the review stops it, though ledge has seen it since', async () => {
		const {service, flow} = open();
		await flow.observe(work);
		const basis = shown(flow);
		service.save(foreign, 'start');
		await flow.observe(work);
		await flow.review(edited, basis, 'pending');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
		await flow.review(edited, shown(flow), 'pending');
		await flow.send('pending', confirmation(), work);
		expect(service.puts).toHaveLength(1);
	});

	test('rules in validation that were not shown at the review stop its end', async () => {
		const {service, flow} = open();
		service.save(proposal, 'validation');
		await flow.observe(work);
		const basis = shown(flow);
		service.save(foreign, 'validation');
		await flow.observe(work);
		expect(flow.record.state).toBe('validating unreviewed');
		await flow.review(edited, basis, 'pending');
		await flow.markReady();
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
	});

	test('a proposal that was not the one shown stops it', async () => {
		const {service, flow} = open();
		await flow.observe(work);
		await flow.review(edited, {...shown(flow), proposed: computeFingerprint(foreign)}, 'pending');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
	});

	test('a name that the zone has not by itself stops it: no fingerprint and no plan shows it', async () => {
		const {service, flow} = open();
		await flow.observe(work);
		await flow.review({...edited, name: 'something else'}, shown(flow), 'pending');
		const failure = await expectRefused(
			service,
			flow.send('pending', confirmation(), work),
			'input_malformed',
		);
		expect(failure.next).toContain('"name": "default"');
	});

	test('a read-only ledge sends nothing, and says so before it reads', async () => {
		const {service, flow} = open({readOnly: true});
		await reviewed(flow);
		const calls = service.calls();
		await expectRefused(service, flow.send('pending', confirmation(), work), 'read_only');
		expect(service.calls()).toBe(calls);
	});

	test('a configuration that deploys nothing wants a further word', async () => {
		const {service, flow} = open();
		const off = {...edited, rules: edited.rules.map(rule => ({...rule, enabled: false}))};
		await flow.observe(work);
		await flow.review(off, shown(flow), 'pending');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'unconfirmed');
		await flow.send('pending', {...confirmation(), withoutRulesets: true}, work);
		expect(service.puts).toHaveLength(1);
	});

	test('deploying from validation wants "Ready to update"', async () => {
		const opened = open();
		await validating(opened);
		await expectRefused(opened.service, opened.flow.send('pending', confirmation(), work), 'usage');
	});

	test('a complete migration sends nothing more', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.send('pending', confirmation(), work);
		await flow.watch(work);
		for (const mode of ['pending', 'validation'] as const)
			await expectRefused(service, flow.send(mode, confirmation(), work), 'already_migrated');
	});
});
