import type {ExceptionDraft} from '../configuration/exceptions.ts';
import {managedRulesets, newActions} from '../configuration/mapping.ts';
import type {OverrideChange} from '../configuration/override-edits.ts';
import type {
	Previous,
	PreviousBypass,
	PreviousOverride,
	PreviousPackage,
	PreviousPageRule,
} from '../zone/previous-rules.ts';
import {bypassException, pageRuleException, pageRuleExpression} from './expected.ts';

/** Rules of a managed ruleset that have to be found: an old rule, or those of an old group. */
export type WantedRules = {
	/** The managed ruleset that they are looked for in. */
	readonly ruleset: string;
	/** Their old ids; the new version has some of them under the same ids. */
	readonly ids: readonly string[];
	/** What they are called: what to search for where an id is not found. */
	readonly name: string;
};

/** How something that the migration leaves behind can be made again in the new version. */
export type Recreation =
	/** `url`: of the page rule that it replaces. */
	| {readonly kind: 'exception'; readonly exception: ExceptionDraft; readonly url?: string | undefined}
	/** An exception that skips single rules. `rest`: settings of the same that no exception makes, in words. */
	| {
			readonly kind: 'rules skipped';
			readonly exception: Omit<ExceptionDraft, 'skips'>;
			readonly wanted: readonly WantedRules[];
			readonly rest: readonly string[];
	  }
	| {readonly kind: 'rules overridden'; readonly wanted: WantedRules; readonly change: OverrideChange};

/** What an override of the new version has to set for a mode of an old rule; `undefined` for modes that ledge does not know. */
function changeTo(mode: string): OverrideChange | undefined {
	if (mode === 'disable' || mode === 'off') return {enabled: false};
	if (mode === 'on') return {enabled: true};
	const action = newActions[mode];
	return action && {action, enabled: true};
}

/** A rule of the previous version that does something else than by default, or whose group is off. */
export function ruleRecreation(
	ruleset: string,
	{id, description, mode}: PreviousPackage['rules'][number],
	groupIsOff = false,
): Recreation | undefined {
	const change = changeTo(groupIsOff ? 'off' : mode);
	return change && {kind: 'rules overridden', wanted: {ruleset, ids: [id], name: description}, change};
}

/** A group of the previous OWASP rules that is off. */
export const groupRecreation = (
	{rules}: PreviousPackage,
	{id, name}: PreviousPackage['groups'][number],
): Recreation => ({
	kind: 'rules overridden',
	wanted: {ruleset: managedRulesets.owasp.id, ids: membersOf(rules, id), name},
	change: {enabled: false},
});

const membersOf = (rules: PreviousPackage['rules'], group: string): readonly string[] =>
	rules.filter(rule => rule.group?.id === group).map(({id}) => id);

/** A firewall rule that bypassed the managed rules. */
export function bypassRecreation(bypass: PreviousBypass): Recreation | undefined {
	const exception = bypassException(bypass);
	return exception && {kind: 'exception', exception};
}

/** A page rule that turned the managed rules off. */
export function pageRuleRecreation(rule: PreviousPageRule): Recreation | undefined {
	const exception = pageRuleException(rule);
	return exception && {kind: 'exception', exception, url: rule.url};
}

/**
 * A URI-based override: an exception for its URLs that skips what it disabled. `undefined` where it disabled nothing: what
 * it set otherwise needs one more rule that executes the ruleset, which a person has to make up.
 */
export function overrideRecreation(
	{id, urls, description, isPaused, disabled, otherSettings}: PreviousOverride,
	{packages}: Pick<Previous, 'packages'>,
): Recreation | undefined {
	const skipped = [
		...disabled.groups.map(group => wantedGroup(packages, group)),
		...disabled.rules.map(rule => wantedRule(packages, rule)),
	];
	const wanted = skipped.flatMap(one => (typeof one === 'string' ? [] : [one]));
	if (urls.length === 0 || wanted.length === 0) return undefined;
	return {
		kind: 'rules skipped',
		exception: {
			expression: urls.map(pageRuleExpression).join(' or '),
			description: `URI override ${description || id}`,
			enabled: !isPaused,
		},
		wanted,
		rest: [...skipped.filter(one => typeof one === 'string'), ...otherSettings],
	};
}

/** In words where it is not documented what the rules have become: those made for a customer. */
function wantedGroup(packages: Previous['packages'], id: string): WantedRules | string {
	const one = packages.find(({groups}) => groups.some(group => group.id === id));
	if (one?.kind === 'customer') return `group ${id}: disable`;
	return {
		ruleset: rulesetOf(one),
		ids: membersOf(one?.rules ?? [], id),
		name: one?.groups.find(group => group.id === id)?.name || id,
	};
}

function wantedRule(packages: Previous['packages'], id: string): WantedRules | string {
	const one = packages.find(({rules}) => rules.some(rule => rule.id === id));
	if (one?.kind === 'customer') return `rule ${id}: disable`;
	const name = one?.rules.find(rule => rule.id === id)?.description || id;
	return {ruleset: rulesetOf(one), ids: [id], name};
}

const rulesetOf = (one: PreviousPackage | undefined): string =>
	one?.kind === 'owasp' ? managedRulesets.owasp.id : managedRulesets.platform.id;
