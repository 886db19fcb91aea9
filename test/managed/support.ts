import {type ManagedRulesState, type ManagedZone, readManagedState} from '../../source/managed/state.ts';
import {readRulesetEntryPoint, sendEdit} from '../../source/rulesets/calls.ts';
import type {RulesetEdit} from '../../source/rulesets/edit.ts';
import {managedPhase, type Ruleset} from '../../source/rulesets/ruleset.ts';
import {openZone, type TestZone} from '../firewall/support/zone.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';

/** Sample zones by the stage of their migration. */
export const sampleZonesByStage = {
	previous: {id: 'd0e032749968114a09730950255c7c0f', name: 'acme.example', plan: 'enterprise'},
	validation: {id: 'c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52', name: 'check.acme.example', plan: 'enterprise'},
	pending: {id: '5d2f8e1c4a7b4d3f9e6c0a1b2c3d4e63', name: 'turning.acme.example', plan: 'business'},
	complete: {id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74', name: 'done.acme.example', plan: 'pro'},
} as const;

/** The ids of the rules that are active in the migrated zone. */
export const activePlatformRuleId = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f01';
export const activeOwaspRuleId = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f02';

export type ManagedTest = {
	readonly testZone: TestZone;
	readonly zone: ManagedZone;
	read(): Promise<ManagedRulesState>;
	/** Reads the entry point that the service has now, without faults and unrecorded. */
	readEntryPoint(): Promise<Ruleset | undefined>;
	/** Sends an edit as someone else, unrecorded. */
	editAsSomeoneElse(edit: RulesetEdit): Promise<Ruleset>;
};

/** Opens a sample zone of a simulated service of its own. */
export async function openManagedZone(
	stage: keyof typeof sampleZonesByStage = 'complete',
): Promise<ManagedTest> {
	const testZone = await openZone('pro', {}, {samples: true});
	const {id, name, plan} = sampleZonesByStage[stage];
	const zone = {id, name, plan, label: `zone ${name}`};
	const readEntryPoint = () => readRulesetEntryPoint(testZone.direct, id, managedPhase, neverAbortedSignal);
	return {
		testZone,
		zone,
		read: () => readManagedState(testZone.client, zone, neverAbortedSignal),
		readEntryPoint,
		editAsSomeoneElse: async edit =>
			sendEdit(testZone.direct, id, managedPhase, await readEntryPoint(), edit, neverAbortedSignal),
	};
}
