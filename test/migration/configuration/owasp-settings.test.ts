import {expect, test} from 'vitest';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {readOwaspSettings} from '../../../source/migration/configuration/rule-overrides.ts';
import {verifyDeployment} from '../../../source/migration/flow/verification.ts';
import {buildOwaspPlanRows} from '../../../source/migration/plan/owasp.ts';
import {parsePreviousRules} from '../../../source/migration/zone/previous-rules.ts';
import {buildEditRows} from '../../../source/screens/managed-edit/edit-rows.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {never} from '../../service/scripted-transport.ts';
import {configurationOf, execute} from '../support/configurations.ts';
import {createFakeZone, zone} from '../support/fake-zone.ts';

const level = (number: number, enabled?: boolean) => ({
	category: `paranoia-level-${number}`,
	...(enabled === undefined ? {action: 'log'} : {enabled}),
});
const score = (score_threshold: number) => ({id: thresholdRuleId, score_threshold});

test.each<readonly [string, JsonObject, number | undefined, number | undefined]>([
	['nothing is said', {}, undefined, undefined],
	['the levels above are off', {categories: [level(3, false), level(4, false)], rules: [score(40)]}, 2, 40],
	['the highest is on', {categories: [level(4, true)]}, 4, undefined],
	['a level has only an action', {categories: [level(3)]}, undefined, undefined],
	['all are off', {categories: [1, 2, 3, 4].map(one => level(one, false))}, 1, undefined],
	['a level is said twice', {categories: [level(4, false), level(4, true)]}, 4, undefined],
	['the threshold is said twice', {rules: [score(25), score(40)]}, undefined, 40],
])('plan, edits and verification read the same when %s', async (_what, overrides, paranoia, threshold) => {
	expect(readOwaspSettings(overrides)).toMatchObject({level: paranoia, threshold});
	const configuration = configurationOf(execute(managedRulesets.owasp.id, overrides));

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
	const {managedRulesets: found} = await verifyDeployment(
		service.client,
		zone,
		{state: 'complete'},
		undefined,
		never,
	);
	const owasp = found.find(({id}) => id === managedRulesets.owasp.id);
	expect([owasp?.level, owasp?.threshold]).toEqual([paranoia, threshold]);
});
