import type {ExceptionDraft} from '../configuration/exceptions.ts';
import {managedRulesets, migratedActions} from '../configuration/mapping.ts';
import type {OverrideChange} from '../configuration/override-edits.ts';
import type {
	PreviousBypass,
	PreviousManagedRules,
	PreviousOverride,
	PreviousPackage,
	PreviousPageRule,
} from '../zone/previous-rules.ts';
import {buildPageRuleExpression, toBypassException, toPageRuleException} from './expected.ts';

/** Rules to find in a managed ruleset: an old rule, or those of an old group. */
export type WantedRules = {
	/** The managed ruleset to search. */
	readonly ruleset: string;
	/** The old ids; some rules keep their id in the new version. */
	readonly ids: readonly string[];
	/** The old name, to search for if no rule has one of the ids. */
	readonly name: string;
};

/** How a setting that is not migrated can be recreated. */
export type Recreation =
	/** `url`: the URL of the page rule that the exception replaces. */
	| {readonly kind: 'exception'; readonly exception: ExceptionDraft; readonly url?: string | undefined}
	/** An exception that skips single rules. `rest` describes settings that an exception cannot recreate. */
	| {
			readonly kind: 'rules skipped';
			readonly exception: Omit<ExceptionDraft, 'skips'>;
			readonly wanted: readonly WantedRules[];
			readonly rest: readonly string[];
	  }
	| {readonly kind: 'rules overridden'; readonly wanted: WantedRules; readonly change: OverrideChange};

/** Converts the mode of an old rule to an override. Undefined if the mode is unknown. */
function toOverrideChange(mode: string): OverrideChange | undefined {
	if (mode === 'disable' || mode === 'off') return {enabled: false};
	if (mode === 'on') return {enabled: true};
	const action = migratedActions[mode];
	return action && {action, enabled: true};
}

/** Returns how to recreate a rule that differs from its default, or whose group is off. */
export function buildRuleRecreation(
	rulesetId: string,
	{id, description, mode}: PreviousPackage['rules'][number],
	isOffByGroup = false,
): Recreation | undefined {
	const change = toOverrideChange(isOffByGroup ? 'off' : mode);
	return (
		change && {kind: 'rules overridden', wanted: {ruleset: rulesetId, ids: [id], name: description}, change}
	);
}

/** Returns how to recreate a group of OWASP rules that is off. */
export const buildGroupRecreation = (
	{rules}: PreviousPackage,
	{id, name}: PreviousPackage['groups'][number],
): Recreation => ({
	kind: 'rules overridden',
	wanted: {ruleset: managedRulesets.owasp.id, ids: listMemberIds(rules, id), name},
	change: {enabled: false},
});

const listMemberIds = (rules: PreviousPackage['rules'], group: string): readonly string[] =>
	rules.filter(rule => rule.group?.id === group).map(({id}) => id);

/** Returns how to recreate a firewall rule that bypasses managed rules. */
export function buildBypassRecreation(bypass: PreviousBypass): Recreation | undefined {
	const exception = toBypassException(bypass);
	return exception && {kind: 'exception', exception};
}

/** Returns how to recreate a page rule that turns managed rules off. */
export function buildPageRuleRecreation(rule: PreviousPageRule): Recreation | undefined {
	const exception = toPageRuleException(rule);
	return exception && {kind: 'exception', exception, url: rule.url};
}

/**
 * Returns how to recreate a URI override: an exception that skips what the override disabled. Undefined if it
 * disabled nothing: its other settings need another execute rule, which the user has to write.
 */
export function buildOverrideRecreation(
	{id, urls, description, isPaused, disabled, otherSettings}: PreviousOverride,
	{packages}: Pick<PreviousManagedRules, 'packages'>,
): Recreation | undefined {
	const disabledTargets = [
		...disabled.groups.map(group => findWantedGroup(packages, group)),
		...disabled.rules.map(rule => findWantedRule(packages, rule)),
	];
	const wanted = disabledTargets.flatMap(one => (typeof one === 'string' ? [] : [one]));
	if (urls.length === 0 || wanted.length === 0) return undefined;
	return {
		kind: 'rules skipped',
		exception: {
			expression: urls.map(buildPageRuleExpression).join(' or '),
			description: `URI override ${description || id}`,
			enabled: !isPaused,
		},
		wanted,
		rest: [...disabledTargets.filter(one => typeof one === 'string'), ...otherSettings],
	};
}

/**
 * Finds the rules of an old group. Returns a description instead for rules made for a customer: it is not
 * documented what becomes of them.
 */
function findWantedGroup(packages: PreviousManagedRules['packages'], id: string): WantedRules | string {
	const oldPackage = packages.find(({groups}) => groups.some(group => group.id === id));
	if (oldPackage?.kind === 'customer') return `group ${id}: disable`;
	return {
		ruleset: getSuccessorRulesetId(oldPackage),
		ids: listMemberIds(oldPackage?.rules ?? [], id),
		name: oldPackage?.groups.find(group => group.id === id)?.name || id,
	};
}

function findWantedRule(packages: PreviousManagedRules['packages'], id: string): WantedRules | string {
	const oldPackage = packages.find(({rules}) => rules.some(rule => rule.id === id));
	if (oldPackage?.kind === 'customer') return `rule ${id}: disable`;
	const name = oldPackage?.rules.find(rule => rule.id === id)?.description || id;
	return {ruleset: getSuccessorRulesetId(oldPackage), ids: [id], name};
}

const getSuccessorRulesetId = (one: PreviousPackage | undefined): string =>
	one?.kind === 'owasp' ? managedRulesets.owasp.id : managedRulesets.platform.id;
