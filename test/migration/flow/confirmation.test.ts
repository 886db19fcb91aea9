import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {edited, foreign, proposal, shown} from '../support/fake-zone.ts';
import {confirmation, expectRefused, open, reviewed, validating, work} from '../support/opened-flow.ts';

describe('confirmations required before a PUT', () => {
	test.each(['', 'acme.exampl', 'Acme.Example', 'other.example'])('"%s" does not confirm it', async typed => {
		const {service, flow} = open();
		await reviewed(flow);
		await expectRefused(service, flow.send('pending', {zone: typed}, work), 'unconfirmed');
		expect(flow.record.state).toBe('reviewed');
	});

	test('a used confirmation confirms nothing more', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const once = confirmation();
		service.truth.onCall = ({isPut}) => (isPut ? '400' : undefined);
		await failureOf(flow.send('pending', once, work));
		expect(flow.record.state).toBe('reviewed');
		await expectRefused(service, flow.send('pending', once, work), 'unconfirmed');
	});

	test('a confirmation is valid for one attempt only, even if nothing was sent', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const once = confirmation();
		service.truth.proposal = foreign;
		await expectRefused(service, flow.send('pending', once, work), 'changed_meanwhile');
		service.truth.proposal = proposal;
		await expectRefused(service, flow.send('pending', once, work), 'unconfirmed');
	});

	test('one confirmation given to two simultaneous attempts sends one PUT', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const once = confirmation();
		await Promise.allSettled([flow.send('pending', once, work), flow.send('pending', once, work)]);
		expect(service.puts).toHaveLength(1);
	});

	test('nothing is sent without a review', async () => {
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

	test('a change not shown at the review stops the PUT, even if ledge has seen it since', async () => {
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

	test('rules in validation that were not shown at the review stop the end of validation', async () => {
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

	test('a proposal other than the one shown stops the PUT', async () => {
		const {service, flow} = open();
		await flow.observe(work);
		await flow.review(edited, {...shown(flow), proposed: computeFingerprint(foreign)}, 'pending');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
	});

	test("a configuration name different from the zone's own stops the PUT, since neither fingerprint nor plan shows it", async () => {
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

	test('a read-only ledge sends nothing, and says so before reading', async () => {
		const {service, flow} = open({readOnly: true});
		await reviewed(flow);
		const calls = service.calls();
		await expectRefused(service, flow.send('pending', confirmation(), work), 'read_only');
		expect(service.calls()).toBe(calls);
	});

	test('a configuration that deploys nothing needs an additional confirmation', async () => {
		const {service, flow} = open();
		const off = {...edited, rules: edited.rules.map(rule => ({...rule, enabled: false}))};
		await flow.observe(work);
		await flow.review(off, shown(flow), 'pending');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'unconfirmed');
		await flow.send('pending', {...confirmation(), withoutRulesets: true}, work);
		expect(service.puts).toHaveLength(1);
	});

	test('deploying from validation requires "Ready to update"', async () => {
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
