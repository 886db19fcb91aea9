import type {Theme} from '../../components/theme.ts';
import {describeKeptRule} from '../../firewall/export/kept-rules.ts';
import {formatMergedRule} from '../../firewall/export/merge.ts';
import {maxRulesByPlan} from '../../firewall/limits.ts';
import type {DeletionPlan} from '../../firewall/rules/delete-rule.ts';
import {formatRuleNames} from '../../firewall/rules/users.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {zonePlanNames} from '../../service/plan.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {buildMarkedRows, buildTextRows, joinWithBlankRows, type Row} from '../rows/rows.ts';
import {buildRequestRows} from '../write-flow/requests.ts';
import {findMergedRule, getMergeRequests, getReadyMerge, type MergeState, type ReadyMerge} from './state.ts';

type Marks = Pick<Theme['marks'], 'failed' | 'warning' | 'done'>;
type MergeViewState = StateWith<'merge' | 'customRules' | 'connection'>;

/** Builds the notes below the rules: the rule under the cursor, results, counts, obstacles and warnings. */
export function buildMergeNoteRows(state: MergeViewState, columns: number, marks: Marks): readonly Row[] {
	const merge = state.merge.data;
	const readyMerge = getReadyMerge(state);
	if (!merge || !readyMerge) return [];
	const {sourceRules, lastResult, failure} = merge;
	const currentRule = findMergedRule(state);
	return joinWithBlankRows(
		currentRule
			? buildTextRows(
					`rule ${currentRule.position}${currentRule.isNew ? ' (new)' : ''}  ${formatMergedRule(currentRule.rule)}`,
					columns,
					'here',
					2,
				)
			: [],
		[
			...(lastResult === undefined ? [] : buildMarkedRows(marks.done, lastResult, columns, 'good')),
			...(failure ? buildMarkedRows(marks.failed, failure.message, columns, 'danger') : []),
			...readyMerge.mismatches.flatMap(({failure: {message, details}}) =>
				buildMarkedRows(marks.failed, [message, details.why].filter(Boolean).join('\n'), columns, 'danger'),
			),
		],
		buildTextRows(
			[describeSource(merge), describeCount(merge, readyMerge), describeMergePosition(readyMerge)],
			columns,
		),
		[...readyMerge.broadRuleReasons, ...(sourceRules?.notes ?? []), ...readyMerge.result.notes].flatMap(
			note => buildMarkedRows(marks.warning, note, columns, 'warning'),
		),
		buildExistingRuleRows(readyMerge, columns),
	);
}

/** Cached for the last width, because every key needs the rows of hundreds of rules. */
const existingRulesCache = new WeakMap<
	ReadyMerge,
	{readonly columns: number; readonly rows: readonly Row[]}
>();

/** Builds one paragraph for each rule that exists already. */
function buildExistingRuleRows(readyMerge: ReadyMerge, columns: number): readonly Row[] {
	const cached = existingRulesCache.get(readyMerge);
	if (cached?.columns === columns) return cached.rows;
	const rows = readyMerge.result.presentRules.flatMap(({rule, existingRule}) =>
		buildTextRows(
			`already exists as ${existingRule.id ?? 'a rule'}: ${formatMergedRule(rule)}`,
			columns,
			'dim',
			2,
		),
	);
	existingRulesCache.set(readyMerge, {columns, rows});
	return rows;
}

function describeSource({source, zone, sourceRules}: MergeState): string {
	if (source.kind === 'file') return `Source: the file ${source.path}.`;
	return `Source: the ${formatQuantity(sourceRules?.firewallRules.length ?? 0, 'firewall rule')} of ${zone.name}.`;
}

function describeCount(
	{zone}: MergeState,
	{ruleset, result: {addedRules, presentRules, rules}}: ReadyMerge,
): string {
	const existingCount = ruleset?.rules.length ?? 0;
	if (addedRules.length === 0)
		return presentRules.length === 0
			? 'There are no rules to create.'
			: `Nothing to create: ${presentRules.length === 1 ? 'the rule already exists as a custom rule' : `all ${formatInteger(presentRules.length)} rules already exist as custom rules`}.`;
	const quota =
		zone.plan === undefined
			? ''
			: ` Total: ${formatInteger(rules.length)} of ${formatQuantity(maxRulesByPlan[zone.plan], 'custom rule')} (${zonePlanNames[zone.plan]}).`;
	const counts = [
		`${formatQuantity(addedRules.length, 'custom rule')} to create`,
		...(existingCount > 0 ? [`${formatQuantity(existingCount, 'existing one')} kept`] : []),
		...(presentRules.length > 0 ? [`${formatInteger(presentRules.length)} already present`] : []),
	];
	return `${counts.join(', ')}.${quota}`;
}

/** Describes where the new rules go among the existing ones. */
function describeMergePosition({rows, result: {addedRules}, ruleset}: ReadyMerge): string | undefined {
	if (addedRules.length === 0 || !ruleset || ruleset.rules.length === 0) return undefined;
	const lastIndex = rows.findLastIndex(({isNew}) => isNew);
	const nextRow = rows[lastIndex + 1];
	return nextRow
		? `They go before ${nextRow.rule.description || nextRow.rule.id || nextRow.rule.expression}; ${nameKey('merge.place', 'b')} moves them to the end.`
		: `They go after all existing rules; ${nameKey('merge.place', 'b')} moves them before the rule under the cursor.`;
}

/** Builds the review: the effect, and each exact request. */
export function buildMergeReviewRows(state: MergeViewState, columns: number, marks: Marks): readonly Row[] {
	const merge = state.merge.data;
	const connection = state.connection.data;
	const readyMerge = getReadyMerge(state);
	if (!merge || !readyMerge) return [];
	const introRows =
		merge.step === 'deletion'
			? buildDeletionRows(merge, columns, marks)
			: [
					...buildTextRows(describeCount(merge, readyMerge), columns, 'here'),
					...readyMerge.broadRuleReasons.flatMap(text =>
						buildMarkedRows(marks.warning, text, columns, 'warning'),
					),
					...buildTextRows('Firewall rules do not change.', columns),
				];
	return joinWithBlankRows(
		introRows,
		buildRequestRows({requests: getMergeRequests(state), shows: merge.shows}, connection, columns),
	);
}

function buildDeletionRows({deletion, zone}: MergeState, columns: number, marks: Marks): readonly Row[] {
	const {deletionPlans = [], keptRules = []} = deletion ?? {};
	return [
		...buildTextRows(
			`Delete ${formatQuantity(deletionPlans.length, 'firewall rule')} from ${zone.name}. This cannot be undone; y asks for the zone's name.`,
			columns,
			'here',
		),
		...deletionPlans.flatMap(plan => buildTextRows(describeDeletion(plan), columns, 'plain', 2)),
		...keptRules.flatMap(one => buildMarkedRows(marks.warning, describeKeptRule(one), columns, 'warning')),
	];
}

/** Describes a rule to delete, and what happens to its filter. */
function describeDeletion({rule, filter}: DeletionPlan): string {
	const expression = 'expression' in rule.filter ? rule.filter.expression : '';
	const ruleText = `${rule.id} (${rule.action}): ${rule.description || expression}`;
	switch (filter.state) {
		case 'delete':
			return `${ruleText}; its filter is deleted after it.`;
		case 'shared':
			return `${ruleText}; its filter is kept: ${formatRuleNames(filter.users)} ${filter.users.length === 1 ? 'uses' : 'use'} it.`;
		case 'keep':
		case 'gone':
			return ruleText;
		default:
			return filter satisfies never;
	}
}
