import {type CatalogueRule, findExecutingRule, formatManagedState} from '../../managed/catalogue.ts';
import type {ManagedRulesState} from '../../managed/state.ts';
import type {DeployedView, ExceptionView, ManagedView} from '../../managed/view.ts';
import {formatFingerprint} from '../../migration/configuration/configuration.ts';
import {
	describeConfiguredRule,
	formatConfiguredRuleName,
} from '../../migration/configuration/difference-words.ts';
import {formatActionWords} from '../../migration/configuration/edits.ts';
import {formatSkips} from '../../migration/configuration/exceptions.ts';
import {getManagedRuleEffect} from '../../migration/configuration/managed-effect.ts';
import {formatScoreThreshold} from '../../migration/configuration/mapping.ts';
import type {OverrideSettings} from '../../migration/configuration/rule-overrides.ts';
import {stageWords} from '../../migration/machine/stage.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {formatTable} from '../../terminal/table.ts';
import {formatQuantity} from '../../text/figures.ts';
import {formatFacts} from '../firewall/text.ts';

/** Formats the active managed rules of a zone. */
export function formatManagedRules(
	{zone, stage, ruleset, fingerprint}: ManagedRulesState,
	{rulesets, exceptions, notDeployed}: ManagedView,
): string {
	return [
		formatFacts([
			['zone', zone.label],
			['stage', stage === 'unknown' ? 'unknown' : stageWords[stage]],
			[
				'version',
				ruleset ? `${ruleset.version}${formatVersionTime(ruleset.last_updated)}` : 'none: nothing is active',
			],
			['fingerprint', formatFingerprint(fingerprint)],
			['not deployed', notDeployed.length === 0 ? undefined : notDeployed.map(({name}) => name).join(', ')],
		]),
		rulesets.length === 0 ? 'No managed ruleset is deployed.\n' : formatRulesetTable(rulesets),
		...rulesets.flatMap(buildOverrideTable),
		...(exceptions.length === 0 ? [] : [formatExceptionTable(exceptions)]),
	].join('\n');
}

const formatVersionTime = (updatedAt: string | undefined): string =>
	updatedAt === undefined ? '' : `, created ${updatedAt}`;

const formatRulesetTable = (rulesets: readonly DeployedView[]): string =>
	formatTable<DeployedView>(
		[
			{title: 'POSITION', align: 'right', cell: ({place}) => String(place)},
			{title: 'ID', cell: ({rule}) => rule ?? '-'},
			{title: 'RULESET', cell: ({name}) => name},
			{title: 'STATE', cell: ({is}) => is},
			{title: 'SETTINGS', cell: formatRulesetSettings},
		],
		rulesets,
	);

function formatRulesetSettings({only: expression, whole: rulesetOverride, owasp}: DeployedView): string {
	const parts = [
		...(owasp?.level === undefined ? [] : [`PL${owasp.level}`]),
		...(owasp?.threshold === undefined ? [] : [`score threshold ${formatScoreThreshold(owasp.threshold)}`]),
		...(owasp?.action === undefined ? [] : [`action ${formatActionWords(owasp.action)}`]),
		...(formatOverride(rulesetOverride) === undefined
			? []
			: [`all its rules ${formatOverride(rulesetOverride)}`]),
		...(expression === undefined ? [] : [`only for ${expression}`]),
	];
	return parts.join(', ') || '-';
}

/** Formats "off", or "on, log"; undefined if nothing is overridden. */
function formatOverride({action, enabled}: OverrideSettings): string | undefined {
	const parts = [
		...(enabled === undefined ? [] : [enabled ? 'on' : 'off']),
		...(action === undefined ? [] : [formatActionWords(action)]),
	];
	return parts.length === 0 ? undefined : parts.join(', ');
}

type OverrideRow = {
	readonly what: string;
	readonly overrideText: string;
	readonly defaultSettings: string;
	readonly nameOrRuleCount: string;
};

