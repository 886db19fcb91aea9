import {asFailure, type Failure} from '../../failure.ts';
import {beforeEmergency, emergencyCreate} from '../../firewall/rules/emergency.ts';
import {emergencyFindings} from '../../firewall/rules/emergency-check.ts';
import {
	createCustomRule,
	findCustomRule,
	planCustomRule,
} from '../../firewall/rules/emergency-custom-rule.ts';
import {type EmergencyBefore, findRefusal} from '../../firewall/rules/emergency-draft.ts';
import type {FirewallZone} from '../../firewall/rules/rule.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {customPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {Sending} from '../stepped-form/rule-backend.ts';
import {draftOf, type EmergencyState, type Ending, planOf, rulesIn, sameFilter} from './state.ts';

/** Reads the custom rules of a zone. */
export const readCustomRules = async (client: Client, {id}: FirewallZone, signal: AbortSignal) => ({
	ruleset: await entryPoint(client, id, customPhase, signal),
});

/**
 * Sends what the review shows, once, and returns the current state. Sends nothing if the zone is full. If
 * firewall rules are retired, reads the custom rules for the next review.
 */
export async function sendEmergency(
	client: Client,
	emergency: EmergencyState,
	sending: Sending,
	messages: Has<'messages', 'warn' | 'fail'>['messages'],
): Promise<Ending> {
	const {zone} = emergency;
	const draft = draftOf(emergency);
	const {signal, onStep, onWrite} = sending;
	const plan = planOf(emergency);
	if (plan) {
		onStep('rule');
		return withRefusal(
			await createCustomRule(client, zone, plan, {signal, onWrite, onLook: () => onStep('looking')}),
		);
	}
	let before: EmergencyBefore | undefined;
	try {
		// The lists may be outdated; they are used only if nothing newer can be read in time.
		before = (await beforeEmergency(client, zone, draft, signal)) ?? beforeIn(emergency);
	} catch (error) {
		return showRetired(client, emergency, asFailure(error), sending, messages);
	}
	const full = emergencyFindings(draft, zone, before?.rules).find(({about}) => about === 'quota');
	if (full?.severity === 'error') return {state: 'nothing', failure: full.failure};
	const done = await emergencyCreate(client, zone, draft, {...sending, before});
	if (done.state === 'gone') return showRetired(client, emergency, done.failure, sending, messages);
	if (full && !before && done.state !== 'nothing') messages.warn(full.sentence);
	return withRefusal(done);
}

const withRefusal = <Done extends Parameters<typeof findRefusal>[0]>(done: Done) => ({
	...done,
	failure: findRefusal(done),
});

/** Returns what is known to exist before sending; undefined if the lists are missing or stale. */
function beforeIn(emergency: EmergencyState): EmergencyBefore | undefined {
	const rules = rulesIn(emergency);
	if (!rules || emergency.lists?.reading === 'stale') return undefined;
	const same = sameFilter(emergency);
	return {rules, filter: same?.expression === draftOf(emergency).filter.expression ? same : undefined};
}

/** Reads the custom rules for the next review; an equivalent custom rule ends the emergency. */
async function showRetired(
	client: Client,
	emergency: EmergencyState,
	gone: Failure,
	{signal}: Sending,
	messages: Has<'messages', 'fail'>['messages'],
): Promise<Ending> {
	try {
		const customRules = await readCustomRules(client, emergency.zone, signal);
		const draft = draftOf({...emergency, way: 'custom rule'});
		const found = findCustomRule(planCustomRule(emergency.zone, draft, customRules.ruleset));
		return found ? {...found, failure: gone} : {state: 'gone', failure: gone, customRules};
	} catch (error) {
		messages.fail(asFailure(error));
		return {state: 'gone', failure: gone, customRules: undefined};
	}
}
