import {asFailure, Failure} from '../../failure.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {changeAnyway, type RulesetChange, type RulesetOutcome} from '../../rulesets/change.ts';
import {saysTheSame} from '../../rulesets/difference.ts';
import {editRequest, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {carryOut, type Outcome, settle} from '../../service/settle.ts';
import {rulesCommand} from '../continuation.ts';
import {addressSet, expressionLength, sizeOf, withAddresses} from '../expression/expressions.ts';
import {filterChanging} from './changes.ts';
import type {CreationOptions, LookAgain} from './creation.ts';
import {type EarlierRule, findEarlierCustomRules, findEarlierRules} from './earlier-rules.ts';
import {addressesAddition} from './emergency-command.ts';
import type {EmergencyDraft} from './emergency-draft.ts';
import type {Filter} from './filter.ts';
import {filterById, filterUpdate, isAs} from './filters.ts';
import {type FirewallZone, isInForce, type Rule} from './rule.ts';
import {rules} from './rules.ts';
import {named, usersOf} from './users.ts';
import type {WritingRequest} from './writing.ts';

/** Addresses as they will be added to an existing block rule, with one request. */
export type Extension = {
	/** The id of the rule. */
	readonly id: string;
	readonly description?: string | undefined;
	readonly before: string;
	readonly expression: string;
	readonly added: readonly string[];
	/** Addresses that the rule blocks already. */
	readonly covered: readonly string[];
	readonly request: WritingRequest;
	/** The command that does the same, with its look at the current state. */
	readonly command: string;
} & (
	| {readonly form: 'firewall rule'; readonly rule: Rule; readonly filter: Filter}
	| {readonly form: 'custom rule'; readonly rule: RulesetRule; readonly entry: Ruleset}
);

/** Whether the addresses of an emergency can be added to a rule. */
export type Extending =
	| {readonly state: 'fits'; readonly extension: Extension}
	/** The rule has all of them already. `earlier` rules run before it and let some of them through. */
	| {
			readonly state: 'blocked already';
			readonly id: string;
			readonly addresses: readonly string[];
			readonly earlier: readonly EarlierRule[];
	  }
	| {readonly state: 'unfit'; readonly sentence: string};

/** What has become of an extension; each has the current state. */
export type Extended =
	| {
			readonly state: 'extended';
			readonly extension: Extension;
			/** Found by reading the state after the answer was lost. */
			readonly afterDoubt?: true;
			/** Rules that run before the rule, and let some of the addresses through. */
			readonly earlier: readonly EarlierRule[];
	  }
	/** The rule is as it was. */
	| {readonly state: 'nothing'; readonly failure: Failure}
	/** The answer was lost, and the state could not be read or may still change. */
	| {readonly state: 'unsure'; readonly failure: Failure; readonly lookAgain: LookAgain<Extended>};

/** Why nothing of an emergency can be added to a rule; `undefined` where it consists of addresses alone. */
export function notAddable({filter, action, ...settings}: EmergencyDraft): string | undefined {
	if (!addressSet(filter.expression))
		return 'Only addresses, networks and ranges can be added to a rule: its expression would match more else.';
	if (action !== 'block') return `Addresses can be added to block rules only; the action is ${action}.`;
	const given = (['priority', 'description', 'ref', 'products', 'paused'] as const).find(
		name => settings[name] !== undefined && settings[name] !== null && settings[name] !== false,
	);
	return given && `The rule that the addresses are added to stays as it is: ${given} cannot be set.`;
}

/** Whether the addresses can be added to this firewall rule: by its filter, which no other rule may use. */
export function extendingFirewallRule(
	draft: EmergencyDraft,
	zone: FirewallZone,
	rule: Rule,
	all: readonly Rule[],
): Extending {
	const {filter} = rule;
	const name = `Rule ${rule.id}`;
	if ('deleted' in filter) return unfit(`The filter of rule ${rule.id} is deleted.`);
	const others = usersOf(filter.id, all).filter(({id}) => id !== rule.id);
	const seen = assessExtension(draft, name, {
		action: rule.action,
		isInForce: isInForce(rule),
		expression: filter.expression,
		shared:
			others.length > 0
				? `Filter ${filter.id} of rule ${rule.id} is also used by ${named(others)}, which would match these addresses, too.`
				: undefined,
	});
	const {expression} = draft.filter;
	if ('state' in seen)
		return seen.state === 'unfit'
			? seen
			: {...seen, id: rule.id, earlier: findEarlierRules(rule, expression, all)};
	const extension: Extension = {
		...seen,
		form: 'firewall rule',
		id: rule.id,
		description: rule.description,
		rule,
		filter,
		request: filterUpdate(zone.id, {...filter, expression: seen.expression}),
		command: addressesAddition(zone, draft, rule.id, 'firewall rule'),
	};
	return {state: 'fits', extension};
}

/** Whether the addresses can be added to this custom rule. */
export function extendingCustomRule(
	draft: EmergencyDraft,
	zone: FirewallZone,
	rule: RulesetRule,
	entry: Ruleset,
): Extending {
	const {id} = rule;
	if (id === undefined) return unfit('The custom rule has no id.');
	const seen = assessExtension(draft, `Custom rule ${id}`, {
		action: rule.action,
		isInForce: rule.enabled !== false,
		expression: rule.expression,
		shared: undefined,
	});
	if ('state' in seen)
		return seen.state === 'unfit'
			? seen
			: {...seen, id, earlier: findEarlierCustomRules(rule, draft.filter.expression, entry.rules)};
	const {method, path, body} = editRequest(zone.id, customPhase, entry, changeOf(rule, id, seen.expression));
	const extension: Extension = {
		...seen,
		form: 'custom rule',
		id,
		description: rule.description,
		rule,
		entry,
		request: {method, path, body},
		command: addressesAddition(zone, draft, id, 'custom rule'),
	};
	return {state: 'fits', extension};
}

/** The rules that the addresses can be added to, those with room for them; and whether one blocks them already. */
export function extensionsAmong(
	draft: EmergencyDraft,
	zone: FirewallZone,
	there: readonly Rule[] | Ruleset,
): {
	readonly fitting: readonly Extension[];
	readonly already: (Extending & {state: 'blocked already'}) | undefined;
} {
	if (notAddable(draft) !== undefined) return {fitting: [], already: undefined};
	const all =
		'rules' in there
			? there.rules.map(rule => extendingCustomRule(draft, zone, rule, there))
			: there.map(rule => extendingFirewallRule(draft, zone, rule, there));
	return {
		fitting: all.flatMap(one => (one.state === 'fits' ? [one.extension] : [])),
		already: all.find(one => one.state === 'blocked already'),
	};
}

/** The expression for a set of addresses. */
export const setExpression = (addresses: readonly string[]): string => `ip.src in {${addresses.join(' ')}}`;

const unfit = (sentence: string): Extending & {state: 'unfit'} => ({state: 'unfit', sentence});

type Target = {
	readonly action: string;
	readonly isInForce: boolean;
	readonly expression: string;
	/** Why its expression is not its own. */
	readonly shared: string | undefined;
};

function assessExtension(
	draft: EmergencyDraft,
	name: string,
	{action, isInForce: acts, expression, shared}: Target,
):
	| Pick<Extension, 'before' | 'expression' | 'added' | 'covered'>
	| {readonly state: 'blocked already'; readonly addresses: readonly string[]}
	| (Extending & {state: 'unfit'}) {
	const never = notAddable(draft);
	if (never !== undefined) return unfit(never);
	if (action !== 'block') return unfit(`${name} does not block: its action is ${action}.`);
	if (!acts) return unfit(`${name} is paused, so it blocks nothing.`);
	const set = withAddresses(expression, draft.filter.expression);
	if (!set)
		return unfit(`The expression of ${inSentence(name)} is more than a set of addresses: ${expression}`);
	if (set.added.length === 0) return {state: 'blocked already', addresses: set.covered};
	if (shared !== undefined) return unfit(shared);
	const {verdict, bytes} = sizeOf(set.expression);
	if (verdict !== 'fits')
		return unfit(
			`With these addresses the expression of ${inSentence(name)} would have ${bytes} bytes; it may have ${expressionLength}.`,
		);
	return {before: expression, ...set};
}

const inSentence = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

const changeOf = (rule: RulesetRule, id: string, expression: string): RulesetEdit => ({
	kind: 'change',
	id,
	rule: {...rule, expression},
});

type Options = Pick<CreationOptions, 'signal' | 'onWrite'> & {readonly onLook?: (() => void) | undefined};

/**
 * Adds the addresses with one call, never sent twice, and none where the rule is no longer as it was shown. Never
 * rejects: whatever happens, the result has the current state.
 */
export const extendRule = (
	client: Client,
	zone: FirewallZone,
	extension: Extension,
	options: Options,
): Promise<Extended> => rewordRule(client, zone, extension, {to: extension.expression, ...options});

/**
 * Writes another expression into the rule of an extension, which must still have the one from before it (or, where `to`
 * is that, the one of the extension). What somebody else changed meanwhile stays, and then nothing is sent.
 */
export async function rewordRule(
	client: Client,
	zone: FirewallZone,
	extension: Extension,
	{to, ...options}: Options & {readonly to: string},
): Promise<Extended> {
	const from = to === extension.expression ? extension.before : extension.expression;
	if (extension.form === 'custom rule') return rewordCustomRule(client, zone, extension, from, to, options);
	const {rule, filter} = extension;
	const before = {...filter, expression: from};
	let earlier: readonly EarlierRule[];
	try {
		const [all, there] = await Promise.all([
			Array.fromAsync(rules(client, zone.id, options.signal)),
			filterById(client, zone.id, filter.id, options.signal),
		]);
		const users = usersOf(filter.id, all);
		const now = users.find(({id}) => id === rule.id);
		const others = users.filter(({id}) => id !== rule.id);
		if (!now || !isAs(there, before))
			return changedMeanwhile(extension, `Filter ${filter.id} is: ${there.expression}`);
		if (others.length > 0)
			return changedMeanwhile(extension, `Its filter is now used by ${named(others)}, too.`);
		if (now.action !== rule.action || now.paused !== rule.paused)
			return changedMeanwhile(extension, `It is: ${now.action}${now.paused ? ', paused' : ''}.`);
		earlier = findEarlierRules(now, setExpression(extension.added), all);
	} catch (error) {
		const failure = asFailure(error);
		return {state: 'nothing', failure: failure.with({left: 'Nothing was sent.'})};
	}
	const change = filterChanging(zone, {...filter, expression: to}, before);
	const {signal, onLook, onWrite} = options;
	const outcome = await carryOut(client, change, {signal, onLook});
	return ended({extension, earlier}, outcome, client.dryRun ? undefined : onWrite);
}

function changedMeanwhile(extension: Extension, why: string): Extended {
	const failure = new Failure(
		'changed_meanwhile',
		`${extension.form === 'custom rule' ? 'Custom rule' : 'Rule'} ${extension.id} was changed by someone else since it was read.`,
		{why, left: 'Nothing was sent.', next: 'Look at it, and decide again.'},
	);
	return {state: 'nothing', failure};
}

const wrote = (extension: Extension): string =>
	extension.form === 'custom rule'
		? `change custom rule ${extension.id}`
		: `change filter ${extension.filter.id} of rule ${extension.id}`;

/** An extension that was sent, and the rules before it as they were then. */
type Sent = Pick<Extended & {state: 'extended'}, 'extension' | 'earlier'>;

function ended(
	sent: Sent,
	outcome: Outcome<Filter, never, Filter | undefined>,
	onWrite: CreationOptions['onWrite'],
): Extended {
	if (outcome.state === 'done') return done(sent, outcome.lost, onWrite);
	const {failure} = outcome;
	if (outcome.state === 'refused' || outcome.state === 'not done') return {state: 'nothing', failure};
	const {unsettled} = outcome;
	return {
		state: 'unsure',
		failure: failure.with({outcomeUnknown: true}),
		lookAgain: async (client, {signal, onWrite: found}) =>
			ended(sent, await settle(client, unsettled, {signal}), found),
	};
}

function done(sent: Sent, lost: boolean, onWrite: CreationOptions['onWrite']): Extended {
	onWrite?.(`${wrote(sent.extension)}${lost ? ' (the answer was lost; found there)' : ''}`);
	return {state: 'extended', ...sent, ...(lost && {afterDoubt: true})};
}

async function rewordCustomRule(
	client: Client,
	zone: FirewallZone,
	extension: Extension & {form: 'custom rule'},
	from: string,
	to: string,
	{signal, onLook, onWrite}: Options,
): Promise<Extended> {
	const {rule, id} = extension;
	const before = {...rule, expression: from};
	let shown: Ruleset | undefined;
	try {
		shown = await entryPoint(client, zone.id, customPhase, signal);
	} catch (error) {
		return {state: 'nothing', failure: asFailure(error).with({left: 'Nothing was sent.'})};
	}
	const now = shown?.rules.find(one => one.id === id);
	if (!now) return changedMeanwhile(extension, 'It is gone.');
	if (!saysTheSame(now, before))
		return changedMeanwhile(
			extension,
			`It is: ${now.action} ${now.expression}${now.enabled === false ? ' (paused)' : ''}`,
		);
	const change: RulesetChange = {
		zone: zone.id,
		phase: customPhase,
		shown,
		edit: changeOf(rule, id, to),
		where: rulesCommand(zone, ['list']),
	};
	const earlier = findEarlierCustomRules(now, setExpression(extension.added), shown?.rules ?? []);
	const outcome = await changeAnyway(client, change, {signal, onLook});
	return customEnded({extension, earlier}, outcome, client.dryRun ? undefined : onWrite);
}

function customEnded(sent: Sent, outcome: RulesetOutcome, onWrite: CreationOptions['onWrite']): Extended {
	switch (outcome.state) {
		case 'done':
			return done(sent, outcome.lost, onWrite);
		case 'unsure':
			return {
				state: 'unsure',
				failure: outcome.failure,
				lookAgain: async (client, {signal, onWrite: found}) =>
					customEnded(sent, await outcome.lookAgain(client, {signal}), found),
			};
		case 'nothing':
		case 'changed meanwhile':
			return {state: 'nothing', failure: outcome.failure};
	}
}