function buildOverrideTable({name, categories, rules}: DeployedView): readonly string[] {
	const rows: readonly OverrideRow[] = [
		...categories.map(one => ({
			what: `category ${one.category}`,
			overrideText: formatOverride(one) ?? '-',
			defaultSettings: '-',
			nameOrRuleCount: one.rules === undefined ? '-' : formatQuantity(one.rules, 'rule'),
		})),
		...rules.map(one => ({
			what: `rule ${one.id}`,
			overrideText: [
				formatOverride(one),
				one.threshold === undefined ? undefined : `threshold ${one.threshold}`,
			]
				.filter(part => part !== undefined)
				.join(', '),
			defaultSettings: one.byDefault ? (formatOverride(one.byDefault) ?? '-') : '-',
			nameOrRuleCount: one.name ?? '(not in the catalogue)',
		})),
	];
	if (rows.length === 0) return [];
	return [
		formatTable<OverrideRow>(
			[
				{title: `OVERRIDES OF ${name.toUpperCase()}`, cell: ({what}) => what},
				{title: 'SET', cell: ({overrideText}) => overrideText},
				{title: 'DEFAULT', cell: ({defaultSettings}) => defaultSettings},
				{title: 'NAME', cell: row => row.nameOrRuleCount},
			],
			rows,
		),
	];
}

export const formatExceptionTable = (exceptions: readonly ExceptionView[]): string =>
	formatTable<ExceptionView>(
		[
			{title: 'POSITION', align: 'right', cell: ({place}) => String(place)},
			{title: 'ID', cell: ({rule}) => rule ?? '-'},
			{title: 'STATE', cell: ({enabled}) => (enabled ? 'on' : 'off')},
			{title: 'SKIPS', cell: formatExceptionSkips},
			{title: 'DESCRIPTION', cell: ({description}) => description || '-'},
			{title: 'EXPRESSION', cell: ({expression}) => expression},
		],
		exceptions,
	);

function formatExceptionSkips({skips, named: namedRules, affects: affectedRulesets}: ExceptionView): string {
	const skipsText = skips ? formatSkips(skips) : "something that ledge doesn't recognize";
	const names = namedRules.map(({id, name}) => name ?? id).join('; ');
	return `${skipsText}${names === '' ? '' : ` (${names})`}${affectedRulesets.length === 0 ? ': no effect here' : ''}`;
}

/** Converts a catalogue rule to JSON; `now`: its effect in the zone, null if its ruleset is not deployed. */
export function toCatalogueRuleJson({configuration}: ManagedRulesState, catalogueRule: CatalogueRule) {
	const {id, description, ruleset, categories, action, enabled, score_threshold} = catalogueRule;
	const executingRule = findExecutingRule(configuration.rules, ruleset.id);
	return {
		id,
		name: description,
		ruleset,
		categories,
		byDefault: {action, enabled, ...(score_threshold !== undefined && {score_threshold})},
		now: executingRule ? getManagedRuleEffect(executingRule, catalogueRule) : null,
	};
}

type PrintedRule = ReturnType<typeof toCatalogueRuleJson>;

/** Formats catalogue rules as a table, each with its default and its current effect. */
export const formatCatalogueTable = (rules: readonly PrintedRule[]): string =>
	formatTable<PrintedRule>(
		[
			{title: 'ID', cell: ({id}) => id},
			{title: 'RULESET', cell: ({ruleset}) => ruleset.name},
			{title: 'DEFAULT', cell: ({byDefault}) => formatManagedState(byDefault)},
			{title: 'NOW', cell: ({now}) => (now ? formatManagedState(now) : 'not deployed')},
			{title: 'TAGS', cell: ({categories}) => categories.join(', ') || '-'},
			{title: 'NAME', cell: ({name}) => name},
		],
		rules,
	);

type VersionRow = {readonly rule: RulesetRule; readonly position: number};

/** Formats the rules of a version as a table, in order. */
export const formatVersionRules = (rules: readonly RulesetRule[]): string =>
	formatTable<VersionRow>(
		[
			{title: 'POSITION', align: 'right', cell: ({position}) => String(position)},
			{title: 'ID', cell: ({rule}) => String(rule.id ?? '-')},
			{title: 'RULE', cell: ({rule}) => formatConfiguredRuleName([rule], 0)},
			{title: 'EFFECT', cell: ({rule}) => describeConfiguredRule(rule)},
		],
		rules.map((rule, index) => ({rule, position: index + 1})),
	);
