import {expect, test} from 'vitest';
import * as clientFirewall from '../../source/firewall/limits.ts';
import * as clientRules from '../../source/firewall/rules/rule.ts';
import {limits as clientKv} from '../../source/kv/limits.ts';
import * as clientManaged from '../../source/migration/configuration/mapping.ts';
import * as clientPhases from '../../source/rulesets/ruleset.ts';
import * as clientPlans from '../../source/service/plan.ts';
import * as plans from '../../source/simulator/accounts/plan.ts';
import * as firewall from '../../source/simulator/firewall/limits.ts';
import * as ruleValues from '../../source/simulator/firewall/rule-values.ts';
import {limits as kv} from '../../source/simulator/kv/limits.ts';
import * as phases from '../../source/simulator/rulesets/phase-names.ts';
import * as managed from '../../source/simulator/waf/managed-ids.ts';

const constants = (all: object) =>
	Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value !== 'function'));

test.each([
	['plans', plans, clientPlans],
	['limits of the key-value store', kv, clientKv],
	['limits of firewall rules', firewall, clientFirewall],
	['actions and products', ruleValues, clientRules],
	['managed rules', managed, clientManaged],
	['phases', phases, clientPhases],
])('the simulator and the client know the same %s', (_, simulated, client) => {
	expect(Object.keys(constants(simulated)).length).toBeGreaterThan(1);
	expect(client).toMatchObject(constants(simulated));
});
