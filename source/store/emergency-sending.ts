import type {Failure} from '../failure.ts';
import {continuation} from '../firewall/continuation.ts';
import {rulesOn} from '../firewall/create-rule.ts';
import {lookedAfterwards} from '../firewall/doubt.ts';
import {emergencyCreate} from '../firewall/emergency.ts';
import {createCustomRule} from '../firewall/emergency-custom-rule.ts';
import {filterOfExpression} from '../firewall/filters.ts';
import {hasSettings} from '../firewall/rules.ts';
import {named} from '../firewall/users.ts';
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
	{
		signal,
		onStep,
		onWrite,
	}: {
		readonly signal: AbortSignal;
		onStep(doing: 'rule' | 'looking'): void;
		/** A write that took effect, for the audit log. */
		onWrite(done: string): void;
	},
): Promise<Sent> {
	const {way, zone} = emergency;
	if (way.form === 'custom rule' && way.plan) {
		const done = await createCustomRule(client, zone, way.plan, signal);
		if (done.state !== 'created') return done;
		const {already, afterDoubt, rule} = done;
		const found = afterDoubt ? ' (the answer was lost; found there)' : '';
		if (!already) onWrite(`create custom rule ${rule.id ?? '(of unknown id)'}${found}`);
		return {...done, custom: true};
	}
	return emergencyCreate(client, zone, emergencyDraft(emergency), {
		signal,
		onStep: step => onStep(step === 'looking' ? step : 'rule'),
		onWrite,
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
			left: lookedAfterwards(failure, 'nothing of it is there.'),
			next: 'Send it again: where it is there after all, no second one is made.',
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
	const rule = filter.paused ? undefined : users.find(one => hasSettings(one, draft));
	if (rule) return {state: 'created', rule, afterDoubt: true};
	const seen = (left: string) =>
		failure.with({
			doubtful: false,
			left,
			next: `Make the rule on it: ${continuation(zone, draft, filter.id)}`,
		});
	const there = `Filter ${filter.id} has this expression${filter.paused ? ', but is paused' : ''}`;
	return users.length > 0 || filter.paused
		? {
				state: 'duplicate',
				filterId: filter.id,
				failure: seen(`${there}${users.length > 0 ? `, with ${named(users)}` : ''}.`),
			}
		: {
				state: 'filter left',
				filter,
				failure: seen(lookedAfterwards(failure, `filter ${filter.id} is there, and no rule on it.`)),
			};
}
