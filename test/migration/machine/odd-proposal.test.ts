import {expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {configurationOf, createExecuteRule, createSkipRule} from '../support/configurations.ts';
import {editedProposal, proposal} from '../support/fake-zone.ts';
import {
	createConfirmation,
	expectRefused,
	openTestFlow,
	startValidation,
	work,
} from '../support/opened-flow.ts';

const createOverridingRule = (overrides: JsonObject) =>
	createExecuteRule('efb7b8c949ac4650a09736fc376e9aee', overrides);

const oddRules: readonly (readonly [string, ConfiguredRule])[] = [
	['a field that ledge does not know', createSkipRule('cf.some.new.field eq 1')],
	['an action of its own', createOverridingRule({rules: [{id: 'a1', action: 'default'}]})],
	['null', createOverridingRule({action: null, rules: [{id: 'a1', enabled: null}]})],
	['a threshold of 0', createOverridingRule({rules: [{id: 'a1', score_threshold: 0}]})],
];

test.each(oddRules)("the service's proposal can be sent unchanged: %s", async (_what, rule) => {
	const {service, flow} = openTestFlow();
	const oddProposal = configurationOf(rule, ...proposal.rules);
	service.truth.proposal = oddProposal;
	await flow.observe(work);
	await flow.review(
		oddProposal,
		{proposed: computeFingerprint(oddProposal), entryPoint: undefined},
		'pending',
	);
	await flow.send('pending', createConfirmation(), work);
	expect(service.puts).toHaveLength(1);
});

/** Refused unless it was proposed or is active; a field that ledge does not know is only a warning. */
const refusedRules = oddRules.slice(1);

test.each(refusedRules)('a rule neither proposed nor active is not sent: %s', async (_what, rule) => {
	const {service, flow} = openTestFlow();
	await flow.observe(work);
	const basis = {proposed: computeFingerprint(proposal), entryPoint: undefined};
	await flow.review(configurationOf(rule, ...proposal.rules), basis, 'pending');
	await expectRefused(service, flow.send('pending', createConfirmation(), work), 'input_malformed');
});

test('a rule that is proposed but not active is not trusted in validation', async () => {
	const opened = openTestFlow();
	const {service, flow} = opened;
	await startValidation(opened);
	const [, rule] = refusedRules[0] ?? [];
	if (!rule) throw new Error('There is none.');
	service.truth.proposal = configurationOf(rule, ...proposal.rules);
	const {seen} = flow.record;
	await flow.review(
		configurationOf(rule, ...editedProposal.rules),
		{proposed: undefined, entryPoint: seen?.entryPoint},
		'pending',
	);
	await flow.markReady();
	await expectRefused(service, flow.send('pending', createConfirmation(), work), 'input_malformed');
});
