import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {formatConfiguredRuleName} from '../../migration/configuration/difference-words.ts';
import type {FieldChange} from '../../rule-files/field-changes.ts';
import type {RulesFile} from '../../rule-files/parse.ts';
import {
	buildPhaseRequest,
	hasDifference,
	isPhaseChange,
	type PhaseChange,
	type PhasePlan,
	type PlannedChange,
	type RulesPlan,
} from '../../rule-files/plan.ts';
import {describeLeftOut} from '../../rule-files/zone-rules.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {JsonValue} from '../../text/json.ts';

type NamedZone = {readonly id: string; readonly name: string; readonly label: string};

/** Formats a plan as lines: per phase each change, what it means, and the request that makes it. */
export function formatRulesPlan(
	zone: NamedZone,
	{name, data}: RulesFile,
	plan: RulesPlan,
): readonly string[] {
	const changeCount = plan.phases.reduce(
		(sum, phase) => sum + (isPhaseChange(phase) ? phase.changes.length : 0),
		0,
	);
	return [
		`${zone.label}: ${changeCount === 0 ? 'no difference' : formatQuantity(changeCount, 'change')} from ${name}`,
		...(data.zone !== undefined && data.zone !== zone.name
			? [`The file was exported from zone ${data.zone}.`]
			: []),
		...plan.phases.flatMap(phase => formatPhase(zone, phase)),
	];
}

function formatPhase({id: zoneId}: NamedZone, phase: PhasePlan): readonly string[] {
	const {noun} = phase.section;
	switch (phase.state) {
		case 'not in file':
			return [`${noun}: not in the file, so they stay as they are`];
		case 'left out':
			return [`${noun}: left out. ${describeLeftOut(phase.reason)}`];
		case 'same':
			return [`${noun}: no difference`];
		case 'different': {
			const request = buildPhaseRequest(zoneId, phase);
			return [
				`${noun}: ${formatQuantity(phase.changes.length, 'change')}`,
				...phase.changes.flatMap(change => formatChange(phase, change)),
				...phase.reductions.map(sentence => `  ! ${sentence}`),
				...(request ? [`  will send  ${request.method} ${request.path}`] : []),
			];
		}
		default:
			return phase satisfies never;
	}
}

const changeMarks = {added: '+', changed: '~', moved: '>', removed: '-'} as const;

function formatChange(phase: PhaseChange, change: PlannedChange): readonly string[] {
	const {kind, position, fields, reductions} = change;
	const rule = kind === 'changed' ? change.before : change.rule;
	const place =
		kind === 'moved'
			? `position ${change.previousPosition} → ${position}`
			: `${kind === 'removed' ? 'from ' : ''}position ${position}`;
	return [
		`  ${changeMarks[kind]} ${changeWords[kind]}  ${formatRule(phase, rule)}, ${place}`,
		...fields.flatMap(field => formatFieldChange(field).map(line => `      ${line}`)),
		...reductions.map(sentence => `      ! ${sentence}`),
	];
}

const changeWords = {added: 'create', changed: 'change', moved: 'move', removed: 'delete'} as const;

function formatRule({section}: PhaseChange, rule: RulesetRule): string {
	const {id, description, expression, enabled} = rule;
	const name =
		section.key === 'managed_rules'
			? formatConfiguredRuleName([rule], 0)
			: `${formatCustomRuleAction(rule)} ${description ? `"${description}": ` : ''}${expression}`;
	return `${name}${enabled === false ? ' (paused)' : ''}${id === undefined ? '' : ` (${id})`}`;
}

/** Maximum length of both values together that share a line. */
const maxLineLength = 60;

function formatFieldChange({field, before, after}: FieldChange): readonly string[] {
	const [from, to] = [formatValue(before), formatValue(after)];
	if (from.length + to.length <= maxLineLength) return [`${field}: ${from} → ${to}`];
	return [`${field}:`, `  - ${from}`, `  + ${to}`];
}

function formatValue(value: JsonValue | undefined): string {
	if (value === undefined || value === '') return 'none';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Converts a plan to the JSON of `--json`, see docs/rules-files.md. */
export const toRulesPlanJson = (zone: NamedZone, {name, data}: RulesFile, plan: RulesPlan) => ({
	zone: {id: zone.id, name: zone.name},
	file: name,
	exportedFrom: data.zone ?? null,
	different: hasDifference(plan),
	phases: plan.phases.map(phase => toPhaseJson(zone.id, phase)),
	warnings: plan.findings.filter(({severity}) => severity === 'warning').map(({lines}) => lines[0] ?? ''),
});

/** Converts the plan of one phase to JSON; every phase has the same fields. */
export function toPhaseJson(zoneId: string, phase: PhasePlan) {
	const {section, state} = phase;
	const change = isPhaseChange(phase) ? phase : undefined;
	const request = change && buildPhaseRequest(zoneId, change);
	return {
		section: section.key,
		phase: section.phase,
		state,
		why: phase.state === 'left out' ? describeLeftOut(phase.reason) : null,
		version: change?.ruleset?.version ?? null,
		changes: change?.changes.map(toChangeJson) ?? [],
		reductions: change?.reductions ?? [],
		request: request ? {method: request.method, path: request.path} : null,
	};
}

const changeKinds = {added: 'created', changed: 'changed', moved: 'moved', removed: 'deleted'} as const;

function toChangeJson(change: PlannedChange) {
	const {kind, rule, position, fields, reductions} = change;
	return {
		kind: changeKinds[kind],
		id: rule.id ?? null,
		position: kind === 'removed' ? null : position,
		previousPosition: kind === 'moved' ? change.previousPosition : kind === 'removed' ? position : null,
		rule,
		fields: fields.map(({field, before, after}) => ({
			field,
			before: before ?? null,
			after: after ?? null,
		})),
		reductions,
	};
}
