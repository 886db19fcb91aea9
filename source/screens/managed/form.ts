import {Failure} from '../../failure.ts';
import {computeFingerprint} from '../../migration/configuration/configuration.ts';
import type {AppliedEdit} from '../../migration/configuration/rebase.ts';
import type {DraftFormat} from '../../state/drafts.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import {describeVersionMismatch, type FormCreator} from '../drafts/form.ts';
import {buildZoneTarget, formatTargetPlace} from '../drafts/place.ts';
import {buildZoneFields, getDraftZone} from '../drafts/zone.ts';
import {readSavedEdits, type SavedEdits, serializeEdits} from '../managed-edit/saved-edits.ts';
import {readDialogException, type UnfinishedException} from '../managed-edit/unfinished-exception.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ManagedState} from './state.ts';

const draftFormat: DraftFormat = {kind: 'managed rules', version: 1};

/** Returns the id of the open managed rules, for their drafts. */
export const getManagedFormId = ({id}: Pick<ManagedState, 'id'>): string => `managed ${id}`;

/** Unsent changes of managed rules as a form with drafts. */
export const createManagedForm: FormCreator = (get, {session}) => ({
	kind: draftFormat.kind,
	getTrackedState: state => state.managed.data,
	listOpenForms(state) {
		const managed = state.managed.data;
		if (!managed) return [];
		const unfinished = getUnfinishedException(state);
		const {edits, configuration, zone} = managed;
		if (edits.length === 0 && !unfinished) return [];
		return [
			{
				id: getManagedFormId(managed),
				getContent: () => JSON.stringify([edits.length, computeFingerprint(configuration), unfinished]),
				isWorthKeeping: () => true,
				buildDraft: instance => ({
					form: draftFormat,
					target: buildZoneTarget(zone, session, get().connection.data),
					label: zone.name,
					key: 'rules in force',
					instance,
					fields: {...buildZoneFields(zone), ...serializeEdits(managed, unfinished)},
				}),
			},
		];
	},
	offer(draft) {
		if (draft.form.version !== draftFormat.version) return describeVersionMismatch(draft);
		const zone = getDraftZone(draft, session);
		if (!zone) return 'It does not name a zone.';
		const savedEdits = readSavedEdits(draft.fields);
		if (typeof savedEdits === 'string') return savedEdits;
		const edits = toAppliedEdits(savedEdits);
		if (!edits) return 'It contains an edit that cannot be made here.';
		const {unfinished} = savedEdits;
		const parts = [
			...(edits.length > 0 ? [formatQuantity(edits.length, 'change')] : []),
			...(unfinished ? ['an exception'] : []),
		].join(' and ');
		return {
			name: `managed rules of ${zone.name}`,
			title: `Managed rules of ${zone.name}: ${parts} not sent`,
			lines: [formatTargetPlace(draft.target, session.cwd)],
			restoreLabel: 'Resume',
			async restore(signal) {
				if (getCurrentScreen(get()) !== 'managed' || get().managed.data?.zone.id !== zone.id) {
					get().managed.open(zone);
					get().navigation.openFromHome('managed');
				}
				if (!get().managed.data?.activeRules) await get().managed.load(signal);
				const managed = get().managed.data;
				if (managed?.zone.id !== zone.id || !managed.activeRules) return;
				if (managed.activeRules.readOnlyReason)
					throw new Failure('not_eligible', `The managed rules of ${zone.name} cannot be changed now.`, {
						why: managed.activeRules.readOnlyReason.message,
						left: `The changes are kept in ${draft.path}`,
					});
				// The current changes become a draft of their own.
				get().drafts.release(getManagedFormId(managed));
				get().managed.resumeEdits({edits, unfinished});
				get().drafts.adopt(getManagedFormId(managed), draft);
			},
		};
	},
});

const toAppliedEdits = ({edits}: SavedEdits): readonly AppliedEdit[] | undefined => {
	const appliedEdits = edits.flatMap(({edit, before}) => (edit === 'by hand' ? [] : [{edit, before}]));
	return appliedEdits.length === edits.length ? appliedEdits : undefined;
};

/** Returns the unfinished exception: from the open dialog, or restored from a draft. */
const getUnfinishedException = (
	state: StateWith<'dialog', 'current'> & StateWith<'managed'> & StateWith<'navigation', 'stack'>,
): UnfinishedException | undefined =>
	(getCurrentScreen(state) === 'managed' ? readDialogException(state.dialog.current) : undefined) ??
	state.managed.data?.unfinished;
