import {expect, test} from 'vitest';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {readOwaspSettings} from '../../../source/migration/configuration/rule-overrides.ts';
import {verifyDeployment} from '../../../source/migration/flow/verification.ts';
import {buildOwaspPlanRows} from '../../../source/migration/plan/owasp.ts';
import {parsePreviousRules} from '../../../source/migration/zone/previous-rules.ts';
import {buildEditRows} from '../../../source/screens/managed-edit/edit-rows.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {configurationOf, createExecuteRule} from '../support/configurations.ts';
import {createFakeZone, zone} from '../support/fake-zone.ts';

const createLevelOverride = (number: number, enabled?: boolean) => ({
	category: `paranoia-level-${number}`,
	...(enabled === undefined ? {action: 'log'} : {enabled}),
});
const createThresholdOverride = (score_threshold: number) => ({id: thresholdRuleId, score_threshold});

test.each<readonly [string, JsonObject, number | undefined, number | undefined]>([
	['nothing is overridden', {}, undefined, undefined],
	[
		'the levels above are off',
		{
			categories: [createLevelOverride(3, false), createLevelOverride(4, false)],
			rules: [createThresholdOverride(40)],
		},
		2,
		40,
	],
	['the highest is on', {categories: [createLevelOverride(4, true)]}, 4, undefined],
	['a level has only an action', {categories: [createLevelOverride(3)]}, undefined, undefined],
	['all are off', {categories: [1, 2, 3, 4].map(one => createLevelOverride(one, false))}, 1, undefined],
	[
		'a level is set twice',
		{categories: [createLevelOverride(4, false), createLevelOverride(4, true)]},
		4,
		undefined,
	],
	[
		'the threshold is set twice',
		{rules: [createThresholdOverride(25), createThresholdOverride(40)]},
		undefined,
		40,
	],
])('plan, edits and verification read the same when %s', async (_what, overrides, paranoia, threshold) => {
	expect(readOwaspSettings(overrides)).toMatchObject({level: paranoia, threshold});
	const configuration = configurationOf(createExecuteRule(managedRulesets.owasp.id, overrides));

	const rows = buildEditRows(configuration);
	expect(rows.find(({kind}) => kind === 'paranoia')).toMatchObject({level: paranoia});
	expect(rows.find(({kind}) => kind === 'threshold')).toMatchObject({threshold});

	const previous = parsePreviousRules({
		waf: null,
		packages: [],
		overrides: [],
		firewallRules: [],
		pageRules: [],
	});
	const [row] = buildOwaspPlanRows(previous, configuration);
	expect(row?.after).toContain(paranoia === undefined ? 'default level' : `PL${paranoia} ·`);
	expect(row?.after).toContain(threshold === undefined ? 'default threshold' : `${threshold} or`);

	const service = createFakeZone();
	service.save(configuration, 'complete');
	const {managedRulesets: deployedRulesets} = await verifyDeployment(
		service.client,
		zone,
		{state: 'complete'},
		undefined,
		neverAbortedSignal,
	);
	const owasp = deployedRulesets.find(({id}) => id === managedRulesets.owasp.id);
	expect([owasp?.level, owasp?.threshold]).toEqual([paranoia, threshold]);
});
