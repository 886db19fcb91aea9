import type {Failure} from '../failure.ts';
import {rulesOn} from '../firewall/create-rule.ts';
import {emergencyCreate} from '../firewall/emergency.ts';
import {createCustomRule} from '../firewall/emergency-custom-rule.ts';
import {filterOfExpression} from '../firewall/filters.ts';
import {hasSettings} from '../firewall/rules.ts';
import {entryPoint} from '../rulesets/calls.ts';
import {customPhase} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {type EmergencyEnding, type EmergencyState, emergencyDraft} from './emergency-state.ts';

/** What became of it; `gone` leads on to the custom rule. */
export type Sent = EmergencyEnding | {readonly state: 'gone'; readonly failure: Failure};

/** Sends what the screen showed, once. Never fails: it says what is there. */
export async function sent(
	client: Client,
	emergency: EmergencyState,
	{signal, onStep}: {readonly signal: AbortSignal; onStep(doing: 'rule' | 'looking'): void},
): Promise<Sent> {
	const {way, zone} = emergency;
	if (way.form === 'custom rule' && way.plan) {
		const done = await createCustomRule(client, zone, way.plan, signal);
		return done.state === 'created' ? {...done, custom: true} : done;
	}
	return emergencyCreate(client, zone, emergencyDraft(emergency), {
		signal,
		onStep: step => onStep(step === 'looking' ? step : 'rule'),
	});
}

/** Reads what is there after it could not be read before. Fails when it cannot be read now either. */
export async function lookedAgain(
	client: Client,
	emergency: EmergencyState,
	ending: Extract<EmergencyEnding, {state: 'unsure'}>,
	signal: AbortSignal,
): Promise<EmergencyEnding> {
	const {way, zone} = emergency;
	const {failure} = ending;
	const draft = emergencyDraft(emergency);
	const {expression} = draft.filter;
	const nothing = (): EmergencyEnding => ({
		state: 'nothing',
		failure: failure.with({
			doubtful: false,
			left: 'Looked again: nothing of it is there.',
			next: 'Send it again.',
		}),
	});
	if (way.form === 'custom rule') {
		const known = new Set(way.plan?.entry?.rules.map(({id}) => id));
		const ruleset = await entryPoint(client, zone.id, customPhase, signal);
		const fresh = ruleset?.rules.filter(
			one =>
				one.expression === expression &&
				one.action === draft.action &&
				!(one.id !== undefined && known.has(one.id)),
		);
		const rule = fresh?.[0];
		return ruleset && rule ? {state: 'created', custom: true, rule, ruleset, afterDoubt: true} : nothing();
	}
	const filter = await filterOfExpression(client, zone.id, expression, signal);
	if (!filter) return nothing();
	const users = await rulesOn(client, zone, filter.id, signal);
	const rule = users.find(one => hasSettings(one, draft));
	if (rule) return {state: 'created', rule, afterDoubt: true};
	return users.length > 0
		? {state: 'duplicate', filterId: filter.id, failure}
		: {state: 'filter left', filter, failure};
}
