import type {Theme} from '../../components/theme.ts';
import {keptRuleSentence} from '../../firewall/export/kept-rules.ts';
import {mergedRuleLine} from '../../firewall/export/merge.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import type {DeletionPlan} from '../../firewall/rules/delete-rule.ts';
import {named} from '../../firewall/rules/users.ts';
import {planNames} from '../../service/plan.ts';
import type {Has} from '../../store/ledge-store.ts';
import {counted, grouped} from '../../text/figures.ts';
import {marked, type Row, said, spaced} from '../rows/rows.ts';
import {requestRows} from '../write-flow/requests.ts';
import {type MergeState, mergedUnderCursor, mergeOf, type ReadyMerge, requestsOf} from './state.ts';

type Marks = Pick<Theme['marks'], 'failed' | 'warning' | 'done'>;
type Known = Has<'merge' | 'customRules' | 'connection'>;

/** Builds the notes below the rules: the rule under the cursor, results, counts, obstacles and warnings. */
export function mergeNoteRows(state: Known, columns: number, marks: Marks): readonly Row[] {
	const merge = state.merge.data;
	const ready = mergeOf(state);
	if (!merge || !ready) return [];
	const {made, done, failure, reading} = merge;
	const here = mergedUnderCursor(state);
	return spaced(
		here
			? said(
					`rule ${here.place}${here.isNew ? ' (new)' : ''}  ${mergedRuleLine(here.rule)}`,
					columns,
					'here',
					2,
				)
			: [],
		[
			...(done === undefined ? [] : marked(marks.done, done, columns, 'good')),
			...(failure && reading !== 'reading' ? marked(marks.failed, failure.message, columns, 'danger') : []),
			...ready.misfits.flatMap(({failure: {message, details}}) =>
				marked(marks.failed, [message, details.why].filter(Boolean).join('\n'), columns, 'danger'),
			),
		],
		said([sourceSentence(merge), countSentence(merge, ready), placeSentence(ready)], columns),
		[...ready.broad, ...(made?.notes ?? []), ...ready.merged.notes].flatMap(note =>
			marked(marks.warning, note, columns, 'warning'),
		),
		presentRows(ready, columns),
	);
}

/** Cached for the last width, because every key needs the rows of hundreds of rules. */
const lastPresent = new WeakMap<ReadyMerge, {readonly columns: number; readonly rows: readonly Row[]}>();

/** Builds one paragraph for each rule that exists already. */
function presentRows(ready: ReadyMerge, columns: number): readonly Row[] {
	const known = lastPresent.get(ready);
	if (known?.columns === columns) return known.rows;
	const rows = ready.merged.present.flatMap(({rule, there}) =>
		said(`exists already as ${there.id ?? 'a rule'}: ${mergedRuleLine(rule)}`, columns, 'dim', 2),
	);
	lastPresent.set(ready, {columns, rows});
	return rows;
}

function sourceSentence({source, zone, made}: MergeState): string {
	if (source.kind === 'file') return `Made of the file ${source.path}.`;
	return `Made of the ${counted(made?.old.length ?? 0, 'firewall rule')} of ${zone.name}.`;
}

function countSentence({zone}: MergeState, {ruleset, merged: {added, present, rules}}: ReadyMerge): string {
	const existing = counted(ruleset?.rules.length ?? 0, 'existing one');
	const quota =
		zone.plan === undefined
			? ''
			: ` With them ${grouped(rules.length)} of ${counted(rulesByPlan[zone.plan], 'custom rule')} (${planNames[zone.plan]}).`;
	return `${counted(added.length, 'custom rule')} to create, ${existing} kept, ${grouped(present.length)} there already.${added.length > 0 ? quota : ''}`;
}

/** Describes where the new rules go among the existing ones. */
function placeSentence({rows, merged: {added}, ruleset}: ReadyMerge): string | undefined {
	if (added.length === 0 || !ruleset || ruleset.rules.length === 0) return undefined;
	const last = rows.findLastIndex(({isNew}) => isNew);
	const next = rows[last + 1];
	return next
		? `They go before ${next.rule.description || next.rule.id || next.rule.expression}; a puts them behind all.`
		: 'They go behind all existing rules; b puts them before the one under the cursor.';
}

/** Builds the review: the effect, and each exact request. */
export function mergeReviewRows(state: Known, columns: number, marks: Marks): readonly Row[] {
	const merge = state.merge.data;
	const connection = state.connection.data;
	const ready = mergeOf(state);
	if (!merge || !ready) return [];
	const about =
		merge.step === 'deletion'
			? deletionAbout(merge, columns, marks)
			: [
					...said(countSentence(merge, ready), columns, 'here'),
					...ready.broad.flatMap(text => marked(marks.warning, text, columns, 'warning')),
					...said('Firewall rules stay as they are.', columns),
				];
	return spaced(about, requestRows({requests: requestsOf(state), shows: merge.shows}, connection, columns));
}

function deletionAbout({deletion, zone}: MergeState, columns: number, marks: Marks): readonly Row[] {
	const {plans = [], kept = []} = deletion ?? {};
	return [
		...said(
			`Delete ${counted(plans.length, 'firewall rule')} of ${zone.name}. This cannot be undone.`,
			columns,
			'here',
		),
		...plans.flatMap(plan => said(goingSentence(plan), columns, 'plain', 2)),
		...kept.flatMap(one => marked(marks.warning, keptRuleSentence(one), columns, 'warning')),
	];
}

/** Describes a rule to delete, and what happens to its filter. */
function goingSentence({rule, filter}: DeletionPlan): string {
	const expression = 'expression' in rule.filter ? rule.filter.expression : '';
	const what = `${rule.id} (${rule.action}): ${rule.description || expression}`;
	switch (filter.state) {
		case 'delete':
			return `${what}; its filter goes after it.`;
		case 'shared':
			return `${what}; its filter stays: ${named(filter.users)} ${filter.users.length === 1 ? 'uses' : 'use'} it.`;
		case 'keep':
		case 'gone':
			return what;
		default:
			return filter satisfies never;
	}
}
