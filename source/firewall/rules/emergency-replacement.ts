import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {adviceLines} from '../../text/advice.ts';
import {ruleResumption} from '../continuation.ts';
import {rulePath} from '../paths.ts';
import {confirmWords} from './broad-rule.ts';
import type {CreationOptions, LookAgain} from './creation.ts';
import {deleteRule} from './delete-rule.ts';
import {emergencyCreate, emergencyRequest} from './emergency.ts';
import type {Emergency, EmergencyBefore, EmergencyDraft, EmergencySettled} from './emergency-draft.ts';
import {notReplaceable, settingsOf} from './emergency-ways.ts';
import {orAbsent} from './filters.ts';
import {continueOn} from './next-step.ts';
import type {FirewallZone, Rule, RuleSettings} from './rule.ts';
import {hasSettings, ruleById} from './rules.ts';
import {named} from './users.ts';
import type {WritingRequest} from './writing.ts';

/** The settings and the filter with which a replaced rule is made again; its id is another one then. */
export const madeAgain = (
	rule: Rule,
): {readonly settings: RuleSettings; readonly filter: {readonly id: string}} | undefined => {
	const settings = settingsOf(rule);
	return settings && {settings, filter: {id: rule.filter.id}};
};

/** The command that makes a replaced rule again. */
export const restoration = (zone: FirewallZone, rule: Rule): string | undefined => {
	const again = madeAgain(rule);
	return again && continueOn(zone, again.settings, rule.filter);
};

/** Exactly what `emergencyReplacing` sends, in order. */
export const replacementRequests = (
	zone: FirewallZone,
	draft: EmergencyDraft,
	{id}: Pick<Rule, 'id'>,
): readonly WritingRequest[] => [
	{method: 'DELETE', path: rulePath(zone.id, id)},
	emergencyRequest(zone, draft),
];

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What happens in between, for whoever is asked. */
export const replacementSentence = (rule: Rule): string =>
	`${capitalized(named([rule]))}, which does nothing now, is deleted first, and its filter ${rule.filter.id} is kept; then the block is made. If the second call fails, neither rule exists, and the command that makes the deleted one again is printed.`;

/** Milliseconds that the look at the rule may take. */
const longestRead = 5_000;

/**
 * Deletes a paused rule to make room, keeps its filter, and then makes the emergency rule. Reads the rule right before:
 * nothing is sent if it is no longer as shown, cannot be read, or if the emergency cannot be made anyway. Never rejects.
 */
export async function emergencyReplacing(
	client: Client,
	zone: FirewallZone,
	draft: EmergencyDraft,
	shown: Rule,
	options: CreationOptions & {
		readonly before: EmergencyBefore | undefined;
		onSend?(what: string): void;
	},
): Promise<Emergency> {
	const {before, signal, onStep, onWrite, onSend} = options;
	if (!before) return unread;
	let rule: Rule | undefined;
	try {
		const inTime = AbortSignal.any([signal, AbortSignal.timeout(longestRead)]);
		rule = await orAbsent(() => ruleById(client, zone.id, shown.id, inTime));
	} catch {
		return unread;
	}
	const refused = refusal(zone, shown, rule, before);
	if (refused || !rule) return refused ?? gone(shown);
	onStep?.('rule');
	onSend?.(`delete rule ${rule.id}`);
	const deletion = await deleteRule(
		client,
		zone,
		{rule, filter: {state: 'keep'}},
		{signal, ...(onWrite && {onWrite})},
	);
	if (deletion.state === 'unsure')
		return {
			state: 'unsure',
			failure: deletion.failure.with({
				left: `The block was not sent. ${deletion.failure.details.left ?? ''}`.trim(),
			}),
			// The deletion of a paused rule protects from nothing: whether it was made is seen when it is sent again.
			lookAgain: async () => notSent(deletion.failure),
		};
	if (deletion.state !== 'deleted') return notSent(deletion.failure);
	onSend?.(`emergency rule (${draft.action})`);
	return afterDeletion(zone, rule, await emergencyCreate(client, zone, draft, options));
}

const notSent = (failure: Failure): EmergencySettled => ({
	state: 'nothing',
	failure: failure.with({left: `The block was not sent. ${failure.details.left ?? ''}`.trim()}),
});

const unread: Emergency = {
	state: 'nothing',
	failure: new Failure(
		'unreachable',
		'The rules of the zone could not be read, so nothing can be replaced.',
		{
			left: 'Nothing was sent.',
			next: 'Send it again.',
		},
	),
};

const gone = ({id}: Rule): Emergency => ({
	state: 'nothing',
	failure: new Failure('changed_meanwhile', `Rule ${id} no longer exists.`, {
		left: 'Nothing was sent.',
		next: 'Send the block without replacing a rule: there may be room for it now.',
	}),
});

function refusal(
	zone: FirewallZone,
	shown: Rule,
	now: Rule | undefined,
	{filter}: EmergencyBefore,
): Emergency | undefined {
	if (!now) return gone(shown);
	const why = notReplaceable(now);
	if (why !== undefined || !hasSettings(now, shown))
		return {
			state: 'nothing',
			failure: new Failure('changed_meanwhile', `Rule ${now.id} is no longer as it was shown.`, {
				why,
				left: 'Nothing was sent.',
				next: 'Look at it, and decide again.',
			}),
		};
	if (!filter) return undefined;
	const resumes = filter.id === now.filter.id && now.action === 'block';
	return {
		state: 'duplicate',
		filterId: filter.id,
		failure: new Failure('already_exists', `Filter ${filter.id} has this expression already.`, {
			left: 'Nothing was sent.',
			next: resumes
				? `Resume rule ${now.id} instead: ${ruleResumption(zone, now.id, confirmWords(zone, [{before: now, after: {...now, paused: false}}]))}`
				: 'Make a rule on that filter instead, or another expression.',
		}),
	};
}

/** What became of the block, once the rule before it is gone. */
function afterDeletion(zone: FirewallZone, rule: Rule, done: EmergencySettled): EmergencySettled;
function afterDeletion(zone: FirewallZone, rule: Rule, done: Emergency): Emergency;
function afterDeletion(zone: FirewallZone, rule: Rule, done: Emergency): Emergency {
	if (done.state === 'created') return {...done, replaced: rule};
	const {failure} = done;
	const command = restoration(zone, rule);
	const changed = {
		...done,
		failure: failure.with({
			left: `Rule ${rule.id}, which was paused, is deleted; its filter ${rule.filter.id} is kept. ${failure.details.left ?? ''}`.trim(),
			next: adviceLines(
				failure.details.next,
				command && `To have rule ${rule.id} again, under another id: ${command}`,
			),
		}),
	};
	if (changed.state !== 'unsure') return changed;
	const {lookAgain} = changed;
	const later: LookAgain<EmergencySettled> = async (client, again) =>
		afterDeletion(zone, rule, await lookAgain(client, again));
	return {...changed, lookAgain: later};
}
