import {expect, test} from 'vitest';
import * as clientFirewall from '../../source/firewall/limits.ts';
import * as clientRules from '../../source/firewall/rules/rule.ts';
import {limits as clientKv} from '../../source/kv/limits.ts';
import * as clientListKinds from '../../source/lists/account-lists.ts';
import * as clientListAddresses from '../../source/lists/addresses.ts';
import * as clientLists from '../../source/lists/change.ts';
import * as clientManaged from '../../source/migration/configuration/mapping.ts';
import * as clientPhases from '../../source/rulesets/ruleset.ts';
import * as clientPlans from '../../source/service/plan.ts';
import * as plans from '../../source/simulator/accounts/plan.ts';
import * as firewall from '../../source/simulator/firewall/limits.ts';
import * as ruleValues from '../../source/simulator/firewall/rule-values.ts';
import {kvServiceLimits as kv} from '../../source/simulator/kv/limits.ts';
import * as listLimits from '../../source/simulator/lists/limits.ts';
import * as storedLists from '../../source/simulator/lists/stored-lists.ts';
import * as phases from '../../source/simulator/rulesets/phase-names.ts';
import * as requestedRules from '../../source/simulator/rulesets/requested-rule.ts';
import * as managed from '../../source/simulator/waf/managed-ids.ts';

const pickConstants = (moduleExports: object) =>
	Object.fromEntries(Object.entries(moduleExports).filter(([, value]) => typeof value !== 'function'));

test('the simulator and the client know the same limits of the key-value store', () => {
	expect(Object.keys(pickConstants(kv)).length).toBeGreaterThan(1);
	expect(clientKv).toMatchObject(pickConstants(kv));
});

test.each<readonly [name: string, simulated: unknown, client: unknown]>([
	['plans', plans.plans, clientPlans.zonePlans],
	['names of plans', plans.planNames, clientPlans.zonePlanNames],
	['description length', firewall.maxDescriptionLength, clientFirewall.maxDescriptionCharacters],
	[
		'description length of custom rules',
		requestedRules.maxRuleDescriptionBytes,
		clientFirewall.customDescriptionBytes.rule,
	],
	['ref length', firewall.maxRefLength, clientFirewall.maxRefCharacters],
	['rules of each plan', firewall.ruleQuotaByPlan, clientFirewall.maxRulesByPlan],
	['rules in one call', firewall.maxUpdatedRules, clientFirewall.maxRulesPerCall],
	['actions', ruleValues.acceptedActions, clientRules.ruleActionNames],
	['products', ruleValues.acceptedProducts, clientRules.bypassableProducts],
	['managed rulesets', managed.newManagedRulesets, clientManaged.managedRulesets],
	['threshold rule', managed.owaspThresholdRuleId, clientManaged.thresholdRuleId],
	['actions of overrides', managed.newOverrideActions, clientManaged.overrideActions],
	['kinds of lists', storedLists.listItemKinds, clientListKinds.listKinds],
	['length of list names', listLimits.maxListNameLength, clientLists.maxListNameCharacters],
	['networks in lists', listLimits.listNetworkBits, clientListAddresses.listPrefixBits],
	['phase of custom rules', phases.customRulesPhase, clientPhases.customPhase],
	['phase of managed rules', phases.managedRulesPhase, clientPhases.managedPhase],
	['phase of rate limits', phases.rateLimitRulesPhase, clientPhases.rateLimitPhase],
])('the simulator and the client agree on the %s', (_, simulated, client) => {
	expect(simulated).toBeDefined();
	expect(client).toEqual(simulated);
});
