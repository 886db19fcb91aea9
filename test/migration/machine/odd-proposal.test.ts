import {expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {configurationOf, execute, skip} from '../support/configurations.ts';
import {edited, proposal} from '../support/fake-zone.ts';
import {confirmation, expectRefused, open, validating, work} from '../support/opened-flow.ts';

const overriding = (overrides: JsonObject) => execute('efb7b8c949ac4650a09736fc376e9aee', overrides);

const odd: readonly (readonly [string, ConfiguredRule])[] = [
	['a field that ledge does not know', skip('cf.some.new.field eq 1')],
	['an action of its own', overriding({rules: [{id: 'a1', action: 'default'}]})],
	['null', overriding({action: null, rules: [{id: 'a1', enabled: null}]})],
	['a threshold of 0', overriding({rules: [{id: 'a1', score_threshold: 0}]})],
];

test.each(odd)("the service's proposal can be sent unchanged: %s", async (_what, rule) => {
	const {service, flow} = open();
	const own = configurationOf(rule, ...proposal.rules);
	service.truth.proposal = own;
	await flow.observe(work);
	await flow.review(own, {proposed: computeFingerprint(own), entryPoint: undefined}, 'pending');
	await flow.send('pending', confirmation(), work);
	expect(service.puts).toHaveLength(1);
});

test.each(odd)('a rule neither proposed nor active is not sent: %s', async (_what, rule) => {
	const {service, flow} = open();
	await flow.observe(work);
	const basis = {proposed: computeFingerprint(proposal), entryPoint: undefined};
	await flow.review(configurationOf(rule, ...proposal.rules), basis, 'pending');
	await expectRefused(service, flow.send('pending', confirmation(), work), 'input_malformed');
});

test('a rule that is proposed but not active is not trusted in validation', async () => {
	const opened = open();
	const {service, flow} = opened;
	await validating(opened);
	const [, rule] = odd[0] ?? [];
	if (!rule) throw new Error('There is none.');
	service.truth.proposal = configurationOf(rule, ...proposal.rules);
	const {seen} = flow.record;
	await flow.review(
		configurationOf(rule, ...edited.rules),
		{proposed: undefined, entryPoint: seen?.entryPoint},
		'pending',
	);
	await flow.markReady();
	await expectRefused(service, flow.send('pending', confirmation(), work), 'input_malformed');
});
