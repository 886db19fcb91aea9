import {type CatalogueRule, effectOf, executing, stateInWords} from '../../managed/catalogue.ts';
import type {InForce} from '../../managed/in-force.ts';
import type {DeployedView, ExceptionView, ManagedView} from '../../managed/view.ts';
import {shownFingerprint} from '../../migration/configuration/configuration.ts';
import {ruleInWords, ruleName} from '../../migration/configuration/difference-words.ts';
import {actionInWords} from '../../migration/configuration/edits.ts';
import {skipsInWords} from '../../migration/configuration/exceptions.ts';
import {thresholdInWords} from '../../migration/configuration/mapping.ts';
import type {Overridden} from '../../migration/configuration/rule-overrides.ts';
import {stageWords} from '../../migration/machine/stage.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {table} from '../../terminal/table.ts';
import {counted} from '../../text/figures.ts';
import {facts} from '../firewall/text.ts';

/** Formats the active managed rules of a zone. */
export function managedText(
	{zone, stage, ruleset, fingerprint}: InForce,
	{rulesets, exceptions, notDeployed}: ManagedView,
): string {
	return [
		facts([
			['zone', zone.label],
			['stage', stage === 'unknown' ? 'unknown' : stageWords[stage]],
			[
				'version',
				ruleset ? `${ruleset.version}${madeAt(ruleset.last_updated)}` : 'none: nothing is in force',
			],
			['fingerprint', shownFingerprint(fingerprint)],
			['not deployed', notDeployed.length === 0 ? undefined : notDeployed.map(({name}) => name).join(', ')],
		]),
		rulesets.length === 0 ? 'No managed ruleset is deployed.\n' : rulesetTable(rulesets),
		...rulesets.flatMap(overrideTable),
		...(exceptions.length === 0 ? [] : [exceptionTable(exceptions)]),
	].join('\n');
}

const madeAt = (made: string | undefined): string => (made === undefined ? '' : `, made ${made}`);

const rulesetTable = (rulesets: readonly DeployedView[]): string =>
	table<DeployedView>(
		[
			{title: 'PLACE', align: 'right', cell: ({place}) => String(place)},
			{title: 'ID', cell: ({rule}) => rule ?? '-'},
			{title: 'RULESET', cell: ({name}) => name},
			{title: 'STATE', cell: ({is}) => is},
			{title: 'SETTINGS', cell: settingsOf},
		],
		rulesets,
	);

function settingsOf({only, whole, owasp}: DeployedView): string {
	const parts = [
		...(owasp?.level === undefined ? [] : [`PL${owasp.level}`]),
		...(owasp?.threshold === undefined ? [] : [`score threshold ${thresholdInWords(owasp.threshold)}`]),
		...(owasp?.action === undefined ? [] : [`action ${actionInWords(owasp.action)}`]),
		...(said(whole) === undefined ? [] : [`all its rules ${said(whole)}`]),
		...(only === undefined ? [] : [`only for ${only}`]),
	];
	return parts.join(', ') || '-';
}

/** Formats "off", or "on, log"; undefined if nothing is overridden. */
function said({action, enabled}: Overridden): string | undefined {
	const parts = [
		...(enabled === undefined ? [] : [enabled ? 'on' : 'off']),
		...(action === undefined ? [] : [actionInWords(action)]),
	];
	return parts.length === 0 ? undefined : parts.join(', ');
}

type OverrideRow = {
	readonly what: string;
	readonly set: string;
	readonly byDefault: string;
	readonly name: string;
};

function overrideTable({name, categories, rules}: DeployedView): readonly string[] {
	const rows: readonly OverrideRow[] = [
		...categories.map(one => ({
			what: `category ${one.category}`,
			set: said(one) ?? '-',
			byDefault: '-',
			name: one.rules === undefined ? '-' : counted(one.rules, 'rule'),
		})),
		...rules.map(one => ({
			what: `rule ${one.id}`,
			set: [said(one), one.threshold === undefined ? undefined : `threshold ${one.threshold}`]
				.filter(part => part !== undefined)
				.join(', '),
			byDefault: one.byDefault ? (said(one.byDefault) ?? '-') : '-',
			name: one.name ?? '(not in the catalogue)',
		})),
	];
	if (rows.length === 0) return [];
	return [
		table<OverrideRow>(
			[
				{title: `OVERRIDES OF ${name.toUpperCase()}`, cell: ({what}) => what},
				{title: 'SET', cell: ({set}) => set},
				{title: 'DEFAULT', cell: ({byDefault}) => byDefault},
				{title: 'NAME', cell: row => row.name},
			],
			rows,
		),
	];
}

export const exceptionTable = (exceptions: readonly ExceptionView[]): string =>
	table<ExceptionView>(
		[
			{title: 'PLACE', align: 'right', cell: ({place}) => String(place)},
			{title: 'ID', cell: ({rule}) => rule ?? '-'},
			{title: 'STATE', cell: ({enabled}) => (enabled ? 'on' : 'off')},
			{title: 'SKIPS', cell: skipsOf},
			{title: 'DESCRIPTION', cell: ({description}) => description || '-'},
			{title: 'EXPRESSION', cell: ({expression}) => expression},
		],
		exceptions,
	);

function skipsOf({skips, named, affects}: ExceptionView): string {
	const what = skips ? skipsInWords(skips) : 'something that ledge does not know';
	const names = named.map(({id, name}) => name ?? id).join('; ');
	return `${what}${names === '' ? '' : ` (${names})`}${affects.length === 0 ? ': without effect here' : ''}`;
}

/** Converts a catalogue rule to JSON; `now`: its effect in the zone, null if its ruleset is not deployed. */
export function printedRule({configuration}: InForce, found: CatalogueRule) {
	const {id, description, ruleset, categories, action, enabled, score_threshold} = found;
	const rule = executing(configuration.rules, ruleset.id);
	return {
		id,
		name: description,
		ruleset,
		categories,
		byDefault: {action, enabled, ...(score_threshold !== undefined && {score_threshold})},
		now: rule ? effectOf(rule, found) : null,
	};
}

type PrintedRule = ReturnType<typeof printedRule>;

/** Formats catalogue rules as a table, with the default and the current effect of each. */
export const catalogueTable = (rules: readonly PrintedRule[]): string =>
	table<PrintedRule>(
		[
			{title: 'ID', cell: ({id}) => id},
			{title: 'RULESET', cell: ({ruleset}) => ruleset.name},
			{title: 'DEFAULT', cell: ({byDefault}) => stateInWords(byDefault)},
			{title: 'NOW', cell: ({now}) => (now ? stateInWords(now) : 'not deployed')},
			{title: 'TAGS', cell: ({categories}) => categories.join(', ') || '-'},
			{title: 'NAME', cell: ({name}) => name},
		],
		rules,
	);

type VersionRow = {readonly rule: RulesetRule; readonly place: number};

/** Formats the rules of a version as a table, in order. */
export const versionTable = (rules: readonly RulesetRule[]): string =>
	table<VersionRow>(
		[
			{title: 'PLACE', align: 'right', cell: ({place}) => String(place)},
			{title: 'ID', cell: ({rule}) => String(rule.id ?? '-')},
			{title: 'RULE', cell: ({rule}) => ruleName([rule], 0)},
			{title: 'DOES', cell: ({rule}) => ruleInWords(rule)},
		],
		rules.map((rule, index) => ({rule, place: index + 1})),
	);
