import type {Marks} from '../../components/theme.ts';
import {type RecreationStep, recreationWords} from '../../managed/recreation.ts';
import {describeEdit} from '../../migration/configuration/difference-words.ts';
import type {Edit} from '../../migration/configuration/edits.ts';
import {rulesetName} from '../../migration/configuration/mapping.ts';
import type {Has} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import type {ManagedState} from '../managed/state.ts';
import {fact, marked, type Row, said} from '../rows/rows.ts';
import {inForceReading, isPending, itemHere, type LeftItem, stepOf} from './slice.ts';

/** Formats the state of an item in a word or two. */
export function stateWords(item: LeftItem, state: Has<'managed'>): string {
	const step = stepOf(item, state);
	if (!step) return inForceReading(state) === 'not loaded' ? 'not loaded' : '';
	return step.kind === 'recreated' && isPending(item, state) ? 'not sent yet' : recreationWords[step.kind];
}

/** Builds the details of the item under the cursor, and what enter does. */
export function itemRows(
	state: Has<'managed' | 'leftBehind'>,
	columns: number,
	marks: Pick<Marks, 'warning' | 'done'>,
): readonly Row[] {
	const item = itemHere(state);
	if (!item) return [];
	const {what, id, setting, next} = item.left;
	const step = stepOf(item, state);
	return [
		...fact('was', drawable(what), columns),
		...fact('id', drawable(id), columns),
		...fact('setting', drawable(setting), columns),
		...(step
			? stepRows(step, isPending(item, state), next, columns, marks, state.managed.data)
			: [
					...(inForceReading(state) === 'not loaded'
						? marked(marks.warning, inForceNotLoaded, columns, 'warning')
						: []),
					...said(next, columns, 'dim'),
				]),
		...(state.leftBehind.data?.warnings ?? []).flatMap(text =>
			marked(marks.warning, text, columns, 'warning'),
		),
	];
}

const inForceNotLoaded = 'The rules in force are not loaded (ctrl-r): this may have been recreated already.';

/** Describes edits, with the names of their rules. */
const describeEdits = (edits: readonly Edit[], managed: ManagedState | undefined): string =>
	edits
		.map(edit =>
			drawable(describeEdit(edit, managed?.configuration ?? {rules: []}, managed?.inForce?.managed)),
		)
		.join(' ');

function stepRows(
	step: RecreationStep,
	pending: boolean,
	next: string,
	columns: number,
	marks: Pick<Marks, 'warning' | 'done'>,
	managed: ManagedState | undefined,
): readonly Row[] {
	switch (step.kind) {
		case 'recreated':
			return marked(
				marks.done,
				pending ? 'Among the changes, not sent yet: s reviews them.' : 'It is in force.',
				columns,
				'good',
			);
		case 'edits':
			return [
				...fact('enter', describeEdits(step.edits, managed), columns, 'here'),
				...fact('by hand', step.rest.map(drawable).join(', ') || undefined, columns, 'warning'),
			];
		case 'choice':
			return [
				...fact('enter', `choose its rules of the ${rulesetName(step.ruleset)}`, columns, 'here'),
				...fact('not found', step.missing.map(drawable).join(', '), columns),
			];
		case 'by hand':
			return [
				...marked(marks.warning, step.why, columns, 'warning'),
				...(step.why === next ? [] : said(next, columns, 'dim')),
			];
		default:
			return step satisfies never;
	}
}
