import type {Marks} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {type RecreationStep, recreationWords} from '../../managed/recreation.ts';
import {describeEdit} from '../../migration/configuration/difference-words.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {formatRulesetName} from '../../migration/configuration/mapping.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import type {ManagedState} from '../managed/state.ts';
import {buildMarkedRows, buildNamedRows, buildTextRows, type Row} from '../rows/rows.ts';
import {
	getActiveRulesLoadState,
	getRecreationStep,
	isUnsentRecreation,
	type LeftItem,
	leftBehindList,
} from './slice.ts';

/** Formats the state of an item in a word or two. */
export function formatItemState(item: LeftItem, state: StateWith<'managed' | 'leftBehind'>): string {
	const step = getRecreationStep(item, state);
	if (!step) return getActiveRulesLoadState(state) === 'not loaded' ? 'not loaded' : '';
	return step.kind === 'recreated' && isUnsentRecreation(item, state)
		? 'not sent yet'
		: recreationWords[step.kind];
}

/** Builds the details of the item under the cursor, and what enter does. */
export function buildItemRows(
	state: StateWith<'managed' | 'leftBehind'>,
	columns: number,
	marks: Pick<Marks, 'warning' | 'done'>,
): readonly Row[] {
	const item = leftBehindList.getSelected(state.leftBehind.data);
	if (!item) return [];
	const {what, id, setting, next} = item.leftover;
	const step = getRecreationStep(item, state);
	return [
		...buildNamedRows('was', toDrawable(what), columns),
		...buildNamedRows('id', toDrawable(id), columns),
		...buildNamedRows('setting', toDrawable(setting), columns),
		...(step
			? buildStepRows(step, isUnsentRecreation(item, state), next, columns, marks, state.managed.data)
			: [
					...(getActiveRulesLoadState(state) === 'not loaded'
						? buildMarkedRows(marks.warning, formatNotLoadedWarning(), columns, 'warning')
						: []),
					...buildTextRows(next, columns, 'dim'),
				]),
		...(state.leftBehind.data?.warnings ?? []).flatMap(text =>
			buildMarkedRows(marks.warning, text, columns, 'warning'),
		),
	];
}

const formatNotLoadedWarning = () =>
	`The active rules are not loaded (${nameKey('reload', 'ctrl-r')}): this may already have been recreated.`;

/** Describes edits, with the names of their rules. */
const describeEdits = (edits: readonly ConfigurationEdit[], managed: ManagedState | undefined): string =>
	edits
		.map(edit =>
			toDrawable(describeEdit(edit, managed?.configuration ?? {rules: []}, managed?.activeRules?.catalogue)),
		)
		.join(' ');

function buildStepRows(
	step: RecreationStep,
	isUnsent: boolean,
	next: string,
	columns: number,
	marks: Pick<Marks, 'warning' | 'done'>,
	managed: ManagedState | undefined,
): readonly Row[] {
	switch (step.kind) {
		case 'recreated':
			return buildMarkedRows(
				marks.done,
				isUnsent
					? `Added to the unsent changes; ${nameKey('left.review', 'ctrl-s')} reviews them.`
					: 'Already active.',
				columns,
				'good',
			);
		case 'edits':
			return [
				...buildNamedRows('enter', describeEdits(step.edits, managed), columns, 'here'),
				...buildNamedRows('manually', step.rest.map(toDrawable).join(', ') || undefined, columns, 'warning'),
			];
		case 'choice':
			return [
				...buildNamedRows(
					'enter',
					`choose its rules in the ${formatRulesetName(step.ruleset)}`,
					columns,
					'here',
				),
				...buildNamedRows(
					'why',
					`old rules of ${step.missing.map(toDrawable).join(', ')} have other ids there, or are gone`,
					columns,
				),
			];
		case 'by hand':
			return [
				...buildMarkedRows(marks.warning, step.why, columns, 'warning'),
				...(step.why === next ? [] : buildTextRows(next, columns, 'dim')),
			];
		default:
			return step satisfies never;
	}
}
