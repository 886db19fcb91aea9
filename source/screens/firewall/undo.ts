import {type Failure, toFailure} from '../../failure.ts';
import {buildUndoEdits, type FirewallEdit, getEditItem, renameEditIds} from '../../firewall/rules/edits.ts';
import type {FirewallZone} from '../../firewall/rules/rule.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {hasLoaded} from '../list/reading.ts';
import {numberChange} from '../zones/later-change.ts';
import {describeUndone, formatUndoSubject} from './undo-words.ts';
import {createWriteRunner, type FirewallWrite, type WriteProgress} from './write-runner.ts';

/** The edits that lead back from what one action changed in a zone, in the order to write them. */
export type UndoStep = {
	readonly zoneId: string;
	readonly zoneName: string;
	/** As from `numberChange`. */
	readonly number: number;
	/** Empty if the action cannot be undone. */
	readonly edits: readonly FirewallEdit[];
	/** Why the action cannot be undone: the end of a sentence, without a period. */
	readonly problem?: string;
};

type UndoZone = Pick<FirewallZone, 'id' | 'name'>;

export type FirewallUndo = {
	/** What was changed in this session, the last change last. */
	readonly undoSteps: readonly UndoStep[];
	/** Adds edits that took effect as one step; none if there are no edits. */
	noteEdits(zone: UndoZone, edits: readonly FirewallEdit[]): void;
	/** Adds a change that cannot be undone, so that the undo does not skip it unasked. */
	noteIrreversibleChange(zone: UndoZone, problem: string): void;
	/** Removes the steps that would delete a rule which was deleted in another way. */
	forgetCreation(ruleId: string): void;
	/**
	 * Undoes a step of the open zone. What was undone, has changed since, is gone, or may have been created
	 * with an unknown outcome, is not undone again; anything else stays in the step.
	 */
	undoStep(step: UndoStep, signal: AbortSignal, progress?: WriteProgress): Promise<void>;
};

/**
 * Lists the edits of a step of the open zone whose rule or filter is listed, or is created again when later steps
 * are undone. The others have nothing left to undo.
 */
export const listRemainingEdits = (
	{firewall: {data: firewall, undoSteps}}: StateWith<'firewall', 'data' | 'undoSteps'>,
	{edits}: UndoStep,
): readonly FirewallEdit[] => {
	if (!firewall || !hasLoaded(firewall)) return edits;
	const {rules, filters} = firewall;
	return edits.filter(
		({kind, before}) =>
			!before ||
			(kind === 'rule' ? rules : filters).some(({id}) => id === before.id) ||
			undoSteps.some(step => step.edits.some(edit => !edit.before && edit.after.id === before.id)),
	);
};

export const createUndo: Slice<FirewallUndo> = (set, get, {session}) => {
	const runGroup = createWriteRunner(get, session);
	return {
		undoSteps: [],
		noteEdits({id: zoneId, name: zoneName}, edits) {
			const step = {zoneId, zoneName, number: numberChange(), edits: buildUndoEdits(edits)};
			if (edits.length > 0) set(({undoSteps}) => ({undoSteps: [...undoSteps, step]}));
		},
		noteIrreversibleChange({id: zoneId, name: zoneName}, problem) {
			set(({undoSteps}) => ({
				undoSteps: [...undoSteps, {zoneId, zoneName, number: numberChange(), edits: [], problem}],
			}));
		},
		forgetCreation(ruleId) {
			set(({undoSteps}) => ({
				undoSteps: undoSteps.filter(({edits}) => !edits.some(({before}) => before?.id === ruleId)),
			}));
		},
		async undoStep(step, signal, progress) {
			if (!get().firewall.undoSteps.includes(step)) return;
			const shownRules = get().firewall.data?.rules ?? [];
			let currentStep = step;
			const remainingEdits = listRemainingEdits(get(), step);
			// By position in the remaining edits; undefined once an edit is removed from the step.
			let pendingEdits: readonly (FirewallEdit | undefined)[] = remainingEdits;

			/** Removes an edit from the step; the other edits of the session get the new ids. */
			function removeEdit(position: number, newIds: ReadonlyMap<string, string> = new Map()): void {
				pendingEdits = pendingEdits.map((edit, index) =>
					edit && index !== position ? renameEditIds(edit, newIds) : undefined,
				);
				const edits = pendingEdits.filter(edit => edit !== undefined);
				const [previousStep, nextStep] = [currentStep, {...currentStep, edits}];
				currentStep = nextStep;
				set(({undoSteps}) => ({
					undoSteps: undoSteps.flatMap(one => {
						if (one === previousStep) return edits.length > 0 ? [nextStep] : [];
						return [{...one, edits: one.edits.map(edit => renameEditIds(edit, newIds))}];
					}),
				}));
			}

			const buildUndo = (originalEdit: FirewallEdit, position: number): FirewallWrite => ({
				...describeUndoWrite(originalEdit),
				async write(client, zone, {onEdit, ...context}) {
					const edit = pendingEdits[position] ?? originalEdit;
					try {
						const {applyFirewallEdit} = await import('../../firewall/rules/apply-edit.ts');
						const doneEdit = await applyFirewallEdit(client, zone, edit, {...context, shownRules});
						onEdit(doneEdit);
						removeEdit(position, new Map([[getEditItem(edit).id, getEditItem(doneEdit).id]]));
						return describeUndone([doneEdit]);
					} catch (error) {
						const failure = toFailure(error);
						if (isSpent(edit, failure)) removeEdit(position);
						throw failure;
					}
				},
			});

			await runGroup(
				{
					auditLabel: `undo the change of ${formatUndoSubject(remainingEdits)}`,
					writes: remainingEdits.map(buildUndo),
					noun: 'change',
					formatDone: count => `${count === 1 ? 'was' : 'were'} undone`,
					describeSuccess: describeUndone,
				},
				signal,
				() => undefined,
				progress,
			);
		},
	};
};

function describeUndoWrite(edit: FirewallEdit): Omit<FirewallWrite, 'write'> {
	const {kind, before, after} = edit;
	const item = getEditItem(edit);
	const name = `${kind} ${formatRuleName(item)}`;
	if (!before)
		return {
			auditLabel: `create ${kind} ${item.id} again`,
			name,
			unknownOutcome: `whether the ${kind} was created again`,
		};
	if (!after)
		return {auditLabel: `delete ${kind} ${item.id}`, name, unknownOutcome: `whether the ${kind} was deleted`};
	return {
		auditLabel: `undo a change of ${kind} ${item.id}`,
		name,
		unknownOutcome: `whether the change of the ${kind} was undone`,
	};
}

/** True if an edit must not be undone again: it has changed since, is gone, or may have been created. */
const isSpent = ({kind, before}: FirewallEdit, {code, details}: Failure): boolean =>
	code === 'changed_meanwhile' ||
	code === 'not_found' ||
	(kind === 'rule' && before === undefined && details.outcomeUnknown === true);
